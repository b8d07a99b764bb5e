//! Handles of iterators, and the datasets that these are given.

use std::sync::Arc;

use oplink::NodeInfo;
use oplink::arguments::TypedOp;
use oplink::params::InputParam;
use oplink::prelude::*;
use oplink::resource::{ResourceInfo, Variant};
use oplink_cpu_state::named::{NodeResource, Unnamed, info};
use oplink_ops::data::{
    AnonymousIterator, AnonymousIteratorV2, AnonymousIteratorV3, DeleteIterator, Iterator as IteratorOp, IteratorV2,
    MakeIterator, OneShotIterator,
};

use super::resource::IteratorResource;
use crate::dataset::{DatasetHandle, Run};
use crate::function::DatasetFunction;

/// The type of iterators, in handles.
pub(super) const KIND: &str = "iterator";

/// The iterator of a node.
#[derive(Debug)]
struct NodeIterator {
    resource: NodeResource,
    dtypes: Vec<DType>,
    shapes: Vec<PartialShape>,
}

impl NodeIterator {
    fn new(node: &NodeInfo, names: [&str; 2], dtypes: &[DType], shapes: &[PartialShape]) -> Result<Self> {
        let info = info(node, names[0], names[1], KIND, Unnamed::Private)?;
        Ok(Self { resource: NodeResource::new(info), dtypes: dtypes.to_vec(), shapes: shapes.to_vec() })
    }

    /// Sets an output to the handle of the iterator, which is made where there is none yet.
    fn output(&self, output: &mut OutputSlot<'_>, env: Env<'_>) -> Result<Arc<IteratorResource>> {
        let make = |_: &str| Ok(IteratorResource::new(&self.dtypes, &self.shapes));
        let iterator = self.resource.output(output, env, make)?;
        let (there, wanted) = (iterator.dtypes(), &self.dtypes);
        ensure!(there == wanted, "the iterator of this name has elements of {there:?}, the node declares {wanted:?}");
        let fits = iterator.shapes().iter().zip(&self.shapes).all(|(a, b)| a.is_compatible_with(b));
        ensure!(fits, "the iterator of this name has elements of other shapes than the node declares");
        Ok(iterator)
    }
}

/// Kernels of ops that make an iterator by a name.
macro_rules! iterators {
    ($($name:ident: $op:ident;)*) => {$(
        #[doc = concat!("`", stringify!($op), "` with the node's handle.")]
        #[derive(Debug)]
        pub struct $name(NodeIterator);

        #[kernel($op, device = CPU)]
        impl Kernel for $name {
            type Op = $op;

            fn new(construction: Construction<'_, $op>) -> Result<Self> {
                let (node, attrs) = (construction.node(), construction.attrs);
                let names = [attrs.container, attrs.shared_name];
                NodeIterator::new(node, names, attrs.output_types, attrs.output_shapes).map(Self)
            }

            fn compute(
                &self,
                _: <$op as TypedOp>::Inputs<'_>,
                outputs: &mut <$op as TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                self.0.output(&mut outputs.handle, env).map(drop)
            }
        }
    )*};
}

iterators! {
    IteratorCpu: IteratorOp;
    IteratorV2Cpu: IteratorV2;
}

/// `OneShotIterator` with the node's handle, and the function that makes the dataset.
pub struct OneShotIteratorCpu {
    iterator: NodeIterator,
    factory: DatasetFunction,
}

#[kernel(OneShotIterator, device = CPU)]
impl Kernel for OneShotIteratorCpu {
    type Op = OneShotIterator;

    fn new(construction: Construction<'_, OneShotIterator>) -> Result<Self> {
        let (node, attrs) = (construction.node(), construction.attrs);
        let names = [attrs.container, attrs.shared_name];
        let iterator = NodeIterator::new(node, names, attrs.output_types, attrs.output_shapes)?;
        Ok(Self { iterator, factory: DatasetFunction::new(attrs.dataset_factory, &[]) })
    }

    fn compute(
        &self,
        _: <OneShotIterator as TypedOp>::Inputs<'_>,
        outputs: &mut <OneShotIterator as TypedOp>::Outputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let (run, iterator) = (Run::of(&env)?, self.iterator.output(&mut outputs.handle, env)?);
        iterator.start_once(&run, || {
            let made = self.factory.call(&run, Vec::new())?;
            let [dataset] = &made[..] else {
                bail!("dataset_factory must return one dataset, it returns {}", made.len())
            };
            <&DatasetHandle>::bind(dataset).cloned().map_err(|error| error.context("the result of dataset_factory"))
        })
    }
}

/// A handle to a new iterator, which goes with its last handle.
fn anonymous(env: Env<'_>, dtypes: &[DType], shapes: &[PartialShape]) -> Result<Tensor> {
    let (name, device) = (env.node().name.clone(), env.node().device.clone());
    let info = ResourceInfo { name, device, type_name: KIND.into(), ..ResourceInfo::default() };
    let handle = ResourceHandle::new(info);
    handle.get_or_create(|| Ok(IteratorResource::new(dtypes, shapes)))?;
    Ok(Tensor::scalar(handle))
}

/// `AnonymousIterator` and `AnonymousIteratorV3`.
#[kernel(AnonymousIterator, device = CPU)]
#[kernel(AnonymousIteratorV3, device = CPU)]
pub fn anonymous_iterator_cpu(output_types: &[DType], output_shapes: &[PartialShape], env: Env<'_>) -> Result<Tensor> {
    anonymous(env, output_types, output_shapes)
}

/// `AnonymousIteratorV2`.
#[kernel(AnonymousIteratorV2, device = CPU)]
pub fn anonymous_iterator_v2_cpu(
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<(Tensor, Tensor)> {
    Ok((anonymous(env, output_types, output_shapes)?, Tensor::scalar(Variant::default())))
}

/// `MakeIterator`.
#[kernel(MakeIterator, device = CPU)]
pub fn make_iterator_cpu(dataset: &DatasetHandle, iterator: Arc<IteratorResource>, env: Env<'_>) -> Result<()> {
    iterator.start(&Run::of(&env)?, dataset)
}

/// `DeleteIterator`: lets an iterator go; whoever uses it keeps it until then.
#[kernel(DeleteIterator, device = CPU)]
pub fn delete_iterator_cpu(handle: Input<'_>, deleter: &Tensor) -> Result<()> {
    let _ = deleter;
    handle.handle()?.destroy();
    Ok(())
}

//! Signatures: what a graph can be asked for, by names.

use std::collections::BTreeMap;
use std::fmt;

use oplink_api::{DType, PartialShape, Result, ResultExt, Tensor, bail};
use oplink_graph::{ImportOptions, shape_from_proto, tensor_from_proto};
use oplink_proto::tensor_info::Encoding;
use oplink_proto::{MetaGraphDef, SignatureDef, type_spec_proto};

use crate::INIT_OP;
use crate::write::descriptions;

/// One input or output of a signature: a tensor of the graph. A sparse or ragged value is several of them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TensorInfo {
    /// The name in the signature.
    pub name: String,
    /// The dtype; `None` for a node that is run for its effect and gives no value.
    pub dtype: Option<DType>,
    /// The shape.
    pub shape: PartialShape,
    /// The tensor in the graph, `node:index`; a node's name where there is no value.
    pub tensor: String,
    /// What it is, in the words of who made the model.
    pub description: String,
    /// The value of an input that is not given.
    pub default: Option<Tensor>,
}

impl fmt::Display for TensorInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, shape, .. } = self;
        match self.dtype {
            Some(dtype) => write!(f, "{name}: {dtype} {shape}"),
            None => write!(f, "{name}: no value, run for its effect"),
        }
    }
}

/// A call that a graph offers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SignatureInfo {
    /// The name, such as `serving_default`.
    pub name: String,
    /// The kind of call, such as `tensorflow/serving/predict`.
    pub method_name: String,
    /// What the call does, in the words of who made the model.
    pub description: String,
    /// Inputs in the order of their names.
    pub inputs: Vec<TensorInfo>,
    /// Outputs in the order of their names.
    pub outputs: Vec<TensorInfo>,
}

/// The signatures of a graph, without the one that only names the initializer.
pub(crate) fn signatures(def: &MetaGraphDef) -> Result<Vec<SignatureInfo>> {
    let described = descriptions::read(def);
    let named = def.signature_def.iter().filter(|(name, _)| *name != INIT_OP);
    let signatures = named.map(|(name, signature)| {
        let mut info = read(name, signature).context_with(|| format!("signature `{name}`"))?;
        described
            .iter()
            .filter(|described| described.name == *name)
            .for_each(|text| descriptions::add(&mut info, text));
        Ok(info)
    });
    signatures.collect()
}

fn read(name: &str, signature: &SignatureDef) -> Result<SignatureInfo> {
    let all = |tensors: &BTreeMap<String, oplink_proto::TensorInfo>| -> Result<Vec<TensorInfo>> {
        let mut found = Vec::new();
        for (name, info) in tensors {
            flatten(name, info, &mut found).context_with(|| format!("`{name}`"))?;
        }
        Ok(found)
    };
    let mut inputs = all(&signature.inputs)?;
    for (name, value) in &signature.defaults {
        if let Some(input) = inputs.iter_mut().find(|input| input.name == *name) {
            let value = tensor_from_proto(value, ImportOptions::default().max_constant_bytes);
            input.default = Some(value.context_with(|| format!("the default value of `{name}`"))?);
        }
    }
    let outputs = all(&signature.outputs)?;
    let (name, method_name) = (name.to_owned(), signature.method_name.clone());
    Ok(SignatureInfo { name, method_name, description: String::new(), inputs, outputs })
}

/// The tensors that a value is made of. Those of a sparse one have the names that TensorFlow's loader gives them.
fn flatten(name: &str, info: &oplink_proto::TensorInfo, out: &mut Vec<TensorInfo>) -> Result<()> {
    match &info.encoding {
        Some(Encoding::Name(tensor)) => out.push(dense(name, tensor, info)?),
        Some(Encoding::CooSparse(sparse)) => {
            let rank = info.tensor_shape.as_ref().filter(|shape| !shape.unknown_rank).map(|shape| shape.dim.len());
            let vector = |name: &str, tensor: &str, dtype, shape: &[Option<usize>]| TensorInfo {
                dtype: Some(dtype),
                shape: PartialShape::new(shape),
                ..named(name, tensor)
            };
            let values = dense(&format!("{name}_values"), &sparse.values_tensor_name, info)?;
            out.push(vector(&format!("{name}_indices"), &sparse.indices_tensor_name, DType::Int64, &[None, rank]));
            out.push(TensorInfo { shape: PartialShape::new(&[None]), ..values });
            out.push(vector(&format!("{name}_dense_shape"), &sparse.dense_shape_tensor_name, DType::Int64, &[rank]));
        }
        Some(Encoding::CompositeTensor(composite)) => {
            let spec = composite.type_spec.as_ref();
            for (at, component) in composite.components.iter().enumerate() {
                let part = component_name(spec.map(|spec| spec.type_spec_class), at, composite.components.len());
                flatten(&format!("{name}_{part}"), component, out)?;
            }
        }
        None => bail!("it names no tensor"),
    }
    Ok(())
}

/// What the components of TensorFlow's own composite values are called there.
fn component_name(class: Option<i32>, at: usize, count: usize) -> String {
    use type_spec_proto::TypeSpecClass as Class;
    const SPARSE: [&str; 3] = ["indices", "values", "dense_shape"];
    match class.map(Class::try_from) {
        Some(Ok(Class::RaggedTensorSpec)) if at == 0 => "flat_values".to_owned(),
        Some(Ok(Class::RaggedTensorSpec)) if count == 2 => "row_splits".to_owned(),
        Some(Ok(Class::RaggedTensorSpec)) => format!("row_splits_{}", at - 1),
        Some(Ok(Class::SparseTensorSpec)) if at < SPARSE.len() => SPARSE[at].to_owned(),
        _ => format!("component_{at}"),
    }
}

fn named(name: &str, tensor: &str) -> TensorInfo {
    TensorInfo {
        name: name.to_owned(),
        dtype: None,
        shape: PartialShape::unknown(),
        tensor: tensor.to_owned(),
        description: String::new(),
        default: None,
    }
}

fn dense(name: &str, tensor: &str, info: &oplink_proto::TensorInfo) -> Result<TensorInfo> {
    let dtype = match oplink_proto::dtype_from_wire(info.dtype) {
        Some((DType::Invalid, _)) => None,
        Some((dtype, _)) => Some(dtype),
        None => bail!("{} is the number of no dtype", info.dtype),
    };
    let shape = info.tensor_shape.as_ref().map_or_else(|| Ok(PartialShape::unknown()), shape_from_proto)?;
    Ok(TensorInfo { dtype, shape, ..named(name, tensor) })
}

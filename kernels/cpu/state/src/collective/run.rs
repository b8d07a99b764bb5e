//! Collectives whose groups have keys: in attrs, or in the inputs of the second versions.

use oplink::AsyncKernelContext;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_ops::state::{
    CollectiveAllToAllV2, CollectiveBcastRecv, CollectiveBcastRecvV2, CollectiveBcastSend, CollectiveBcastSendV2,
    CollectiveGather, CollectiveGatherV2, CollectiveReduce, CollectiveReduceScatterV2, CollectiveReduceV2,
};

use super::meeting::{Instance, Keys, Member, Place, internal, meet};
use super::work::Work;

/// `CollectiveReduce`: values merged, element by element.
#[kernel(CollectiveReduce, device = CPU, async, T = [f32, f64, f16, bf16, i32, i64])]
pub fn collective_reduce_cpu(run: AsyncKernelContext) {
    meet(run, |run| {
        let device = run.node().device.clone();
        let (inputs, attrs) = run.arguments::<CollectiveReduce>()?;
        let group = Group::of_attrs(attrs.group_size, attrs.group_key, attrs.instance_key)?;
        let work = Work::Reduce(attrs.merge_op, attrs.final_op);
        Ok((group.member(&device, work, &inputs.input), attrs.timeout_seconds))
    });
}

/// `CollectiveReduceV2`: as `CollectiveReduce`.
#[kernel(CollectiveReduceV2, device = CPU, async, T = [f32, f64, f16, bf16, i32, i64])]
pub fn collective_reduce_v2_cpu(run: AsyncKernelContext) {
    meet(run, |run| {
        let device = run.node().device.clone();
        let (inputs, attrs) = run.arguments::<CollectiveReduceV2>()?;
        let group = Group::of_inputs(&inputs.group_size, &inputs.group_key, &inputs.instance_key)?;
        let work = Work::Reduce(attrs.merge_op, attrs.final_op);
        Ok((group.member(&device, work, &inputs.input), attrs.timeout_seconds))
    });
}

/// `CollectiveGather`: inputs one behind the other.
#[kernel(CollectiveGather, device = CPU, async, T = [f32, f64, f16, i32, i64])]
pub fn collective_gather_cpu(run: AsyncKernelContext) {
    meet(run, |run| {
        let device = run.node().device.clone();
        let (inputs, attrs) = run.arguments::<CollectiveGather>()?;
        let group = Group::of_attrs(attrs.group_size, attrs.group_key, attrs.instance_key)?;
        Ok((group.member(&device, Work::Gather, &inputs.input), attrs.timeout_seconds))
    });
}

/// `CollectiveGatherV2`: as `CollectiveGather`.
#[kernel(CollectiveGatherV2, device = CPU, async, T = [f32, f64, f16, i32, i64])]
pub fn collective_gather_v2_cpu(run: AsyncKernelContext) {
    meet(run, |run| {
        let device = run.node().device.clone();
        let (inputs, attrs) = run.arguments::<CollectiveGatherV2>()?;
        let group = Group::of_inputs(&inputs.group_size, &inputs.group_key, &inputs.instance_key)?;
        Ok((group.member(&device, Work::Gather, &inputs.input), attrs.timeout_seconds))
    });
}

/// `CollectiveBcastSend`: gives its input to the others.
#[kernel(CollectiveBcastSend, device = CPU, async, T = [bool, f32, f64, f16, i32, i64])]
pub fn collective_bcast_send_cpu(run: AsyncKernelContext) {
    meet(run, |run| {
        let device = run.node().device.clone();
        let (inputs, attrs) = run.arguments::<CollectiveBcastSend>()?;
        let group = Group::of_attrs(attrs.group_size, attrs.group_key, attrs.instance_key)?;
        let (declared, shape) = (known(attrs.shape)?, inputs.input.shape());
        if declared != *shape {
            return Err(internal(format!("attr shape is {declared}, the input has the shape {shape}")));
        }
        let work = Work::Broadcast { sends: true };
        Ok((group.member(&device, work, &inputs.input), attrs.timeout_seconds))
    });
}

/// `CollectiveBcastSendV2`: as `CollectiveBcastSend`.
#[kernel(CollectiveBcastSendV2, device = CPU, async, T = [bool, f32, f64, f16, i32, i64])]
pub fn collective_bcast_send_v2_cpu(run: AsyncKernelContext) {
    meet(run, |run| {
        let device = run.node().device.clone();
        let (inputs, attrs) = run.arguments::<CollectiveBcastSendV2>()?;
        let group = Group::of_inputs(&inputs.group_size, &inputs.group_key, &inputs.instance_key)?;
        let work = Work::Broadcast { sends: true };
        Ok((group.member(&device, work, &inputs.input), attrs.timeout_seconds))
    });
}

/// `CollectiveBcastRecv`: receives the input of the member that sends.
#[kernel(CollectiveBcastRecv, device = CPU, async, T = [bool, f32, f64, f16, i32, i64])]
pub fn collective_bcast_recv_cpu(run: AsyncKernelContext) {
    meet(run, |run| {
        let (device, dtype) = (run.node().device.clone(), run.node().output_dtypes[0]);
        let (_, attrs) = run.arguments::<CollectiveBcastRecv>()?;
        let group = Group::of_attrs(attrs.group_size, attrs.group_key, attrs.instance_key)?;
        Ok((group.receiver(&device, dtype, known(attrs.shape)?), attrs.timeout_seconds))
    });
}

/// `CollectiveBcastRecvV2`: as `CollectiveBcastRecv`.
#[kernel(CollectiveBcastRecvV2, device = CPU, async, T = [bool, f32, f64, f16, i32, i64], Tshape = any)]
pub fn collective_bcast_recv_v2_cpu(run: AsyncKernelContext) {
    meet(run, |run| {
        let (device, dtype) = (run.node().device.clone(), run.node().output_dtypes[0]);
        let (inputs, attrs) = run.arguments::<CollectiveBcastRecvV2>()?;
        let group = Group::of_inputs(&inputs.group_size, &inputs.group_key, &inputs.instance_key)?;
        let rank = inputs.shape.rank();
        ensure!(rank == 1, "shape must be a vector, it has the rank {rank}");
        let shape = known(&PartialShape::from_i64(Some(&int_values(&inputs.shape)?))?)?;
        Ok((group.receiver(&device, dtype, shape), attrs.timeout_seconds))
    });
}

/// `CollectiveAllToAllV2`: row by row what the members have for each other.
#[kernel(CollectiveAllToAllV2, device = CPU, async, T = [f32, f64, f16, bf16, i32, i64])]
pub fn collective_all_to_all_v2_cpu(run: AsyncKernelContext) {
    meet(run, |run| {
        let device = run.node().device.clone();
        let (inputs, attrs) = run.arguments::<CollectiveAllToAllV2>()?;
        let group = Group::of_inputs(&inputs.group_size, &inputs.group_key, &inputs.instance_key)?;
        Ok((group.member(&device, Work::AllToAll, &inputs.input), attrs.timeout_seconds))
    });
}

/// `CollectiveReduceScatterV2`: an error, as TensorFlow has it for GPUs alone.
#[kernel(CollectiveReduceScatterV2, device = CPU, T = any)]
pub fn collective_reduce_scatter_v2_cpu(
    group_size: &Tensor,
    group_key: &Tensor,
    instance_key: &Tensor,
) -> Result<Tensor> {
    Group::of_inputs(group_size, group_key, instance_key)?;
    Err(internal("no parts of merged values on CPUs: take CollectiveReduceV2 and a part of what it gives".to_owned()))
}

/// The group of a node.
struct Group {
    size: usize,
    keys: Keys,
}

impl Group {
    fn new(size: i64, key: i64, instance: i64) -> Result<Self> {
        let members = usize::try_from(size).ok().filter(|&size| size > 0);
        let Some(size) = members else { bail!("group_size must be greater than 0, it is {size}") };
        // Keys have 32 bits.
        Ok(Self { size, keys: (key as i32, Instance::Key(instance as i32)) })
    }

    fn of_attrs(size: i64, key: i64, instance: i64) -> Result<Self> {
        Self::new(i64::from(size as i32), key, instance)
    }

    fn of_inputs(size: &Tensor, key: &Tensor, instance: &Tensor) -> Result<Self> {
        let scalar = |input: &Tensor, name: &str| match input.rank() {
            0 => Ok(i64::from(input.to_scalar::<i32>()?)),
            _ => bail!("{name} must be a scalar, it has the shape {}", input.shape()),
        };
        Self::new(scalar(size, "group_size")?, scalar(key, "group_key")?, scalar(instance, "instance_key")?)
    }

    /// The member that brings an input.
    fn member(self, device: &str, work: Work, input: &Tensor) -> Member {
        let (Self { size, keys }, place) = (self, Place::of_device(device));
        let (dtype, shape, input) = (input.dtype(), input.shape().clone(), Some(input.clone()));
        Member { keys, size, place: place.clone(), device: place, work, dtype, shape, input }
    }

    /// The member that expects a tensor.
    fn receiver(self, device: &str, dtype: DType, shape: Shape) -> Member {
        let (Self { size, keys }, place) = (self, Place::of_device(device));
        let work = Work::Broadcast { sends: false };
        Member { keys, size, place: place.clone(), device: place, work, dtype, shape, input: None }
    }
}

/// A shape that must be fully known; one of an unknown rank is that of scalars.
fn known(shape: &PartialShape) -> Result<Shape> {
    match shape.to_shape() {
        Some(shape) => Ok(shape),
        None if shape.rank().is_none() => Ok(Shape::new(&[])),
        None => bail!("shape must be fully known, it is {shape}"),
    }
}

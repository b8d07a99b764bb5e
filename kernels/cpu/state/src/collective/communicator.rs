//! Groups that are made first: `CollectiveInitializeCommunicator` makes one, `CollectiveReduceV3` and
//! `CollectiveAllToAllV3` are collectives of its members, `CollectiveAssignGroupV2` tells the group of a device.

use std::sync::atomic::{AtomicU64, Ordering};

use oplink::AsyncKernelContext;
use oplink::prelude::*;
use oplink::resource::ResourceInfo;
use oplink_ops::state::{
    CollectiveAllToAllV3, CollectiveAssignGroupV2, CollectiveFinal, CollectiveInitializeCommunicator,
    CollectiveReduceV3,
};

use super::meeting::{Instance, Member, Place, meet};
use super::work::Work;

/// A member of a group.
pub struct Communicator {
    key: i32,
    rank: i32,
    size: usize,
    seconds: f32,
    /// The number of the next collective.
    next: AtomicU64,
}

impl Resource for Communicator {
    fn type_name(&self) -> &'static str {
        "communicator"
    }
}

impl Communicator {
    /// The member that brings an input to the next collective.
    fn member(&self, device: &str, work: Work, input: &Tensor) -> Member {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (place, device) = (Place::Rank(self.rank), Place::of_device(device));
        let (dtype, shape, size) = (input.dtype(), input.shape().clone(), self.size);
        Member {
            keys: (self.key, Instance::Next(number)),
            size,
            place,
            device,
            work,
            dtype,
            shape,
            input: Some(input.clone()),
        }
    }

    /// How long a collective may wait: as the group says, where the collective has a limit.
    fn limit(&self, seconds: f32) -> f32 {
        if seconds > 0.0 { self.seconds } else { 0.0 }
    }
}

/// `CollectiveInitializeCommunicator`: a member of a group, once all are there.
#[kernel(CollectiveInitializeCommunicator, device = CPU, async)]
pub fn collective_initialize_communicator_cpu(run: AsyncKernelContext) {
    meet(run, |run| {
        let device = run.node().device.clone();
        let resources = run.step()?.resources().clone();
        let (inputs, attrs) = run.arguments::<CollectiveInitializeCommunicator>()?;
        let key = scalar(&inputs.group_key, "group_key")?;
        let (rank, size) = (scalar(&inputs.rank, "rank")?, scalar(&inputs.group_size, "group_size")?);
        ensure!(size > 0, "group_size must be greater than 0, it is {size}");
        ensure!((0..size).contains(&rank), "rank must be one of the {size} places from 0 on, it is {rank}");
        let (type_name, name) = ("communicator".to_owned(), format!("{key}:r{rank:04}"));
        let container = "collective_op_group".to_owned();
        let info = ResourceInfo { device: device.clone(), container, name, type_name, dtypes_and_shapes: Vec::new() };
        let handle = resources.handle(info);
        let (seconds, mut is_new) = (attrs.timeout_seconds, false);
        handle.get_or_create(|| {
            is_new = true;
            Ok(Communicator { key, rank, size: size as usize, seconds, next: AtomicU64::new(0) })
        })?;
        if !is_new {
            let message = format!("the group {key} has a member of the rank {rank} already");
            return Err(Error::new(Code::AlreadyExists, ErrorKind::InvalidArgument, message));
        }
        let handle = Tensor::scalar(handle);
        let member = Member {
            keys: (key, Instance::Group),
            size: size as usize,
            place: Place::Rank(rank),
            device: Place::of_device(&device),
            work: Work::Group,
            dtype: DType::Resource,
            shape: Shape::new(&[]),
            input: Some(handle),
        };
        Ok((member, 0.0))
    });
}

/// `CollectiveReduceV3`: values merged, element by element.
#[kernel(CollectiveReduceV3, device = CPU, async, T = [f32, f64, f16, bf16, i32, i64])]
pub fn collective_reduce_v3_cpu(run: AsyncKernelContext) {
    meet(run, |run| {
        let device = run.node().device.clone();
        let (inputs, attrs) = run.arguments::<CollectiveReduceV3>()?;
        let communicator = inputs.communicator.resource::<Communicator>()?;
        check_assignment(&inputs.group_assignment)?;
        let work = Work::Reduce(attrs.reduction, CollectiveFinal::Id);
        Ok((communicator.member(&device, work, &inputs.input), communicator.limit(attrs.timeout_seconds)))
    });
}

/// `CollectiveAllToAllV3`: row by row what the members have for each other.
#[kernel(CollectiveAllToAllV3, device = CPU, async, T = [f32, f64, f16, bf16, i32, i64])]
pub fn collective_all_to_all_v3_cpu(run: AsyncKernelContext) {
    meet(run, |run| {
        let device = run.node().device.clone();
        let (inputs, attrs) = run.arguments::<CollectiveAllToAllV3>()?;
        let communicator = inputs.communicator.resource::<Communicator>()?;
        check_assignment(&inputs.group_assignment)?;
        let member = communicator.member(&device, Work::AllToAll, &inputs.input);
        Ok((member, communicator.limit(attrs.timeout_seconds)))
    });
}

/// `CollectiveAssignGroupV2`: the size and the key of the group of a device.
#[kernel(CollectiveAssignGroupV2, device = CPU)]
pub fn collective_assign_group_v2_cpu(
    group_assignment: &Tensor,
    device_index: &Tensor,
    base_key: &Tensor,
) -> Result<(i32, i32)> {
    let (index, base) = (scalar(device_index, "device_index")?, scalar(base_key, "base_key")?);
    let (shape, devices) = (group_assignment.shape(), group_assignment.as_slice::<i32>()?);
    let &[groups, size] = shape.dims() else { bail!("group_assignment must be a matrix, its shape is {shape}") };
    for group in 0..groups {
        let key = base.wrapping_add(group as i32);
        ensure!(key != 0, "base_key {base} and the number {group} of a group are the key 0, which is reserved");
        for &device in &devices[group * size..(group + 1) * size] {
            let is_one = usize::try_from(device).is_ok_and(|device| device < devices.len());
            ensure!(
                is_one,
                "group_assignment has the device {device}, numbers must be from 0 to below {}",
                devices.len()
            );
            if device == index {
                return Ok((size as i32, key));
            }
        }
        // bounded: the elements of an input are looked at once
    }
    bail!("device_index {index} is in no group of group_assignment")
}

fn check_assignment(assignment: &Tensor) -> Result<()> {
    if assignment.num_elements() == 0 {
        return Ok(());
    }
    Err(Error::unimplemented("group_assignment must be empty: parts of a communicator's group are not supported"))
}

fn scalar(input: &Tensor, name: &str) -> Result<i32> {
    let shape = input.shape();
    ensure!(input.rank() == 0, "{name} must be a scalar, it has the shape {shape}");
    input.to_scalar()
}

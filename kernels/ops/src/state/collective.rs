//! Collectives: nodes of several devices that bring a tensor each and get what is made of all.
//!
//! The nodes that meet have a `group_key` and an `instance_key` in common, and stand on `group_size` devices of the
//! process, one each; a node waits until the others are there. Devices are in the order of their names. Nodes of one
//! device that meet under the same keys belong to different meetings, in the order in which they come. Where members of
//! a meeting bring other dtypes or shapes, or name another size of the group or another kind of collective, all fail
//! with the same error. A member whose step ends leaves, and `timeout_seconds`, where it is greater than 0, limits how
//! long it waits (`DeadlineExceeded`); the others go on waiting.
//!
//! A group may also be made first: `CollectiveInitializeCommunicator` gives each member its place, the `rank`, and the
//! collectives of a communicator meet in the order in which they are run.

use oplink::attr_enum;
use oplink::prelude::*;

attr_enum! {
    /// How two values become one.
    pub enum CollectiveMerge { Min = "Min", Max = "Max", Mul = "Mul", Add = "Add" }
}

attr_enum! {
    /// What is made of the merged values: they stay, or are divided by the size of the group.
    pub enum CollectiveFinal { Id = "Id", Div = "Div" }
}

/// The merged values of the members' inputs, element by element, divided by their number where `final_op` is `Div`;
/// quotients of integers are rounded towards zero.
#[op("CollectiveReduce",
     input = "input: T",
     output = "data: T",
     attr = "T: {bfloat16, float, half, double, int32, int64}",
     attr = "group_size: int",
     attr = "group_key: int",
     attr = "instance_key: int",
     attr = "merge_op: {'Min', 'Max', 'Mul', 'Add'}",
     attr = "final_op: {'Id', 'Div'}",
     attr = "subdiv_offsets: list(int)",
     attr = "wait_for: list(int) = []",
     attr = "communication_hint: string = 'auto'",
     attr = "timeout_seconds: float = 0.0",
     enums(merge_op = CollectiveMerge, final_op = CollectiveFinal),
     unused_attr = "subdiv_offsets",
     unused_attr = "wait_for",
     unused_attr = "communication_hint",
     stateful,
     distributed_communication,
     shape = shape_fns::unchanged)]
pub struct CollectiveReduce;

/// As `CollectiveReduce`, with a group that inputs name: scalars.
#[op("CollectiveReduceV2",
     input = "input: T",
     input = "group_size: int32",
     input = "group_key: int32",
     input = "instance_key: int32",
     input = "ordering_token: Nordering_token * resource",
     output = "data: T",
     attr = "T: {bfloat16, float, half, double, int32, int64}",
     attr = "merge_op: {'Min', 'Max', 'Mul', 'Add'}",
     attr = "final_op: {'Id', 'Div'}",
     attr = "communication_hint: string = 'auto'",
     attr = "timeout_seconds: float = 0.0",
     attr = "is_stateless: bool = false",
     attr = "Nordering_token: int >= 0 = 0",
     attr = "max_subdivs_per_device: int = -1",
     enums(merge_op = CollectiveMerge, final_op = CollectiveFinal),
     unused_attr = "communication_hint",
     unused_attr = "is_stateless",
     unused_attr = "max_subdivs_per_device",
     stateful,
     distributed_communication,
     shape = shape_fns::unchanged)]
pub struct CollectiveReduceV2;

/// The merged values of the inputs of a communicator's members. `group_assignment` must be empty.
#[op("CollectiveReduceV3",
     input = "input: T",
     input = "communicator: resource",
     input = "group_assignment: int32",
     output = "data: T",
     attr = "T: {bfloat16, float, half, double, int32, int64}",
     attr = "reduction: {'Min', 'Max', 'Mul', 'Add'}",
     attr = "timeout_seconds: float = 0.0",
     enums(reduction = CollectiveMerge),
     stateful,
     distributed_communication,
     shape = shape_fns::unchanged)]
pub struct CollectiveReduceV3;

/// The members' inputs, one behind the other along the first axis. `shape` is not looked at.
#[op("CollectiveGather",
     input = "input: T",
     output = "data: T",
     attr = "T: {float, half, double, int32, int64}",
     attr = "group_size: int",
     attr = "group_key: int",
     attr = "instance_key: int",
     attr = "shape: shape",
     attr = "communication_hint: string = 'auto'",
     attr = "timeout_seconds: float = 0.0",
     unused_attr = "shape",
     unused_attr = "communication_hint",
     stateful,
     distributed_communication,
     shape = gathered)]
pub struct CollectiveGather;

/// As `CollectiveGather`, with a group that inputs name: scalars.
#[op("CollectiveGatherV2",
     input = "input: T",
     input = "group_size: int32",
     input = "group_key: int32",
     input = "instance_key: int32",
     input = "ordering_token: Nordering_token * resource",
     output = "data: T",
     attr = "T: {float, half, double, int32, int64}",
     attr = "communication_hint: string = 'auto'",
     attr = "timeout_seconds: float = 0.0",
     attr = "is_stateless: bool = false",
     attr = "Nordering_token: int >= 0 = 0",
     unused_attr = "communication_hint",
     unused_attr = "is_stateless",
     stateful,
     distributed_communication,
     shape = with_other_rows)]
pub struct CollectiveGatherV2;

/// Gives the other members its input, of the shape `shape`. Its output is the input.
#[op("CollectiveBcastSend",
     input = "input: T",
     output = "data: T",
     attr = "T: {bool, float, half, double, int32, int64}",
     attr = "group_size: int",
     attr = "group_key: int",
     attr = "instance_key: int",
     attr = "shape: shape",
     attr = "communication_hint: string = 'auto'",
     attr = "timeout_seconds: float = 0.0",
     unused_attr = "communication_hint",
     stateful,
     distributed_communication,
     shape = of_attr)]
pub struct CollectiveBcastSend;

/// As `CollectiveBcastSend`, with a group that inputs name: scalars.
#[op("CollectiveBcastSendV2",
     input = "input: T",
     input = "group_size: int32",
     input = "group_key: int32",
     input = "instance_key: int32",
     output = "data: T",
     attr = "T: {bool, float, half, double, int32, int64}",
     attr = "communication_hint: string = 'auto'",
     attr = "timeout_seconds: float = 0.0",
     unused_attr = "communication_hint",
     stateful,
     distributed_communication,
     shape = shape_fns::unchanged)]
pub struct CollectiveBcastSendV2;

/// The input of the member that sends one, of the shape `shape`.
#[op("CollectiveBcastRecv",
     output = "data: T",
     attr = "T: {bool, float, half, double, int32, int64}",
     attr = "group_size: int",
     attr = "group_key: int",
     attr = "instance_key: int",
     attr = "shape: shape",
     attr = "communication_hint: string = 'auto'",
     attr = "timeout_seconds: float = 0.0",
     unused_attr = "communication_hint",
     stateful,
     distributed_communication,
     shape = of_attr)]
pub struct CollectiveBcastRecv;

/// As `CollectiveBcastRecv`, with a group and a shape that inputs name.
#[op("CollectiveBcastRecvV2",
     input = "group_size: int32",
     input = "group_key: int32",
     input = "instance_key: int32",
     input = "shape: Tshape",
     output = "data: T",
     attr = "T: {bool, float, half, double, int32, int64}",
     attr = "Tshape: {int32, int64} = DT_INT32",
     attr = "communication_hint: string = 'auto'",
     attr = "timeout_seconds: float = 0.0",
     unused_attr = "communication_hint",
     stateful,
     distributed_communication,
     shape = of_input)]
pub struct CollectiveBcastRecvV2;

/// Each member's part of the merged values. TensorFlow has it for GPUs alone: on CPUs it is an error, here too.
#[op("CollectiveReduceScatterV2",
     input = "input: T",
     input = "group_size: int32",
     input = "group_key: int32",
     input = "instance_key: int32",
     input = "ordering_token: Nordering_token * resource",
     output = "data: T",
     attr = "T: {bfloat16, float, half, double, int32, int64}",
     attr = "merge_op: {'Min', 'Max', 'Mul', 'Add'}",
     attr = "final_op: {'Id', 'Div'}",
     attr = "communication_hint: string = 'auto'",
     attr = "timeout_seconds: float = 0.0",
     attr = "is_stateless: bool = false",
     attr = "Nordering_token: int >= 0 = 0",
     attr = "max_subdivs_per_device: int = -1",
     enums(merge_op = CollectiveMerge, final_op = CollectiveFinal),
     unused_attr = "communication_hint",
     unused_attr = "is_stateless",
     unused_attr = "max_subdivs_per_device",
     stateful,
     distributed_communication,
     shape = with_other_rows)]
pub struct CollectiveReduceScatterV2;

/// Row by row what the members have for this one: of each member the row of this member's place. Inputs have as many
/// rows as the group has members.
#[op("CollectiveAllToAllV2",
     input = "input: T",
     input = "group_size: int32",
     input = "group_key: int32",
     input = "instance_key: int32",
     input = "ordering_token: Nordering_token * resource",
     output = "data: T",
     attr = "T: {bfloat16, float, half, double, int32, int64}",
     attr = "communication_hint: string = 'auto'",
     attr = "timeout_seconds: float = 0.0",
     attr = "is_stateless: bool = false",
     attr = "Nordering_token: int >= 0 = 0",
     unused_attr = "communication_hint",
     unused_attr = "is_stateless",
     stateful,
     distributed_communication,
     shape = shape_fns::unchanged)]
pub struct CollectiveAllToAllV2;

/// As `CollectiveAllToAllV2`, among a communicator's members. `group_assignment` must be empty.
#[op("CollectiveAllToAllV3",
     input = "input: T",
     input = "communicator: resource",
     input = "group_assignment: int32",
     output = "data: T",
     attr = "T: {bfloat16, float, half, double, int32, int64}",
     attr = "timeout_seconds: float = 0.0",
     stateful,
     distributed_communication,
     shape = shape_fns::unchanged)]
pub struct CollectiveAllToAllV3;

/// A member's handle of a new group, once all members are there. `rank` is the member's place, from 0 on; a group has
/// one member of each. A group that there is already is an error.
#[op("CollectiveInitializeCommunicator",
     input = "group_key: int32",
     input = "rank: int32",
     input = "group_size: int32",
     output = "communicator: resource",
     attr = "communication_hint: string = 'auto'",
     attr = "timeout_seconds: float = 0.0",
     unused_attr = "communication_hint",
     stateful,
     distributed_communication,
     shape = shape_fns::scalar)]
pub struct CollectiveInitializeCommunicator;

/// The size and the key of the group of a device. The rows of `group_assignment`, a matrix of numbers of devices, are
/// the groups; the key is `base_key` and the number of the row together. A device that is in no group, a number that is
/// none of a device, and the key 0 are errors.
#[op("CollectiveAssignGroupV2",
     input = "group_assignment: int32",
     input = "device_index: int32",
     input = "base_key: int32",
     output = "group_size: int32",
     output = "group_key: int32",
     stateful,
     distributed_communication,
     shape = shape_fns::scalar)]
pub struct CollectiveAssignGroupV2;

/// As many rows as the inputs of all members have.
fn gathered(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = context.with_rank_at_least(0, 1)?;
    let size: i64 = context.attr("group_size")?;
    let rows = shape.dim(0).zip(usize::try_from(size).ok()).map(|(rows, size)| rows.saturating_mul(size));
    let row = context.subshape(&shape, 1, None)?;
    let shape = context.concatenate(&PartialShape::new(&[rows]), &row);
    context.set_output(0, shape);
    Ok(())
}

/// The input with another number of rows.
fn with_other_rows(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = context.with_rank_at_least(0, 1)?;
    let row = context.subshape(&shape, 1, None)?;
    let shape = context.concatenate(&PartialShape::new(&[None]), &row);
    context.set_output(0, shape);
    Ok(())
}

fn of_attr(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape: &PartialShape = context.attr("shape")?;
    context.set_output(0, shape.clone());
    Ok(())
}

fn of_input(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = context.make_shape_from_tensor(3)?;
    context.set_output(0, shape);
    Ok(())
}

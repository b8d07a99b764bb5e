//! Values looked at on their way: copies with names, and numbers that tell how sound a tensor is.
//!
//! Where an attr `tensor_name` is read it has the form `node:output`. Values are not sent anywhere: `debug_urls` must
//! be empty.

use oplink::prelude::*;

/// Gives its input.
#[op("Copy",
     input = "input: T",
     output = "output: T",
     attr = "T: type",
     attr = "tensor_name: string = ''",
     attr = "debug_ops_spec: list(string) = []",
     allows_uninitialized_input,
     shape = shape_fns::unchanged)]
pub struct Copy;

/// Gives its input, in the host's memory.
#[op("CopyHost",
     input = "input: T",
     output = "output: T",
     attr = "T: type",
     attr = "tensor_name: string = ''",
     attr = "debug_ops_spec: list(string) = []",
     allows_uninitialized_input,
     shape = shape_fns::unchanged)]
pub struct CopyHost;

/// Gives its input, a tensor of a name.
#[op("DebugIdentity",
     input = "input: T",
     output = "output: T",
     attr = "T: type",
     attr = "device_name: string = ''",
     attr = "tensor_name: string = ''",
     attr = "debug_urls: list(string) = []",
     attr = "gated_grpc: bool = false",
     allows_uninitialized_input,
     shape = shape_fns::unchanged)]
pub struct DebugIdentity;

/// Gives its input, a tensor of an op's name.
#[op("DebugIdentityV2",
     input = "input: T",
     output = "output: T",
     attr = "T: type",
     attr = "tfdbg_context_id: string = ''",
     attr = "op_name: string = ''",
     attr = "output_slot: int = -1",
     attr = "tensor_debug_mode: int = -1",
     attr = "debug_urls: list(string) = []",
     attr = "circular_buffer_size: int = 1000",
     attr = "tfdbg_run_id: string = ''",
     stateful,
     shape = shape_fns::unchanged)]
pub struct DebugIdentityV2;

/// Gives its input, a tensor of a name.
#[op("DebugIdentityV3",
     input = "input: T",
     output = "output: T",
     attr = "T: type",
     attr = "device_name: string = ''",
     attr = "tensor_name: string = ''",
     attr = "io_of_node: string = ''",
     attr = "is_input: bool = false",
     attr = "io_index: int = -1",
     attr = "debug_urls: list(string) = []",
     attr = "gated_grpc: bool = false",
     stateful,
     allows_uninitialized_input,
     shape = shape_fns::unchanged)]
pub struct DebugIdentityV3;

/// The number of elements that are NaN, a vector of one element.
#[op("DebugNanCount",
     input = "input: T",
     output = "output: int64",
     attr = "T: type",
     attr = "device_name: string = ''",
     attr = "tensor_name: string = ''",
     attr = "debug_urls: list(string) = []",
     attr = "gated_grpc: bool = false",
     allows_uninitialized_input,
     shape = shape_fns::unknown)]
pub struct DebugNanCount;

/// 14 numbers and the extents.
///
/// They are: 1; how many elements there are, that are NaN, no larger than `lower_bound`, negative, 0, positive, no
/// smaller than `upper_bound`; the least and the largest of the finite ones, their mean and variance; the number of the
/// dtype, and of the axes.
#[op("DebugNumericSummary",
     input = "input: T",
     output = "output: double",
     attr = "T: type",
     attr = "device_name: string = ''",
     attr = "tensor_name: string = ''",
     attr = "debug_urls: list(string) = []",
     attr = "lower_bound: float = -inf",
     attr = "upper_bound: float = inf",
     attr = "mute_if_healthy: bool = false",
     attr = "gated_grpc: bool = false",
     allows_uninitialized_input,
     shape = shape_fns::unknown)]
pub struct DebugNumericSummary;

/// Numbers that tell how sound a tensor is, as the attr `tensor_debug_mode` says.
///
/// 2: `tensor_id`, and whether an element is NaN or infinite. 3: `tensor_id`, the number of elements, of infinite
/// ones below and above 0, and of NaN. 4: `tensor_id`, -1, the number of the dtype, the rank, the number of elements,
/// of infinite ones below and above 0, of NaN, and of finite ones below 0, at 0 and above. 5: `tensor_id`, the number
/// of the dtype, the rank, the number of elements, and the last 6 extents. 8: the infinities and NaN that there are,
/// 0 for each that there is not.
#[op("DebugNumericSummaryV2",
     input = "input: T",
     output = "output: output_dtype",
     attr = "output_dtype: {float, double} = DT_FLOAT",
     attr = "T: type",
     attr = "tensor_debug_mode: int = -1",
     attr = "tensor_id: int = -1",
     shape = shape_fns::unknown)]
pub struct DebugNumericSummaryV2;

/// Gives its input; a gradient of it is looked at.
#[op("DebugGradientIdentity",
     input = "input: T",
     output = "output: T",
     attr = "T: type",
     allows_uninitialized_input,
     shape = shape_fns::unchanged)]
pub struct DebugGradientIdentity;

/// Gives its input, a reference.
#[op("DebugGradientRefIdentity",
     input = "input: Ref(T)",
     output = "output: Ref(T)",
     attr = "T: type",
     allows_uninitialized_input,
     shape = shape_fns::unchanged)]
pub struct DebugGradientRefIdentity;

/// Gives its input, a reference.
#[op("RefIdentity",
     input = "input: Ref(T)",
     output = "output: Ref(T)",
     attr = "T: type",
     allows_uninitialized_input,
     shape = shape_fns::unchanged)]
pub struct RefIdentity;

/// The reference at a position.
#[op("RefSelect",
     input = "index: int32",
     input = "inputs: N * Ref(T)",
     output = "output: Ref(T)",
     attr = "T: type",
     attr = "N: int >= 1",
     shape = select)]
pub struct RefSelect;

fn select(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 0)?;
    let first = c.input(1).clone();
    let same = first.is_fully_known() && (2..c.num_inputs()).all(|input| *c.input(input) == first);
    c.set_output(0, if same { first } else { PartialShape::unknown() });
    Ok(())
}

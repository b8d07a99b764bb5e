//! The attribute macros of oplink; the work is done by `oplink-macros-expand`.
//!
//! Authors use them through the crate `oplink`, whose prelude exports them. Expansions name everything by absolute
//! paths that begin with `::oplink`; each macro takes another path with the key `crate = path`, which is a crate's name
//! or an absolute path.

use oplink_macros_expand::Build;
use proc_macro::TokenStream;

/// Declares an op: `#[op("Name", key = value, …)]` on a unit struct, or on the op's shape function.
///
/// ```ignore
/// /// Concatenates tensors along one dimension.
/// #[op("Concat",
///      input = "concat_dim: int32",
///      input = "values: N * T",
///      output = "output: T",
///      attr = "N: int >= 2",
///      attr = "T: type")]
/// pub fn concat(c: &mut ShapeContext) -> Result<()> { /* … */ }
///
/// #[op("Relu", input = "features: T", output = "activations: T", attr = "T: realnumbertype",
///      shape = shape_fns::unchanged)]
/// pub struct Relu;
/// ```
///
/// # Keys
///
/// | Key | Meaning |
/// |---|---|
/// | `"Name"` | the op's name; first |
/// | `input = "x: T"` | an input, in the op language; any number, in order |
/// | `output = "y: T"` | an output; any number, in order |
/// | `attr = "T: type"` | an attr; any number, in order |
/// | `shape = path` | the shape function, `fn(&mut ShapeContext) -> Result<()>`; without one, output shapes are unknown until kernels return them |
/// | `stateful`, `commutative`, `aggregate`, `allows_uninitialized_input`, `distributed_communication` | flags |
/// | `no_gradient` | nothing is differentiated through the op: its outputs do not depend on its inputs differentiably |
/// | `deprecated(since = 8, note = "…")` | the GraphDef version from which the op is deprecated, and what to use instead |
/// | `unused_attr = "T"` | keeps a type attr that no input or output uses; such an attr is a mistake otherwise, unless it has a default or the op passes resources, variants or references |
/// | `enums(padding = Padding)` | the enum, made by `attr_enum!`, of a string attr with a closed list of values; without it the op has one of its own |
/// | `crate = path` | the path of the crate `oplink` |
///
/// # What it makes
///
/// In the same module, with the item's visibility:
/// - the op's type: the struct, or one named after the op; it implements `Op`, and its documentation is the item's plus
///   tables of inputs, outputs and attrs;
/// - a function that adds a node to a graph, named as the shape function or in snake case after the op:
///   `concat(&mut scope, concat_dim, values)?`. After the inputs it takes the attrs that have no default and that the
///   inputs do not tell. It returns the output, a tuple of several, a `Vec` for a sequence, the node's number if there
///   is none. Inputs are outputs of nodes, or tensors and numbers, which become constants. An item of the same name in
///   the module hides it;
/// - `Concat::call(0, [&a, &b])?`, which runs the op at once;
/// - `Concat::builder(required attrs…)`, with a method for each attr that has a default and for the node's `name`, then
///   `.build(&mut scope, inputs…)` or `.call(inputs…)`;
/// - `ConcatInputs`, `ConcatAttrs` and `ConcatOutputs`, with a public field for each argument in snake case, which
///   kernels take; and an enum for each string attr with a closed list of values, named after op and attr
///   (`Conv2DPadding::Same`);
/// - a macro of the type's name, through which `#[kernel]` learns of the op wherever the type can be named.
///
/// A second declaration of an op in a crate is an error: `__oplink_op_Concat` is defined multiple times.
#[proc_macro_attribute]
pub fn op(attribute: TokenStream, item: TokenStream) -> TokenStream {
    oplink_macros_expand::op(&Build::current(), attribute.into(), item.into()).into()
}

/// Declares a kernel: `#[kernel(path::to::Op, key = value, …)]` on a function, or on `impl Kernel for …`.
///
/// ```ignore
/// #[kernel(Concat, device = CPU, T = [f32, i32])]
/// fn concat_cpu<T: Element>(concat_dim: i32, values: Inputs<'_, T>, output: ArrayViewMutD<'_, T>) -> Result<()> { /* … */ }
///
/// #[kernel(Relu, device = CPU, T = [reals], forward(features => activations))]
/// fn relu_cpu<T: Real>(activations: InOut<'_, T>) { /* … */ }
///
/// #[kernel(Conv2D, device = CPU, T = [f32])]
/// impl Kernel for PackedConv2d { type Op = Conv2D; /* new(construction), compute(inputs, outputs, env) */ }
/// ```
///
/// # Keys
///
/// | Key | Meaning |
/// |---|---|
/// | `path::to::Op` | the op's type; first. `dynamic = "Name"` in its place names an op that is known only at run time: nothing is checked, and the kernel takes `&mut KernelContext` alone or is an `impl RawKernel` |
/// | `device = CPU` | the device type; required. `[CPU, GPU]` declares the kernel for each |
/// | `T = [f32, i32]` | the types served of the type attr `T`; several lists give every combination. `floats`, `integers`, `complex`, `reals` and `numbers` stand for those of their types that the op allows |
/// | `T = any` | the kernel takes every dtype of `T`, as `&Tensor` or through the context |
/// | `host_memory = [x, y]`, `host_memory(x, y)` | inputs and outputs that are in host memory on every device |
/// | `priority = 1` | the higher one of several kernels that fit is taken; 0 by default |
/// | `label = "name"` | the kernel serves only nodes whose attr `_kernel` is this |
/// | `forward(x => y)` | the output `y` may take the memory of the input `x`; several pairs are separated by commas |
/// | `scalar` | the function takes and returns single values: one element of each input, one of the output |
/// | `block = 256`, `launch = f`, `cuda = "…"`, `wgsl = "…"` | functions over a grid of GPU threads: threads of a block, what sizes the launch, texts in place of the translation |
/// | `uses = [f]` | functions with `#[device_fn]` that a body for GPUs needs, where a call does not name them as they are imported |
/// | `async` | the function takes an `AsyncKernelContext` and finishes it later |
/// | `crate = path` | the path of the crate `oplink` |
///
/// # Functions
///
/// Parameters are bound by name; inputs and attrs that the function does not need are left out. Names of attrs in
/// capitals may be written in snake case (`N` as `n`). A generic parameter stands for the type attr of its name.
///
/// | Bound to | Taken as |
/// |---|---|
/// | input | `&Tensor`; `ndarray` views of fixed or dynamic rank; a scalar as a value of its element type, a string as `&str` |
/// | input of `N * T` | `Inputs<'_, T>`, `&[Tensor]` |
/// | input of a list(type) | `&[Tensor]` |
/// | attr | `i64`, `f32`, `bool`, `&str`, `&[u8]`, `DType`, `&PartialShape`, `&Tensor`, `&FuncAttr`, slices for lists |
/// | output | `ArrayViewMut…`, `&mut Tensor`, `&mut [Tensor]` for sequences: allocated from the shape function |
/// | forwarded output | `InOut<'_, T>`: the input's memory, or input and output apart |
/// | input that may be moved | `Input<'_>`, `InputList<'_>` |
/// | input of dtype resource, or by reference | `Arc<Variable>` and other resources, `&ResourceHandle` |
/// | attr with a closed list of strings | an enum with these values |
/// | output of a shape that the kernel knows | `OutputSlot<'_>`, `OutputList<'_>` |
/// | all inputs, attrs, outputs | `ConcatInputs<'_>`, `ConcatAttrs<'_>`, `&mut ConcatOutputs<'_>`, under any name |
/// | node, memory, threads, step | `Env<'_>` |
/// | an argument that only some ops of the item have | `Option` of the above |
/// | the raw run | `&mut KernelContext`, or `&KernelContext` beside other parameters |
///
/// Outputs that no parameter writes are returned, in the op's order: as `Tensor`, an owned array, a value for a scalar,
/// `Vec<Tensor>` for a sequence, a type that implements `params::OutputValue`; several as a tuple; all of it in a
/// `Result` or not. With `&mut KernelContext` the function may set them in the context instead. Inputs bound beside
/// `&mut KernelContext` are held by the kernel, so the context cannot forward them.
///
/// Several `#[kernel]`s may stand on one item. The item itself stays as it is and can be called.
///
/// A second kernel in a crate for the same op, device, label, priority and dtypes is an error:
/// `kernel_of_Relu_on_CPU_for_T_float` is defined multiple times.
///
/// # Selection
///
/// The environment variable `OPLINK_SELECTION` may name, by an absolute path, a file that says which ops and dtypes the
/// build needs; kernels of others get no code, only an entry that lets errors say so.
///
/// ```toml
/// version = 1
///
/// [ops]
/// Concat = "all"
/// Relu = ["T=float", "T=int32"]
/// Cast = ["SrcT=uint8 DstT=float"]
/// ```
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    oplink_macros_expand::kernel(attribute.into(), item.into()).into()
}

/// Declares the gradient of an op: `#[gradient(path::to::Op)]` on a function that adds its nodes to a graph.
///
/// ```ignore
/// #[gradient(Relu)]
/// fn gradient_of_relu(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
///     Ok(vec![Some(relu_grad(scope, dy[0], op.input(0))?)])
/// }
/// ```
///
/// The function gets the node (`op`), and for each output of the node the gradient of the sum of what is
/// differentiated; an output that nothing depends on has zeros. It returns one gradient for each input, `None` for an
/// input that the outputs do not depend on differentiably. The op is named by its type; `crate = path` may follow.
///
/// Ops whose outputs are not differentiable say `no_gradient` in their `#[op]`. A second gradient of an op in a crate
/// is an error: `gradient_of_Relu` is defined multiple times; in several crates sealing the registry is.
#[proc_macro_attribute]
pub fn gradient(attribute: TokenStream, item: TokenStream) -> TokenStream {
    oplink_macros_expand::gradient(attribute.into(), item.into()).into()
}

/// Declares a program for GPUs that kernels launch: `#[program(block = 256, …)]` on a function over a grid of threads.
///
/// ```ignore
/// #[program(block = 256, T = [f32, f16])]
/// fn transpose<T: Copy>(x: &[T], y: &mut [T], rows: u32, columns: u32) { /* thread_index().x, … */ }
///
/// transpose { x: &x, y: &y, rows, columns }.launch(c.device()?, DType::Float, transpose::blocks(count))?;
/// ```
///
/// The function is translated as a kernel's body is. Beside it, a struct of its name has the arguments as fields:
/// tensors of the device in the place of slices, and values as they are: numbers, fixed arrays of them, and structs
/// with `#[device_struct]`. Its functions are:
///
/// | Item | Is |
/// |---|---|
/// | `launch(&self, device, dtype, grid)` | enqueues the program with these arguments. `dtype` is the generic parameter's; with several they are an array, with none it is left out |
/// | `blocks(threads)` | blocks of the program's size enough for this many threads, at most 65535 |
/// | `program(dtype)` | the program's texts |
/// | `THREADS` | threads of a block |
/// | `FUNCTION` | the programs of all types |
///
/// # Keys
///
/// | Key | Meaning |
/// |---|---|
/// | `block = 256`, `[16, 16]` | threads of a block; required |
/// | `T = [f32, i32]` | the types of the generic parameter `T` |
/// | `uses = [f]` | functions with `#[device_fn]`, where a call does not name them as they are imported |
/// | `cuda = "…"`, `wgsl = "…"` | texts in place of the translation |
/// | `crate = path` | the path of the crate `oplink` |
#[proc_macro_attribute]
pub fn program(attribute: TokenStream, item: TokenStream) -> TokenStream {
    oplink_macros_expand::program(attribute.into(), item.into()).into()
}

/// Declares a function that bodies for GPUs in the same crate may call, wherever it is in scope under its own name.
///
/// ```ignore
/// #[device_fn]
/// fn hash(x: u32) -> u32 { (x ^ (x >> 16)).wrapping_mul(0x45d9_f3b3) }
///
/// #[program(block = 256)]
/// fn fill(y: &mut [u32]) { /* hash(i as u32) */ }
/// ```
///
/// It may be generic, take arrays as `&[T]` and `&mut [T]` and structs by value or reference, call other such
/// functions, and return tuples, arrays and structs. Its text is put in the place of each call.
#[proc_macro_attribute]
pub fn device_fn(attribute: TokenStream, item: TokenStream) -> TokenStream {
    oplink_macros_expand::device_fn(attribute.into(), item.into()).into()
}

/// Declares a struct of numbers that programs take as one argument: `#[device_struct]` on a struct that is `Copy`.
///
/// ```ignore
/// #[device_struct]
/// #[derive(Clone, Copy)]
/// struct Window { size: [u32; 3], stride: [u32; 3] }
///
/// #[program(block = 256, T = [f32])]
/// fn pool<T: Float>(x: &[T], y: &mut [T], window: Window) { /* window.stride[1] */ }
/// ```
///
/// Fields are `bool`, `i32`, `u32`, `i64`, `u64`, `f32`, `f64`, arrays of these, and other such structs. A launch
/// passes each number by itself, so the struct's layout in memory is nobody's concern. Bodies for GPUs and functions
/// with `#[device_fn]` find it wherever it is in scope under its own name; there they may also make values of it.
#[proc_macro_attribute]
pub fn device_struct(attribute: TokenStream, item: TokenStream) -> TokenStream {
    oplink_macros_expand::device_struct(attribute.into(), item.into()).into()
}

/// Leaves the macro that gives the text of a device function or struct.
#[doc(hidden)]
#[proc_macro]
pub fn __device_item(tokens: TokenStream) -> TokenStream {
    oplink_macros_expand::device_item(tokens.into()).into()
}

/// The second step of `#[program]`: after the functions that it uses gave their texts.
#[doc(hidden)]
#[proc_macro]
pub fn __program(tokens: TokenStream) -> TokenStream {
    oplink_macros_expand::program_of(tokens.into()).into()
}

/// Gathers the texts of functions with `#[device_fn]`.
#[doc(hidden)]
#[proc_macro]
pub fn __uses(tokens: TokenStream) -> TokenStream {
    oplink_macros_expand::uses_of(tokens.into()).into()
}

/// The second step of `#[kernel]`: called by the op's macro.
#[doc(hidden)]
#[proc_macro]
pub fn __kernel(tokens: TokenStream) -> TokenStream {
    oplink_macros_expand::kernel_of_op(&Build::current(), tokens.into()).into()
}

/// Lists ops, kernels and gradients, for binaries in which the linker cannot gather them and for plugins.
///
/// ```ignore
/// library! { pub MY_OPS; ops::{Concat, nn::Relu}, kernels::{concat_cpu, nn::{relu_cpu, Conv2dCpu}}, gradients::gradient_of_relu }
/// ```
///
/// makes `pub static MY_OPS: Library`. `ops` are types that `#[op]` stands on or makes, `kernels` functions with
/// `#[kernel]`, or types whose `impl Kernel` has it, without their generics, `gradients` functions with
/// `#[gradient]`. Each section may be left out;
/// `crate = path` may be added.
#[proc_macro]
pub fn library(tokens: TokenStream) -> TokenStream {
    oplink_macros_expand::library(tokens.into()).into()
}

/// Makes a struct a module of `oplink::nn`. Its fields are its parts, each a module: variables, layers, lists of such,
/// numbers and texts.
///
/// ```ignore
/// #[derive(Module)]
/// struct Classifier {
///     body: Sequential,
///     head: Dense,
///     #[module(skip)]
///     labels: Labels,
/// }
/// ```
///
/// `#[module(skip)]` leaves a field out; `#[module(crate = path)]` on the struct is the path of the crate `oplink`.
#[proc_macro_derive(Module, attributes(module))]
pub fn module(item: TokenStream) -> TokenStream {
    oplink_macros_expand::module(item.into()).into()
}

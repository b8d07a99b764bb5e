//! What authors of plugins build on: annotated ops and kernels, in a library that oplink and TensorFlow load.
//!
//! ```toml
//! [lib]
//! crate-type = ["cdylib"]
//!
//! [dependencies]
//! oplink = { package = "oplink-plugin", version = "0.1" }
//! ```
//!
//! ```
//! # extern crate oplink_plugin as oplink;
//! use oplink::prelude::*;
//!
//! /// `y = x * scale`.
//! #[op("DocScale", input = "x: T", output = "y: T", attr = "scale: float = 1.0", attr = "T: {float, double}",
//!      shape = shape_fns::unchanged)]
//! pub struct DocScale;
//!
//! #[kernel(DocScale, device = CPU, T = [f32, f64], forward(x => y))]
//! fn doc_scale<T: Float>(y: InOut<'_, T>, scale: f32) {
//!     let scale = T::from_f32(scale);
//!     y.map(|x| x * scale);
//! }
//!
//! library! { pub DOC_OPS; ops::DocScale, kernels::doc_scale }
//! plugin! { DOC_OPS }
//! # fn main() {}
//! ```
//!
//! The macros name everything below `::oplink`. So the crate is renamed as above; or stands under its own name beside
//! `extern crate oplink_plugin as oplink;` at the author's crate root; or each macro gets `crate = oplink_plugin`.
//!
//! [`plugin!`] is all that a plugin has beyond what the same source has in a program. It exports `TF_InitKernel` and
//! registers when the library is loaded, whichever comes first, once. The host is reached through its C functions only;
//! they are looked up when the plugin registers, so that the library loads anywhere and says by name what its host
//! lacks. Where they are not there when the library is loaded, or stand in the same program as the ops, nothing
//! happens: then the source is built into a program, which collects it as any other crate.
//!
//! The hosts are TensorFlow and oplink. By features of this crate the same library serves PyTorch (`host-torch`), JAX
//! (`host-jax`) and ONNX Runtime (`host-onnxruntime`) too.
//!
//! # What is different in a plugin
//!
//! - On the CPU, inputs are read in the host's memory, and outputs are written there when they are allocated through
//!   the context, as `…Mut` parameters and forwarded ones are. Returned outputs are copied once.
//! - `parallel_for` runs on the calling thread. Hosts run independent nodes beside each other.
//! - There are no steps: kernels that use variables and other resources, or call functions, get an error that says so.
//!   Kernels of ops with inputs or outputs of dtype `resource` or `variant`, or `Ref(…)`, are refused when constructed.
//! - Asynchronous kernels are waited for.
//! - Shape functions receive only attrs of kind `type`, and no values of inputs. Where they ask for other attrs the
//!   output shapes are unknown; what they would refuse is refused when the kernel is constructed, with all attrs and
//!   unknown input shapes. See [`ShapeContext::attr_if_known`].
//! - Tensors of kernels for a device that has streams are in the device's memory, but for those that `host_memory`
//!   names; see [`device`], which is also what a plugin with a device of its own is made with.
//! - A panic becomes an error of the host, where the plugin's profile has `panic = "unwind"`.
#![warn(clippy::missing_errors_doc)]
#![deny(unsafe_code)]

mod compute;
mod construction;
pub mod device;
mod entries;
mod entry;
mod env;
mod gradient;
mod guard;
mod host;
mod host_device;
mod info;
mod kernel_attrs;
mod lookup;
mod node_def;
mod num_tensors;
mod register;
mod shape_fn;
mod status;
mod tf_tensor;
mod trampolines;
mod wire_fields;

pub use oplink_api::*;

pub use entry::Plugin;
pub use host::{OPTIONAL_FUNCTIONS, REQUIRED_FUNCTIONS};

/// What [`plugin!`] expands to.
#[doc(hidden)]
pub mod __plugin {
    pub use oplink_abi::{OPLINK_PluginGradients, OPLINK_PluginInfo, SE_PlatformRegistrationParams, TF_Status};

    pub use crate::entry::{gradients, info, init, on_load};
    pub use crate::trampolines::Trampolines;
    #[cfg(feature = "hosted")]
    pub use oplink_hosts_common::{HostedPlugin, query};

    #[cfg(feature = "host-jax")]
    pub use oplink_host_jax as jax;
    #[cfg(feature = "host-onnxruntime")]
    pub use oplink_host_onnxruntime as onnxruntime;
    #[cfg(feature = "host-torch")]
    pub use oplink_host_torch as torch;
}

/// What a plugin's source needs.
pub mod prelude {
    pub use oplink_api::prelude::*;

    pub use crate::plugin;
}

/// Makes the crate a plugin that registers these libraries: `plugin! { MY_OPS }`, each a list made by
/// [`library!`](crate::library). Once in a crate.
///
/// Kernels for ops that the host has, and the libraries therefore do not list, need the declarations of these ops:
/// `plugin! { MY_KERNELS; host_ops: MatMul, nn::Relu }`.
///
/// Kernels that are made when the plugin registers, such as those of another crate on the plugin's device, come from a
/// function without parameters that gives a [`Library`](descriptors::Library):
/// `plugin! { MY_KERNELS; host_ops: MatMul; adapted: of_cpu::kernels }`. Its ops are the host's.
///
/// It exports `TF_InitKernel`, which registers the libraries with the host, and `oplink_plugin_info` and
/// `oplink_plugin_gradients`, which tell what the C ABI has no words for; and it registers when the library is loaded.
///
/// With the features `host-torch`, `host-jax` and `host-onnxruntime` it exports the entries of PyTorch, JAX and ONNX
/// Runtime too; without `host-tensorflow` it leaves out those of TensorFlow and oplink.
///
/// For hosts that are no TensorFlow each gradient becomes an op of its own, `<Op>Grad`. Where a gradient adds nodes of
/// ops that are not the plugin's, a library of these ops and their kernels, such as those of `oplink-ops` and
/// `oplink-kernels-elementwise`, is named behind `gradient_ops:`; no host sees them:
/// `plugin! { MY_OPS; gradient_ops: FOR_GRADIENTS }`.
///
/// The libraries' gradients go with the plugin, for hosts that ask for them. Each is of an op that the libraries list
/// or that stands behind `host_ops:`; another one is a compile error.
#[macro_export]
macro_rules! plugin {
    (
        $($library:path),+ $(,)?
        $(; host_ops: $($op:path),+ $(,)?)?
        $(; adapted: $adapted:path)?
        $(; gradient_ops: $($linked:path),+ $(,)?)?
    ) => {
        #[doc(hidden)]
        #[macro_export]
        #[allow(non_local_definitions)]
        macro_rules! plugin_stands_once_in_a_crate {
            () => {};
        }

        const _: () = {
            static LIBRARIES: &[&$crate::descriptors::Library] = &[$(&$library),+];
            #[allow(dead_code)]
            static PLUGIN: $crate::Plugin = $crate::Plugin::new(
                ::core::env!("CARGO_PKG_NAME"),
                ::core::env!("CARGO_PKG_VERSION"),
                LIBRARIES,
                &[$($(<$op as $crate::Op>::DESCRIPTOR),+)?],
                $crate::__plugin::Trampolines::of(LIBRARIES),
            )$(.with_adapted($adapted))?;

            $crate::__tensorflow_entries!(PLUGIN);
            $crate::__hosted_entries!(HOSTED, LIBRARIES, &[$($(&$linked),+)?]);
            $crate::__torch_entries!(HOSTED, LIBRARIES);
            $crate::__jax_entries!(HOSTED, LIBRARIES);
            $crate::__onnxruntime_entries!(HOSTED);
        };
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "plugin! takes the libraries that library! makes: write `plugin! { MY_OPS }`, `plugin! { MY_OPS; host_ops: \
             MatMul }` or `plugin! { MY_OPS; host_ops: MatMul; adapted: function }`"
        );
    };
}

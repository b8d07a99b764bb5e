//! What `plugin!` exports for each host, by the features of this crate: an entry that is off expands to nothing.

/// The entries of TensorFlow and oplink.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "host-tensorflow")]
macro_rules! __tensorflow_entries {
    ($plugin:ident) => {
        #[unsafe(no_mangle)]
        extern "C" fn TF_InitKernel() {
            $crate::__plugin::init(&$plugin);
        }

        #[unsafe(no_mangle)]
        extern "C" fn oplink_plugin_info() -> *const $crate::__plugin::OPLINK_PluginInfo {
            $crate::__plugin::info(&$plugin)
        }

        #[unsafe(no_mangle)]
        extern "C" fn oplink_plugin_gradients() -> *const $crate::__plugin::OPLINK_PluginGradients {
            $crate::__plugin::gradients(&$plugin)
        }

        $crate::__on_load!(on_load => $crate::__plugin::on_load(&$plugin));
    };
}

/// Runs an expression when the library is loaded.
#[doc(hidden)]
#[macro_export]
macro_rules! __on_load {
    ($name:ident => $body:expr) => {
        const _: () = {
            extern "C" fn $name() {
                $body;
            }

            #[used]
            #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
            #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
            static ON_LOAD: extern "C" fn() = $name;
        };
    };
}

/// What all hosts share that are no TensorFlow: the ops, and answers to what bindings in Python ask.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "hosted")]
macro_rules! __hosted_entries {
    ($hosted:ident, $libraries:ident, $gradient_ops:expr) => {
        static $hosted: $crate::__plugin::HostedPlugin = $crate::__plugin::HostedPlugin::new(
            ::core::env!("CARGO_PKG_NAME"),
            ::core::env!("CARGO_PKG_VERSION"),
            $libraries,
        )
        .with_gradient_ops($gradient_ops);

        #[unsafe(no_mangle)]
        unsafe extern "C" fn oplink_hosts_query(request: *const ::core::ffi::c_char) -> *mut ::core::ffi::c_char {
            // SAFETY: the caller passes a terminated text.
            unsafe { $crate::__plugin::query::answer_c(&$hosted, request) }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn oplink_hosts_free(answer: *mut ::core::ffi::c_char) {
            // SAFETY: the caller passes an answer, once.
            unsafe { $crate::__plugin::query::free(answer) }
        }
    };
}

/// The entries of PyTorch.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "host-torch")]
macro_rules! __torch_entries {
    ($hosted:ident, $libraries:ident) => {
        static TORCH: $crate::__plugin::torch::TorchPlugin =
            $crate::__plugin::torch::TorchPlugin::new(&$hosted, $libraries);

        #[unsafe(no_mangle)]
        extern "C" fn oplink_torch_register() -> *const ::core::ffi::c_char {
            $crate::__plugin::torch::register(&TORCH)
        }

        #[unsafe(no_mangle)]
        extern "C" fn oplink_torch_schema(position: usize) -> *mut ::core::ffi::c_char {
            $crate::__plugin::torch::schema_text(&TORCH, position)
        }

        $crate::__on_load!(on_load_torch => $crate::__plugin::torch::on_load(&TORCH));
    };
}

/// The entries of JAX.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "host-jax")]
macro_rules! __jax_entries {
    ($hosted:ident, $libraries:ident) => {
        static JAX: $crate::__plugin::jax::JaxPlugin = $crate::__plugin::jax::JaxPlugin::new(&$hosted, $libraries);

        #[unsafe(no_mangle)]
        extern "C" fn oplink_jax_handler(position: usize) -> ::core::option::Option<$crate::__plugin::jax::Handler> {
            $crate::__plugin::jax::handler(&JAX, position)
        }

        $crate::__jax_cuda_entries!();
    };
}

/// The handlers of JAX for GPUs.
#[doc(hidden)]
#[macro_export]
#[cfg(all(feature = "host-jax", feature = "hosts-gpu"))]
macro_rules! __jax_cuda_entries {
    () => {
        #[unsafe(no_mangle)]
        extern "C" fn oplink_jax_cuda_handler(
            position: usize,
        ) -> ::core::option::Option<$crate::__plugin::jax::Handler> {
            $crate::__plugin::jax::cuda_handler(&JAX, position)
        }
    };
}

#[doc(hidden)]
#[macro_export]
#[cfg(all(feature = "host-jax", not(feature = "hosts-gpu")))]
macro_rules! __jax_cuda_entries {
    () => {};
}

/// The entries of ONNX Runtime.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "host-onnxruntime")]
macro_rules! __onnxruntime_entries {
    ($hosted:ident) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn RegisterCustomOps(
            options: *mut $crate::__plugin::onnxruntime::OrtSessionOptions,
            base: *const $crate::__plugin::onnxruntime::OrtApiBase,
        ) -> *mut $crate::__plugin::onnxruntime::OrtStatus {
            // SAFETY: ONNX Runtime passes the options of a session and its table of functions.
            unsafe { $crate::__plugin::onnxruntime::register(&$hosted, options, base) }
        }
    };
}

#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "host-tensorflow"))]
macro_rules! __tensorflow_entries {
    ($($tokens:tt)*) => {};
}

#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "hosted"))]
macro_rules! __hosted_entries {
    ($($tokens:tt)*) => {};
}

#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "host-torch"))]
macro_rules! __torch_entries {
    ($($tokens:tt)*) => {};
}

#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "host-jax"))]
macro_rules! __jax_entries {
    ($($tokens:tt)*) => {};
}

#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "host-onnxruntime"))]
macro_rules! __onnxruntime_entries {
    ($($tokens:tt)*) => {};
}

//! The frameworks that a wheel has modules for.

/// A framework, or NumPy with oplink itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// TensorFlow.
    TensorFlow,
    /// PyTorch.
    PyTorch,
    /// JAX.
    Jax,
    /// ONNX Runtime.
    OnnxRuntime,
    /// NumPy arrays, by the Python package `oplink`.
    NumPy,
}

/// What is said of a host in texts.
pub(crate) struct HostTexts {
    /// As `--hosts` and extras name it.
    pub(crate) name: &'static str,
    /// As people name it.
    pub(crate) title: &'static str,
    /// The module of the wheel.
    pub(crate) module: &'static str,
    /// The module of `oplink_hosts` under it.
    pub(crate) adapter: &'static str,
    /// The feature of `oplink-plugin` that makes the library's entry.
    pub(crate) feature: &'static str,
    /// A function that the entry exports.
    pub(crate) entry: &'static str,
    /// What pip installs for the module.
    pub(crate) requirements: &'static [&'static str],
    /// Imports for annotations.
    pub(crate) imports: &'static str,
    /// The annotation of an input.
    pub(crate) input: &'static str,
    /// The annotation of an output.
    pub(crate) output: &'static str,
    /// The annotation of what an op without outputs gives.
    pub(crate) nothing: &'static str,
    /// The annotation of an attr of kind `type`.
    pub(crate) dtype: &'static str,
    /// What the module's documentation says beside that its functions are the ops.
    pub(crate) about: &'static str,
}

const TENSORFLOW: HostTexts = HostTexts {
    name: "tensorflow",
    title: "TensorFlow",
    module: "tf",
    adapter: "tensorflow",
    feature: "host-tensorflow",
    entry: "TF_InitKernel",
    requirements: &["tensorflow>=2.21"],
    imports: "import tensorflow as tf\n",
    input: "tf.types.experimental.TensorLike",
    output: "tf.Tensor",
    nothing: "tf.Operation | None",
    dtype: "tf.DType | str",
    about: "They work in eager calls, in `tf.function` and in SavedModels, with the gradients that the crate declares. \
            `OPS` is what `tf.load_op_library` gives.",
};

const PYTORCH: HostTexts = HostTexts {
    name: "torch",
    title: "PyTorch",
    module: "torch",
    adapter: "torch",
    feature: "host-torch",
    entry: "oplink_torch_register",
    requirements: &["torch>=2.10"],
    imports: "import torch\n",
    input: "torch.Tensor",
    output: "torch.Tensor",
    nothing: "None",
    dtype: "torch.dtype",
    about: "They work in `torch.compile` and `torch.export`, with the gradients that the crate declares. `OPS` is the \
            name space of `torch.ops` with the registered ops.",
};

const JAX: HostTexts = HostTexts {
    name: "jax",
    title: "JAX",
    module: "jax",
    adapter: "jax",
    feature: "host-jax",
    entry: "oplink_jax_handler",
    requirements: &["jax>=0.6"],
    imports: "import jax\nfrom jax.typing import ArrayLike, DTypeLike\n",
    input: "ArrayLike",
    output: "jax.Array",
    nothing: "tuple[()]",
    dtype: "DTypeLike",
    about: "They work in `jit`, `vmap` and reverse-mode derivatives, with the gradients that the crate declares.",
};

const ONNX_RUNTIME: HostTexts = HostTexts {
    name: "onnxruntime",
    title: "ONNX Runtime",
    module: "onnx",
    adapter: "onnxruntime",
    feature: "host-onnxruntime",
    entry: "RegisterCustomOps",
    requirements: &["onnxruntime>=1.17"],
    imports: "import numpy as np\nfrom numpy.typing import ArrayLike\n",
    input: "ArrayLike",
    output: "np.ndarray",
    nothing: "tuple[()]",
    dtype: "str",
    about: "Each call runs a model of one node on NumPy arrays. Models with the ops run in sessions whose options come \
            from `OPS.session_options()`; `OPS.node(…)` makes their nodes, which takes the package `onnx`.",
};

const NUMPY: HostTexts = HostTexts {
    name: "numpy",
    title: "NumPy",
    module: "numpy",
    adapter: "numpy",
    feature: "host-tensorflow",
    entry: "TF_InitKernel",
    requirements: &["oplink"],
    imports: "import numpy as np\nfrom numpy.typing import ArrayLike\n",
    input: "ArrayLike",
    output: "np.ndarray",
    nothing: "None",
    dtype: "str",
    about: "They are run by the package `oplink`, without a framework. A process that uses this module does not import \
            TensorFlow.",
};

impl Host {
    /// Every host, in the order of lists.
    pub const ALL: [Host; 5] = [Host::TensorFlow, Host::PyTorch, Host::Jax, Host::OnnxRuntime, Host::NumPy];

    pub(crate) const fn texts(self) -> &'static HostTexts {
        match self {
            Host::TensorFlow => &TENSORFLOW,
            Host::PyTorch => &PYTORCH,
            Host::Jax => &JAX,
            Host::OnnxRuntime => &ONNX_RUNTIME,
            Host::NumPy => &NUMPY,
        }
    }

    /// The name in `--hosts`.
    pub const fn name(self) -> &'static str {
        self.texts().name
    }

    /// The host of a name.
    ///
    /// # Errors
    /// There is none; the error lists those that there are.
    pub fn parse(name: &str) -> crate::Result<Host> {
        let found = Host::ALL.into_iter().find(|host| host.name() == name);
        found.ok_or_else(|| format!("`{name}` is no host; there are {}", Host::ALL.map(Host::name).join(", ")))
    }

    /// The function that a library exports for the host.
    pub const fn entry(self) -> &'static str {
        self.texts().entry
    }

    /// The error of a library that has no entry for the host.
    pub fn missing(self) -> String {
        let HostTexts { name, title, feature, .. } = self.texts();
        format!(
            "the library has no entry for {title}: add the feature `{feature}` to the dependency on oplink-plugin in \
             Cargo.toml, or leave `{name}` out of --hosts"
        )
    }
}

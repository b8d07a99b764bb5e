//! What tests need of a machine beyond Rust.

use std::env::var_os;
use std::path::{Path, PathBuf};

/// Something that a test needs and a machine may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// A Vulkan driver.
    Vulkan,
    /// NVIDIA's driver, or what stands in for it.
    Cuda,
    /// One of the two.
    Gpu,
    /// The Python environment with TensorFlow that `OPLINK_TENSORFLOW_VENV` names.
    Tensorflow,
    /// The Python environment with the package `oplink` that `OPLINK_PYTHON_VENV` names.
    Python,
    /// The Python environment with Ray and the package `oplink` that `OPLINK_RAY_VENV` names.
    Ray,
    /// The Python environment with PyTorch that `OPLINK_TORCH_VENV` names.
    Torch,
    /// The folder `OPLINK_MODELS`, with models that the repository does not hold.
    Models,
    /// `OPLINK_SLOW`: minutes for builds of other programs.
    Slow,
    /// `OPLINK_LONG`: a further quarter of an hour of such builds, which the gate leaves to its long form.
    Long,
    /// `OPLINK_SPEED` and an optimised build: figures that hold on a machine with nothing else to do.
    Speed,
}

impl Requirement {
    /// All requirements.
    pub const ALL: [Self; 11] = [
        Self::Vulkan,
        Self::Cuda,
        Self::Gpu,
        Self::Tensorflow,
        Self::Python,
        Self::Ray,
        Self::Torch,
        Self::Models,
        Self::Slow,
        Self::Long,
        Self::Speed,
    ];

    /// The name in `OPLINK_REQUIRE`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vulkan => "vulkan",
            Self::Cuda => "cuda",
            Self::Gpu => "gpu",
            Self::Tensorflow => "tensorflow",
            Self::Python => "python",
            Self::Ray => "ray",
            Self::Torch => "torch",
            Self::Models => "models",
            Self::Slow => "slow",
            Self::Long => "long",
            Self::Speed => "speed",
        }
    }

    /// What is missing, and what to do about it; `None` where the machine has it.
    pub fn missing(self) -> Option<&'static str> {
        let (has, reason) = match self {
            Self::Vulkan => (
                has_vulkan(),
                "needs a Vulkan driver; one in software serves: apt-get install mesa-vulkan-drivers libvulkan1",
            ),
            Self::Cuda => {
                (has_cuda(), "needs a GPU of CUDA, or what stands in for one: tests/gpu/emulate runs it with that")
            }
            Self::Gpu => (
                has_vulkan() || has_cuda(),
                "needs a GPU; a Vulkan driver in software serves: apt-get install mesa-vulkan-drivers libvulkan1",
            ),
            Self::Tensorflow => (
                has_python("OPLINK_TENSORFLOW_VENV"),
                "needs TensorFlow: set OPLINK_TENSORFLOW_VENV to a Python environment with tensorflow-cpu==2.21.0",
            ),
            Self::Python => (
                has_python("OPLINK_PYTHON_VENV"),
                "needs the Python package: set OPLINK_PYTHON_VENV to an environment with it; python/check makes target/python/empty",
            ),
            Self::Ray => (
                has_python("OPLINK_RAY_VENV"),
                "needs Ray: set OPLINK_RAY_VENV to an environment with it and oplink; python/cluster_check makes target/python/ray",
            ),
            Self::Torch => (
                has_python("OPLINK_TORCH_VENV"),
                "needs PyTorch: set OPLINK_TORCH_VENV to an environment with it; tests/hosts/run makes target/hosts/torch",
            ),
            Self::Models => (
                folder("OPLINK_MODELS").is_some_and(|models| models.is_dir()),
                "needs large models: set OPLINK_MODELS to the folder that `.ci/models FOLDER` fills",
            ),
            Self::Slow => (var_os("OPLINK_SLOW").is_some(), "builds other programs for minutes: set OPLINK_SLOW=1"),
            Self::Long => (
                var_os("OPLINK_LONG").is_some(),
                "builds other programs for many minutes: set OPLINK_LONG=1, or run `.ci/run long`",
            ),
            Self::Speed => (
                var_os("OPLINK_SPEED").is_some() && !cfg!(debug_assertions),
                "measures: set OPLINK_SPEED=1 and test with --release on a quiet machine",
            ),
        };
        (!has).then_some(reason)
    }

    /// Whether `OPLINK_REQUIRE` names it: a list with commas, or `all`.
    pub fn is_demanded(self) -> bool {
        let demanded = std::env::var("OPLINK_REQUIRE").unwrap_or_default();
        demanded.split(',').map(str::trim).any(|name| name == "all" || name == self.name())
    }
}

/// What `OPLINK_REQUIRE` names that is no requirement.
pub(crate) fn unknown_demand() -> Option<String> {
    let demanded = std::env::var("OPLINK_REQUIRE").unwrap_or_default();
    let names = || Requirement::ALL.map(Requirement::name);
    let mut parts = demanded.split(',').map(str::trim).filter(|name| !name.is_empty());
    let unknown = parts.find(|name| *name != "all" && !names().contains(name))?;
    Some(format!("OPLINK_REQUIRE names `{unknown}`, which is none of {}, all", names().join(", ")))
}

fn has_python(variable: &str) -> bool {
    folder(variable).is_some_and(|venv| venv.join("bin/python").exists())
}

fn folder(variable: &str) -> Option<PathBuf> {
    var_os(variable).map(PathBuf::from)
}

/// A loader and a driver's manifest. Whether the driver finds a GPU is for the tests to see.
fn has_vulkan() -> bool {
    let folders = ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
    let named = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].into_iter().filter_map(var_os);
    let is_named = named.flat_map(|paths| std::env::split_paths(&paths).collect::<Vec<_>>()).any(|path| path.exists());
    has_library("libvulkan.so.1") && (is_named || folders.iter().any(|folder| has_manifest(Path::new(folder))))
}

fn has_manifest(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| entry.path().extension().is_some_and(|extension| extension == "json"))
}

fn has_cuda() -> bool {
    let chosen = std::env::var("OPLINK_GPU").unwrap_or_default();
    has_library("libcuda.so.1") && (chosen.is_empty() || chosen == "cuda")
}

/// Whether the dynamic linker finds a library: in the environment's folders, in its cache, or in the usual folders.
fn has_library(name: &str) -> bool {
    let given = var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let usual = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"].map(PathBuf::from);
    let cache = std::fs::read("/etc/ld.so.cache").unwrap_or_default();
    let entry = [name.as_bytes(), b"\0"].concat();
    std::env::split_paths(&given).chain(usual).any(|folder| folder.join(name).exists())
        || cache.windows(entry.len()).any(|window| window == entry)
}

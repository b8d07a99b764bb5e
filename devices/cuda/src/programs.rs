//! Programs: from text to code, by the compiler or from the disk, and from code to functions that are loaded.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use oplink_api::device::{DeviceProgram, ProgramCache};
use oplink_api::{Code, Error, ErrorKind, Result};

use crate::driver::{Function, Gpu, Nvrtc};
use crate::headers;

/// Major and minor number of a compiler.
pub(crate) type Version = (u32, u32);

/// What makes code for a GPU of CUDA C++.
pub(crate) trait Compiler: Send + Sync {
    /// The compiler's version.
    fn version(&self) -> Version;

    /// The code of a text; else what the compiler says. `name` is what it calls the text.
    fn compile(&self, text: &str, name: &str, options: &[String]) -> std::result::Result<Vec<u8>, String>;
}

/// Where code comes from.
pub(super) struct Builds {
    /// As errors call the device.
    pub(super) device: String,
    /// Major and minor number of the GPU's compute capability.
    pub(super) capability: (i32, i32),
    pub(super) cache: ProgramCache,
    /// Looked for when it is needed first.
    pub(super) compiler: OnceLock<Option<Box<dyn Compiler>>>,
}

impl Builds {
    /// The compiler, where there is one.
    fn compiler(&self) -> Option<&dyn Compiler> {
        let find = || Nvrtc::find().map(|nvrtc| Box::new(nvrtc) as Box<dyn Compiler>);
        self.compiler.get_or_init(find).as_deref()
    }

    /// The code of a program: kept from before, or compiled now. With `anew` what is on the disk does not count. Code
    /// on the disk is of the compiler that is here; where there is none, of any.
    ///
    /// # Errors
    /// The program is not for CUDA, it does not compile, or there is neither code nor a compiler.
    pub(super) fn code(&self, program: &DeviceProgram, anew: bool) -> Result<Vec<u8>> {
        if program.cuda.is_empty() {
            return Err(self.error(program, Code::Unimplemented, "it has no text for CUDA"));
        }
        let content = self.content(program);
        let compiler = self.compiler();
        if !anew && let Some(code) = self.kept(&content, compiler.map(Compiler::version)) {
            return Ok(code);
        }
        let compiler = compiler.ok_or_else(|| self.no_compiler(program))?;
        let code = self.compile(program, compiler)?;
        let (major, minor) = compiler.version();
        self.cache.write(&content, &[&major.to_le_bytes(), &minor.to_le_bytes(), code.as_slice()].concat());
        Ok(code)
    }

    /// All that the code depends on but the compiler's version, which stands before the code.
    fn content(&self, program: &DeviceProgram) -> Vec<u8> {
        format!("{}\n{}", self.options().join(" "), program.cuda).into_bytes()
    }

    fn options(&self) -> Vec<String> {
        let (major, minor) = self.capability;
        vec![format!("--gpu-architecture=sm_{major}{minor}"), "-default-device".to_owned()]
    }

    fn kept(&self, content: &[u8], version: Option<Version>) -> Option<Vec<u8>> {
        let kept = self.cache.read(content)?;
        let (major, rest) = kept.split_first_chunk::<4>()?;
        let (minor, code) = rest.split_first_chunk::<4>()?;
        let of = (u32::from_le_bytes(*major), u32::from_le_bytes(*minor));
        version.is_none_or(|version| version == of).then(|| code.to_vec())
    }

    fn compile(&self, program: &DeviceProgram, compiler: &dyn Compiler) -> Result<Vec<u8>> {
        let mut options = self.options();
        let folder = headers::find();
        if folder.is_none() && headers::are_needed(program.cuda) {
            return Err(self.error(program, Code::FailedPrecondition, NO_HEADERS));
        }
        options.extend(folder.map(|folder| format!("--include-path={}", folder.display())));
        compiler.compile(program.cuda, program.name, &options).map_err(|log| {
            let (major, minor) = compiler.version();
            self.error(program, Code::Internal, &format!("NVRTC {major}.{minor} does not compile it: {log}"))
        })
    }

    fn no_compiler(&self, program: &DeviceProgram) -> Error {
        self.error(program, Code::FailedPrecondition, NO_COMPILER)
    }

    #[cold]
    fn error(&self, program: &DeviceProgram, code: Code, problem: &str) -> Error {
        let DeviceProgram { name, location, .. } = program;
        Error::new(code, ErrorKind::Device, format!("{}: the program {name} of {location}: {problem}", self.device))
    }
}

const NO_COMPILER: &str = "it was not compiled for this GPU before, and the compiler NVRTC was not found: install the CUDA toolkit or \
                           the package nvidia-cuda-nvrtc, and name the folder of libnvrtc.so in LD_LIBRARY_PATH";
const NO_HEADERS: &str = "it includes headers of CUDA, which were not found: install the CUDA toolkit, or the package \
                          nvidia-cuda-runtime beside nvidia-cuda-nvrtc, or name the toolkit's folder in CUDA_HOME";

/// The programs of one GPU.
pub struct Programs {
    gpu: Arc<Gpu>,
    builds: Builds,
    /// By the address of the program, which lives as long as the process.
    loaded: RwLock<HashMap<usize, Arc<Function>>>,
}

impl Programs {
    /// Those of `gpu`, none of which is loaded.
    pub fn new(gpu: Arc<Gpu>) -> Self {
        let builds = Builds {
            device: gpu.name().to_owned(),
            capability: gpu.facts().capability,
            cache: ProgramCache::new("cuda"),
            compiler: OnceLock::new(),
        };
        Self { gpu, builds, loaded: RwLock::default() }
    }

    /// The program's function, loaded.
    ///
    /// # Errors
    /// As [`Builds::code`]; the driver does not load the code.
    pub fn function(&self, program: &'static DeviceProgram) -> Result<Arc<Function>> {
        let key = std::ptr::from_ref(program).addr();
        if let Some(function) = self.loaded.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(function.clone());
        }
        let function = Arc::new(self.load(program)?);
        let mut loaded = self.loaded.write().unwrap_or_else(PoisonError::into_inner);
        Ok(loaded.entry(key).or_insert(function).clone())
    }

    /// Code from the disk that the driver does not take is compiled anew once.
    fn load(&self, program: &DeviceProgram) -> Result<Function> {
        let load = |code| Function::load(&self.gpu, code, program.entry);
        if let Ok(function) = load(self.builds.code(program, false)?) {
            return Ok(function);
        }
        load(self.builds.code(program, true)?).map_err(|error| {
            let what = format!("loading the program {} of {}", program.name, program.location);
            self.gpu.error(&what, error)
        })
    }
}

impl std::fmt::Debug for Programs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Programs").field("gpu", &self.gpu).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;

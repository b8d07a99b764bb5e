//! When programs are compiled, and what is said where they cannot be; with a compiler that counts, and with NVRTC
//! itself.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use oplink_api::descriptors::Location;

use super::*;

/// Gives the text and the options back, in capitals.
struct Counting {
    version: Version,
    count: Arc<AtomicUsize>,
}

impl Compiler for Counting {
    fn version(&self) -> Version {
        self.version
    }

    fn compile(&self, text: &str, _: &str, options: &[String]) -> std::result::Result<Vec<u8>, String> {
        self.count.fetch_add(1, Relaxed);
        if text.contains("mistake") {
            return Err("relu.cu(3): error: a mistake".to_owned());
        }
        Ok(format!("{} {}", options[0], text.to_uppercase()).into_bytes())
    }
}

const fn program(cuda: &'static str) -> DeviceProgram {
    DeviceProgram {
        name: "Relu.relu",
        entry: "relu",
        cuda,
        wgsl: "",
        params: &[],
        block: [256, 1, 1],
        needs: &[],
        location: Location { crate_name: "a", crate_version: "1", file: "relu.rs", line: 3 },
    }
}

/// A folder that is removed at the end, and a compiler's count.
struct Fixture {
    folder: PathBuf,
    count: Arc<AtomicUsize>,
}

impl Fixture {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("oplink-cuda-{}-{name}", std::process::id()));
        Self { folder, count: Arc::default() }
    }

    fn builds(&self, capability: (i32, i32), version: Option<Version>) -> Builds {
        let counting = |version| Box::new(Counting { version, count: self.count.clone() }) as Box<dyn Compiler>;
        Builds {
            device: "GPU:0".to_owned(),
            capability,
            cache: ProgramCache::in_folder(self.folder.clone()),
            compiler: OnceLock::from(version.map(counting)),
        }
    }

    fn compiled(&self) -> usize {
        self.count.load(Relaxed)
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn code_is_kept_by_text_architecture_and_compiler() {
    let fixture = Fixture::new("kept");
    let hopper = fixture.builds((9, 0), Some((13, 0)));
    let code = hopper.code(&program("relu"), false).expect("code");
    assert_eq!(code, b"--gpu-architecture=sm_90 RELU");
    assert_eq!(hopper.code(&program("relu"), false).expect("code"), code);
    assert_eq!(fixture.builds((9, 0), Some((13, 0))).code(&program("relu"), false).expect("code"), code);
    assert_eq!(fixture.compiled(), 1, "kept in the folder");
    hopper.code(&program("tanh"), false).expect("code");
    assert_eq!(fixture.compiled(), 2, "another text");
    let ampere = fixture.builds((8, 6), Some((13, 0)));
    assert_eq!(ampere.code(&program("relu"), false).expect("code"), b"--gpu-architecture=sm_86 RELU");
    assert_eq!(fixture.compiled(), 3, "another architecture");
    fixture.builds((9, 0), Some((12, 9))).code(&program("relu"), false).expect("code");
    assert_eq!(fixture.compiled(), 4, "another compiler");
    hopper.code(&program("tanh"), true).expect("code");
    assert_eq!(fixture.compiled(), 5, "compiled anew");
}

#[test]
fn without_a_compiler_programs_run_that_were_compiled_before() {
    let fixture = Fixture::new("absent");
    let with = fixture.builds((9, 0), Some((13, 0)));
    let without = fixture.builds((9, 0), None);
    let code = with.code(&program("relu"), false).expect("code");
    assert_eq!(without.code(&program("relu"), false).expect("kept"), code);
    let error = without.code(&program("tanh"), false).expect_err("no compiler");
    assert_eq!(error.code(), Code::FailedPrecondition);
    assert!(error.message().starts_with("GPU:0: the program Relu.relu of relu.rs:3 (a 1): "), "{error}");
    assert!(error.message().contains("NVRTC was not found") && error.message().contains("LD_LIBRARY_PATH"), "{error}");
}

#[test]
fn damaged_code_is_compiled_anew() {
    let fixture = Fixture::new("damaged");
    let builds = fixture.builds((9, 0), Some((13, 0)));
    let code = builds.code(&program("relu"), false).expect("code");
    let files: Vec<PathBuf> = fs::read_dir(&fixture.folder).expect("kept").map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 1);
    for damaged in [b"".as_slice(), b"not the format", &fs::read(&files[0]).unwrap()[..30]] {
        fs::write(&files[0], damaged).expect("writable");
        assert_eq!(builds.code(&program("relu"), false).expect("code"), code);
    }
    assert_eq!(fixture.compiled(), 4);
    builds.code(&program("relu"), false).expect("code");
    assert_eq!(fixture.compiled(), 4, "the file is whole again");
}

#[test]
fn errors_carry_the_kernels_name_its_place_and_the_compilers_words() {
    let fixture = Fixture::new("errors");
    let builds = fixture.builds((9, 0), Some((13, 0)));
    let error = builds.code(&program("a mistake"), false).expect_err("it does not compile");
    assert_eq!(
        error.message(),
        "GPU:0: the program Relu.relu of relu.rs:3 (a 1): NVRTC 13.0 does not compile it: relu.cu(3): error: a mistake"
    );
    let error = builds.code(&program(""), false).expect_err("no text");
    assert_eq!((error.code(), fixture.compiled()), (Code::Unimplemented, 1));
}

/// NVRTC itself, if it is here; `OPLINK_NVRTC` says that it must be.
fn nvrtc() -> Option<Box<dyn Compiler>> {
    let found = Nvrtc::find();
    assert!(found.is_some() || std::env::var_os("OPLINK_NVRTC").is_none(), "OPLINK_NVRTC is set, NVRTC is not found");
    found.map(|nvrtc| Box::new(nvrtc) as Box<dyn Compiler>)
}

#[test]
fn nvrtc_makes_machine_code() {
    let Some(compiler) = nvrtc() else { return };
    let fixture = Fixture::new("nvrtc");
    let builds = Builds { compiler: OnceLock::from(Some(compiler)), ..fixture.builds((9, 0), None) };
    let halves = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\nextern \"C\" __global__ void relu(const __half* x, __half* y) \
                  { y[threadIdx.x] = __hmax(x[threadIdx.x], __float2half(0.0f)); }";
    let code = builds.code(&program(halves), false).expect("code");
    assert_eq!(&code[..4], b"\x7fELF");
    // The machine's number in the file's header is that of CUDA.
    assert_eq!(u16::from_le_bytes([code[18], code[19]]), 190);
    let name = b"relu\0";
    assert!(code.windows(name.len()).any(|part| part == name), "the entry has its own name");
    let without = fixture.builds((9, 0), None);
    assert_eq!(without.code(&program(halves), false).expect("kept"), code);
}

#[test]
fn nvrtc_says_what_is_wrong() {
    let Some(compiler) = nvrtc() else { return };
    let fixture = Fixture::new("nvrtc-errors");
    let builds =
        |capability, compiler| Builds { compiler: OnceLock::from(Some(compiler)), ..fixture.builds(capability, None) };
    let wrong = program("extern \"C\" __global__ void relu(float* y) {\n    y[0] = absent;\n}");
    let error = builds((9, 0), compiler).code(&wrong, false).expect_err("it does not compile");
    assert!(
        error.message().contains("relu.rs:3") && error.message().contains("identifier \"absent\" is undefined"),
        "{error}"
    );
    assert!(error.message().contains("(2)"), "the line in the text: {error}");
    let Some(compiler) = nvrtc() else { return };
    let right = program("extern \"C\" __global__ void relu(float* y) {}");
    let error = builds((1, 0), compiler).code(&right, false).expect_err("no such architecture");
    assert!(error.message().contains("NVRTC_ERROR_INVALID_OPTION"), "{error}");
}

//! What the driver's errors say to people.

use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;
use oplink_api::{Code, Error, ErrorKind};

/// The error of something that failed on a device, or on the driver as a whole.
pub fn error(device: &str, what: &str, DriverError(result): DriverError) -> Error {
    let advice = advice(result);
    let space = if advice.is_empty() { "" } else { ": " };
    Error::new(code(result), ErrorKind::Device, format!("{device}: {what} failed with {result:?}{space}{advice}"))
}

fn code(result: CUresult) -> Code {
    match result {
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => Code::ResourceExhausted,
        CUresult::CUDA_ERROR_NOT_SUPPORTED => Code::Unimplemented,
        CUresult::CUDA_ERROR_ECC_UNCORRECTABLE => Code::DataLoss,
        _ => Code::Internal,
    }
}

/// What to do about it; empty where nobody knows.
fn advice(result: CUresult) -> &'static str {
    match result {
        CUresult::CUDA_ERROR_STUB_LIBRARY => {
            "the libcuda that was found is the toolkit's stub for linking: take its folder out of LD_LIBRARY_PATH"
        }
        CUresult::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH => {
            "the driver's library and its kernel module are of different versions: restart the machine, or install one of them anew"
        }
        CUresult::CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE => {
            "the forward compatibility library does not work on this GPU: take the folder `compat` out of LD_LIBRARY_PATH"
        }
        CUresult::CUDA_ERROR_SYSTEM_NOT_READY => "start nvidia-fabricmanager and wait until it is ready",
        CUresult::CUDA_ERROR_OPERATING_SYSTEM | CUresult::CUDA_ERROR_UNKNOWN => {
            "look whether nvidia-smi works; the kernel module nvidia_uvm may be missing (`nvidia-modprobe -u`), or a container may \
             lack the GPU's files in /dev"
        }
        CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE => "another process uses the GPU alone",
        CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU
        | CUresult::CUDA_ERROR_INVALID_IMAGE
        | CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION => {
            "the code is of a compiler that the driver does not know: update the driver, or use NVRTC of the driver's version"
        }
        CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES => {
            "the program takes more registers or threads than a block may have"
        }
        result if is_final(result) => {
            "an earlier piece of work went wrong; the driver refuses all work of this process on the GPU from now on: start the \
             program anew (compute-sanitizer finds the kernel)"
        }
        _ => "",
    }
}

/// Whether the driver gives the same error to every call from now on.
fn is_final(result: CUresult) -> bool {
    matches!(
        result,
        CUresult::CUDA_ERROR_ILLEGAL_ADDRESS
            | CUresult::CUDA_ERROR_LAUNCH_TIMEOUT
            | CUresult::CUDA_ERROR_ASSERT
            | CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR
            | CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION
            | CUresult::CUDA_ERROR_MISALIGNED_ADDRESS
            | CUresult::CUDA_ERROR_INVALID_ADDRESS_SPACE
            | CUresult::CUDA_ERROR_INVALID_PC
            | CUresult::CUDA_ERROR_LAUNCH_FAILED
            | CUresult::CUDA_ERROR_ECC_UNCORRECTABLE
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_what_failed_and_what_to_do() {
        let told = error("GPU:0", "a launch", DriverError(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS));
        assert_eq!((told.code(), told.kind()), (Code::Internal, ErrorKind::Device));
        assert!(told.message().starts_with("GPU:0: a launch failed with CUDA_ERROR_ILLEGAL_ADDRESS: "), "{told}");
        assert!(told.message().contains("start the program anew"), "{told}");
        let plain = error("GPU:0", "a launch", DriverError(CUresult::CUDA_ERROR_INVALID_VALUE));
        assert_eq!(plain.message(), "GPU:0: a launch failed with CUDA_ERROR_INVALID_VALUE");
        let full = error("GPU:0", "an allocation", DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
        assert_eq!(full.code(), Code::ResourceExhausted);
    }
}

"""Compiles CUDA texts for sm_90 by NVRTC: `compile.py FOLDER`. Fails where one does not compile, and where there is none."""
import ctypes
import glob
import multiprocessing
import os
import sys
import sysconfig

root = os.path.join(sysconfig.get_paths()["purelib"], "nvidia", "cu13")
ctypes.CDLL(os.path.join(root, "lib", "libnvrtc-builtins.so.13.0"), mode=ctypes.RTLD_GLOBAL)
nvrtc = ctypes.CDLL(os.path.join(root, "lib", "libnvrtc.so.13"))
options = [b"--gpu-architecture=sm_90", b"-default-device", b"-I" + os.path.join(root, "include").encode()]
argv = (ctypes.c_char_p * len(options))(*options)


def log_of(program):
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    return log.value.decode()


def compile_file(path):
    """The compiler's complaint, or None."""
    program = ctypes.c_void_p()
    with open(path, "rb") as file:
        text = file.read()
    status = nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, os.path.basename(path).encode(), 0, None, None)
    status = status or nvrtc.nvrtcCompileProgram(program, len(options), argv)
    log = log_of(program)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return None if status == 0 else f"{path}: error {status}\n{log}\n{text.decode()}"


if __name__ == "__main__":
    paths = sorted(glob.glob(os.path.join(sys.argv[1], "*.cu")))
    # The compiler serves one thread at a time, so each core has a process.
    with multiprocessing.Pool() as pool:
        failed = [complaint for complaint in pool.map(compile_file, paths, chunksize=8) if complaint]
    print("\n".join(failed[:5]))
    print(f"{len(paths) - len(failed)} of {len(paths)} CUDA texts compile for sm_90")
    sys.exit(1 if failed or not paths else 0)

"""CUDA's compiler where pip put it: plugins look it up by name, which the system's loader does not find there."""

import ctypes
import functools
import glob
import importlib.util
import os


@functools.cache
def load_compiler():
    """Loads NVRTC of NVIDIA's packages, so that plugins find it by its name. Where there is none, nothing happens."""
    spec = importlib.util.find_spec("nvidia")
    for folder in (spec.submodule_search_locations or []) if spec is not None else []:
        for path in sorted(glob.glob(os.path.join(folder, "*", "lib", "libnvrtc.so.*")), reverse=True):
            try:
                return ctypes.CDLL(path)
            except OSError:
                continue
    return None

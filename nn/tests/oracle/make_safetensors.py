"""A file that Python's `safetensors` writes, and what it reads of one that oplink wrote.

usage: python make_safetensors.py OUT    writes `python.safetensors` of this folder
       python make_safetensors.py --read FILE    prints the tensors of a file
It needs the packages safetensors, numpy and ml_dtypes.
"""
import sys
import ml_dtypes, numpy as np
from safetensors.numpy import load_file, save_file

def tensors():
    """The numbers that `nn/tests/it/trainer/files.rs` has too."""
    ramp = lambda *shape: (np.arange(np.prod(shape)).reshape(shape) - 3) / 4
    return {
        'body.kernel': ramp(2, 3).astype('float32'), 'body.bias': ramp(3).astype('float16'),
        'head.kernel': ramp(3, 1).astype(ml_dtypes.bfloat16), 'head.scale': np.array(1.5, 'float64'),
        'counts.seen': np.array([1, -2, 3], 'int64'), 'counts.mask': np.array([True, False, True]),
        'counts.bytes': np.arange(5, dtype='uint8'), 'counts.none': np.zeros((0, 4), 'int32'),
    }

if sys.argv[1] == '--read':
    for name, value in sorted(load_file(sys.argv[2]).items()):
        print(name, value.dtype, list(value.shape), value.astype('float64').reshape(-1).tolist())
else:
    save_file(tensors(), sys.argv[1])

"""oplink and TensorFlow in one process, whichever is imported first: `python beside_tensorflow.py`."""

import subprocess
import sys
from pathlib import Path

CHECKS = """
import numpy as np
x = np.arange(12, dtype=np.float32).reshape(3, 4)
ours, theirs = oplink.from_numpy(x), tf.constant(x)
np.testing.assert_allclose(oplink.ops.Softmax(ours).numpy(), tf.nn.softmax(theirs).numpy(), rtol=1e-6)
product = oplink.ops.MatMul(ours, ours, transpose_b=True)
np.testing.assert_allclose(product.numpy(), tf.matmul(theirs, theirs, transpose_b=True).numpy(), rtol=1e-6)
np.testing.assert_array_equal(tf.constant(product.numpy()).numpy(), product.numpy())
np.testing.assert_array_equal(oplink.Tensor(theirs.numpy()).numpy(), x)
loaded = tf.saved_model.load(MODEL).signatures["serving_default"](x=tf.ones([2, 3]))
called = oplink.SavedModel(MODEL)(x=np.ones((2, 3), np.float32))
for name in ("scaled", "total"):
    np.testing.assert_array_equal(called[name].numpy(), loaded[name].numpy())
try:
    oplink.load_plugin("any.so")
except oplink.errors.PluginRejectedError as error:
    assert "TensorFlow is loaded" in str(error), error
else:
    raise SystemExit("a plugin was loaded beside TensorFlow")
try:
    oplink.ops.MatMul(ours, ours)
except oplink.Error as error:
    assert error.op == "MatMul", error
else:
    raise SystemExit("oplink multiplied matrices that do not fit")
try:
    tf.matmul(theirs, theirs)
except tf.errors.InvalidArgumentError:
    pass
else:
    raise SystemExit("TensorFlow multiplied matrices that do not fit")
"""

model = Path(__file__).parent / "data" / "affine"
imports = ["import oplink", "import tensorflow as tf"]
for order in (imports, imports[::-1]):
    code = "\n".join([*order, f"MODEL = {str(model)!r}", CHECKS])
    subprocess.run([sys.executable, "-c", code], check=True)
    print(f"passed: {'; '.join(order)}")

"""The time of an import, of an eager addition of two small tensors, and of TensorFlow's where it is installed.

Fails beyond the bound of the import, and where an addition takes longer than half of TensorFlow's in the same run.
"""

import importlib
import importlib.util
import statistics
import subprocess
import sys
import timeit
from collections.abc import Callable

import oplink

IMPORT_MS = 50.0
CODE = "import time; start = time.perf_counter(); import oplink; print((time.perf_counter() - start) * 1e3)"


def nanoseconds(call: Callable[[], object]) -> float:
    """The shortest of ten times of a call, without that of an empty one."""
    number = 20000

    def best(timed: Callable[[], object]) -> float:
        return min(timeit.repeat(timed, number=number, repeat=10)) / number * 1e9

    return best(call) - best(lambda: None)


times = [float(subprocess.run([sys.executable, "-c", CODE], capture_output=True, check=True).stdout) for _ in range(7)]
imported = statistics.median(times)
x, y, add = oplink.Tensor([1.0, 2.0]), oplink.Tensor([3.0, 4.0]), oplink.ops.AddV2
by_operator, by_op = nanoseconds(lambda: x + y), nanoseconds(lambda: add(x, y))
print(f"import: {imported:.1f} ms, x + y: {by_operator:.0f} ns, ops.AddV2(x, y): {by_op:.0f} ns")
if imported > IMPORT_MS:
    sys.exit(f"the import takes longer than {IMPORT_MS:.0f} ms")
if importlib.util.find_spec("tensorflow") is not None:
    tf = importlib.import_module("tensorflow")

    a, b, raw = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]), tf.raw_ops.AddV2
    their_operator, their_op = nanoseconds(lambda: a + b), nanoseconds(lambda: raw(x=a, y=b))
    print(f"TensorFlow: x + y: {their_operator:.0f} ns, raw_ops.AddV2(x, y): {their_op:.0f} ns")
    if by_operator > their_operator / 2 or by_op > their_op / 2:
        sys.exit("an addition takes longer than half of TensorFlow's")

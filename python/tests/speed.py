"""The time of an import, of an eager addition of two small tensors, and of TensorFlow's where it is installed.

Fails where the import has the processor for longer than its bound, and where an addition takes longer than half of
TensorFlow's in the same run; other programs on the machine change neither.
"""

import importlib
import importlib.util
import subprocess
import sys
import timeit
from collections.abc import Callable

import oplink

IMPORT_MS = 50.0
CODE = """
import time
start, worked = time.perf_counter(), time.process_time()
import oplink
print((time.perf_counter() - start) * 1e3, (time.process_time() - worked) * 1e3)
"""


def nanoseconds(call: Callable[[], object]) -> float:
    """The shortest of ten times of a call, without that of an empty one."""
    number = 20000

    def best(timed: Callable[[], object]) -> float:
        return min(timeit.repeat(timed, number=number, repeat=10)) / number * 1e9

    return best(call) - best(lambda: None)


def import_times() -> tuple[float, float]:
    """The shortest times in milliseconds that an import takes, and that it has the processor."""
    printed = [subprocess.run([sys.executable, "-c", CODE], capture_output=True, check=True).stdout for _ in range(7)]
    taken, worked = zip(*(map(float, line.split()) for line in printed))
    return min(taken), min(worked)


imported, worked = import_times()
x, y, add = oplink.Tensor([1.0, 2.0]), oplink.Tensor([3.0, 4.0]), oplink.ops.AddV2
by_operator, by_op = nanoseconds(lambda: x + y), nanoseconds(lambda: add(x, y))
print(f"import: {imported:.1f} ms, of which {worked:.1f} ms on the processor; x + y: {by_operator:.0f} ns, ops.AddV2(x, y): {by_op:.0f} ns")
if worked > IMPORT_MS:
    sys.exit(f"the import has the processor for longer than {IMPORT_MS:.0f} ms")
if importlib.util.find_spec("tensorflow") is not None:
    tf = importlib.import_module("tensorflow")

    a, b, raw = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]), tf.raw_ops.AddV2
    their_operator, their_op = nanoseconds(lambda: a + b), nanoseconds(lambda: raw(x=a, y=b))
    print(f"TensorFlow: x + y: {their_operator:.0f} ns, raw_ops.AddV2(x, y): {their_op:.0f} ns")
    if by_operator > their_operator / 2 or by_op > their_op / 2:
        sys.exit("an addition takes longer than half of TensorFlow's")

"""Time of an import and of an eager addition, beside their bounds."""

import statistics
import subprocess
import sys
import timeit

import oplink

IMPORT_MS = 50.0
CODE = "import time; start = time.perf_counter(); import oplink; print((time.perf_counter() - start) * 1e3)"

times = [float(subprocess.run([sys.executable, "-c", CODE], capture_output=True, check=True).stdout) for _ in range(7)]
imported = statistics.median(times)
x, y, add = oplink.Tensor([1.0, 2.0]), oplink.Tensor([3.0, 4.0]), oplink.ops.AddV2
by_op = min(timeit.repeat(lambda: add(x, y), number=20000, repeat=10)) / 20000
by_operator = min(timeit.repeat("x + y", globals=globals(), number=20000, repeat=10)) / 20000
print(f"import: {imported:.1f} ms, x + y: {by_operator * 1e9:.0f} ns, ops.AddV2(x, y): {by_op * 1e9:.0f} ns")
if imported > IMPORT_MS:
    sys.exit(f"the import takes longer than {IMPORT_MS:.0f} ms")

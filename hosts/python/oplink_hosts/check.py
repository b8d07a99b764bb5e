"""A plugin's ops in one host against what its kernels give in oplink.

    oplink opcheck --plugin libmy_ops.so --record calls.jsonl
    python -m oplink_hosts.check torch libmy_ops.so calls.jsonl

The hosts are `tensorflow`, `torch`, `jax` and `onnxruntime`. Every recorded call is made in the host; what differs in
dtypes, shapes or elements is printed with a program that shows it, and the exit code is 1. Calls of ops whose calls
differ are compared by dtypes and shapes. Calls that the host cannot carry, by its dtypes or arguments, are counted.
"""

import json
import sys

import numpy as np

from . import _check_hosts
from ._check_hosts import NotCarried

#: What elements may differ by, in parts of the larger of them and one: other threads add in another order.
_TOLERANCE = {"half": 2e-3, "bfloat16": 2e-2, "float": 2e-6, "double": 1e-13, "complex64": 2e-6, "complex128": 1e-13}
_NUMPY = {"float": "float32", "double": "float64", "half": "float16"}


def check(host, library, records):
    """The findings of a host: pairs of a record and what is wrong; and by op how many calls were alike, how many were
    not carried, and why."""
    adapter = _check_hosts.of(host, library)
    findings, counts = [], {}
    for record in records:
        count = counts.setdefault(record["op"], {"alike": 0, "not carried": 0, "why": ""})
        try:
            made = adapter.call(record)
        except NotCarried as why:
            count["not carried"] += 1
            count["why"] = str(why)
            continue
        except Exception as error:  # noqa: BLE001: whatever the host raises is a finding
            findings.append((record, f"{type(error).__name__}: {error}"))
            continue
        wrong = compared(made, record["outputs"], record["repeatable"])
        if wrong:
            findings.append((record, wrong))
        else:
            count["alike"] += 1
    return findings, counts


def compared(made, expected, is_repeatable):
    """What is wrong with the outputs; None where they are alike. Each is a dtype, a shape and elements."""
    if len(made) != len(expected):
        return f"{len(made)} outputs, oplink gives {len(expected)}"
    for at, ((dtype, shape, data), like) in enumerate(zip(made, expected)):
        if dtype != like["dtype"] or list(shape) != like["shape"]:
            return f"output {at} is {dtype} {list(shape)}, oplink gives {like['dtype']} {like['shape']}"
        if not is_repeatable:
            continue
        if dtype == "string":
            if [bytes(one).hex() for one in data] != like["data"]:
                return f"output {at} has other strings than oplink gives"
            continue
        ours, theirs = elements(dtype, data), elements(dtype, bytes.fromhex(like["data"]))
        if not alike(ours, theirs, _TOLERANCE.get(dtype, 0)):
            return f"output {at} is {ours.tolist()!s:.300}, oplink gives {theirs.tolist()!s:.300}"
    return None


def alike(ours, theirs, tolerance):
    with np.errstate(all="ignore"):
        near = np.abs(ours - theirs) <= tolerance * np.maximum(1, np.maximum(np.abs(ours), np.abs(theirs)))
        return bool(np.all(near | (ours == theirs) | (np.isnan(ours) & np.isnan(theirs))))


def elements(dtype, data):
    """Bytes as numbers that NumPy can compare."""
    if dtype == "bfloat16":
        return (np.frombuffer(data, np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if dtype == "bool":
        return np.frombuffer(data, np.uint8).astype(np.int64)
    if dtype.startswith("float8"):
        return np.frombuffer(data, np.uint8).astype(np.int64)
    found = np.frombuffer(data, _NUMPY.get(dtype, dtype))
    if found.dtype.kind in "iu":
        return found.astype(object) if found.dtype.itemsize == 8 and found.dtype.kind == "u" else found.astype(np.int64)
    return found.astype(np.complex128 if found.dtype.kind == "c" else np.float64)


def program(host, library, record):
    """A program that shows what was found."""
    return (
        f"from oplink_hosts.check import check\n\n"
        f"record = {record!r}\n"
        f"findings, _ = check({host!r}, {library!r}, [record])\n"
        f"assert not findings, findings[0][1]\n"
    )


def main(host, library, file):
    with open(file, encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines if line.strip()]
    findings, counts = check(host, library, records)
    for op, count in counts.items():
        bad = sum(record["op"] == op for record, _ in findings)
        parts = [f"{count['alike']} alike"] if count["alike"] else []
        parts += [f"{count['not carried']} not carried: {count['why']}"] if count["not carried"] else []
        parts += [f"{bad} DIFFER"] if bad else []
        print(f"{host} | {op} | {', '.join(parts)}")
    for record, wrong in findings:
        print(f"\n{record['op']}: {wrong}\n\n{program(host, library, record)}")
    return 1 if findings or not any(count["alike"] for count in counts.values()) else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))

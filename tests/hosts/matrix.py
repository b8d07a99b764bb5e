"""Runs checks of a host and prints a line for each: host | op | feature | result."""

import json
import re
import sys
import traceback

import numpy as np

from cases import CASES


class NotCarried(Exception):
    """The host has no such thing; the text says what there is instead."""


class Matrix:
    def __init__(self, host):
        self.host, self.failed = host, 0

    def check(self, op, feature, body):
        try:
            result = body() or "ok"
        except NotCarried as none:
            result = f"- {none}"
        except Exception as error:  # noqa: BLE001: whatever fails is a line of the table
            self.failed += 1
            result = f"FAILED {type(error).__name__}: {error}".replace("\n", " ")[:300]
            traceback.print_exc(limit=4, file=sys.stderr)
        print(f"{self.host} | {op} | {feature} | {result}", flush=True)

    def end(self):
        sys.exit(1 if self.failed else 0)


def same(made, expected):
    assert len(made) == len(expected), f"{len(made)} outputs, not {len(expected)}"
    for one, other in zip(made, expected):
        one, other = np.asarray(one), np.asarray(other)
        assert one.shape == other.shape, f"the shape {one.shape}, not {other.shape}"
        if other.dtype == object:
            text = [x.decode() if isinstance(x, bytes) else x for x in one.ravel()]
            assert text == list(other.ravel()), f"{text}"
        else:
            np.testing.assert_allclose(one.astype("complex128"), other.astype("complex128"), rtol=1e-5)


def refused(body, word):
    try:
        body()
    except Exception as error:  # noqa: BLE001: hosts have their own exceptions
        assert re.search(word, str(error), re.S), f"the message is {error!s:.300}"
        return f"{type(error).__name__}"
    raise AssertionError("nothing was refused")


def as_in_oplink(matrix, host):
    """Calls that `oplink opcheck --record` drew, in this host: `python in_HOST.py LIBRARY CALLS`. And that a call which
    differs is found, with a program that shows it."""
    from oplink_hosts.check import check, program

    if len(sys.argv) < 3:
        return
    library = sys.argv[1]
    with open(sys.argv[2], encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    for op in sorted({record["op"] for record in records}):
        def drawn(op=op):
            findings, counts = check(host, library, [record for record in records if record["op"] == op])
            assert not findings, findings[0][1]
            if not counts[op]["alike"]:
                raise NotCarried(counts[op]["why"])
            return f"ok, {counts[op]['alike']} calls"

        matrix.check(re.sub(r"(?<!^)(?=[A-Z])", "_", op).lower(), "as in oplink", drawn)

    def found():
        record = json.loads(json.dumps(next(record for record in records if record["op"] == "PlainAdd")))
        data = record["outputs"][0]["data"]
        record["outputs"][0]["data"] = ("3f" if data[:2] != "3f" else "40") * (len(data) // 2)
        try:
            exec(program(host, library, record), {})  # noqa: S102: the program is what is checked
        except AssertionError as error:
            assert "oplink gives" in str(error), error
        else:
            raise AssertionError("nothing was found")

    matrix.check("*", "what differs from oplink", found)


def run_all(matrix, call, dtypes, cast):
    """The checks that all hosts have. `call(case, inputs, attrs)` gives outputs in NumPy; `dtypes` are those that the
    host has, and `cast(array, dtype)` makes what `call` takes of an array."""
    for case in CASES:
        usual = case.dtypes[0] if "float32" not in case.dtypes else "float32"

        def plain(case=case, usual=usual):
            inputs = case.inputs(usual)
            if case.changing:
                assert case.changing(call(case, inputs, case.attrs), call(case, inputs, case.attrs))
                return
            same(call(case, inputs, case.attrs), case.expect(*inputs))

        matrix.check(case.op, "call", plain)
        if len(case.dtypes) > 1:
            def every(case=case):
                done = []
                for dtype in case.dtypes:
                    if dtype not in dtypes:
                        continue
                    inputs = case.inputs("float32")
                    given = [cast(array, dtype) for array in inputs]
                    same(call(case, given, case.attrs), case.expect(*inputs))
                    done.append(dtype)
                return f"ok {len(done)} of {len(case.dtypes)}"

            matrix.check(case.op, "dtypes", every)
        for attrs, expect in case.other_attrs:
            def other(case=case, attrs=attrs, expect=expect, usual=usual):
                inputs = case.inputs(usual)
                same(call(case, inputs, attrs), expect(*inputs))

            matrix.check(case.op, "attrs", other)
        if case.empty:
            matrix.check(case.op, "empty", lambda case=case: same(
                call(case, case.empty(), case.attrs), case.expect(*case.empty())))
        for feature, wrong in (("wrong dtype", case.wrong_dtype), ("wrong shape", case.wrong_shape)):
            if wrong:
                def refuse(case=case, wrong=wrong):
                    inputs, word = wrong()
                    return "ok " + refused(lambda: call(case, inputs, case.attrs), word)

                matrix.check(case.op, feature, refuse)

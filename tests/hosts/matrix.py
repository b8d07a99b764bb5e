"""Runs checks of a host and prints a line for each: host | op | feature | result."""

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

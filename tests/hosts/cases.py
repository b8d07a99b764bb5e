"""The ops of `examples/every_host` with inputs, attrs, what they give, and inputs that they refuse; in NumPy."""

import numpy as np


class Case:
    def __init__(self, op, inputs, expect, attrs=None, dtypes=("float32",), gradient=False, wrong_dtype=None,
                 wrong_shape=None, lists=(), output_list=False, changing=None, empty=None, other_attrs=None):
        self.op, self.inputs, self.expect = op, inputs, expect
        self.attrs = attrs or {}
        self.dtypes, self.gradient = dtypes, gradient
        #: Inputs that are refused, and a word of the message.
        self.wrong_dtype, self.wrong_shape = wrong_dtype, wrong_shape
        #: Which inputs are lists; whether the output is.
        self.lists, self.output_list = lists, output_list
        #: A check of two calls in a row, for ops that are not functions of their inputs.
        self.changing = changing
        #: Inputs without elements.
        self.empty = empty
        #: Other attrs, with what they give.
        self.other_attrs = other_attrs or []


def numbers(*shape, dtype="float32", start=1):
    count = int(np.prod(shape))
    return (np.arange(start, start + count) % 7).reshape(shape).astype(dtype)


def _cast(dtype, *arrays):
    return [array.astype(dtype) for array in arrays]


def _describe(s="text", i=-3, f=0.5, b=True, t=3, h=2, li=(1, -2), lf=(), lb=(True, False), ls=(), lt=0):
    def expect(x):
        row = [len(s), i, round(f * 1000), int(b), t, h, sum(li), round(sum(lf) * 1000), sum(lb), sum(map(len, ls)), lt]
        return [np.array(row, "int64") * x.size]

    return expect


FLOATS = ("float32", "float64")

CASES = [
    Case("plain_add", lambda d: _cast(d, numbers(2, 3), numbers(2, 3, start=4)), lambda x, y: [x + y],
         dtypes=("float16", "bfloat16", "float32", "float64", "int8", "int32", "int64", "uint8", "complex64"),
         gradient=True, wrong_dtype=lambda: ([numbers(2), numbers(2, dtype="float64")], "float|no kernel"),
         wrong_shape=lambda: ([numbers(2), numbers(3)], "must be equal|is of the shape"),
         empty=lambda: [numbers(0, 3), numbers(0, 3)]),
    Case("scale_shift", lambda d: _cast(d, numbers(4, 2)), lambda x: [x * 2 + 1], {"scale": 2.0, "shift": 1},
         dtypes=FLOATS, gradient=True, wrong_dtype=lambda: ([numbers(2, dtype="int32")], "float|int32"),
         empty=lambda: [numbers(0)],
         other_attrs=[({}, lambda x: [x]),
                      ({"mode": "clip", "bounds": [1.5, 3.0]}, lambda x: [np.clip(x, 1.5, 3.0)])]),
    Case("squash", lambda d: _cast(d, numbers(2, 3) / 4), lambda x: [np.tanh(x)], dtypes=FLOATS, gradient=True,
         wrong_dtype=lambda: ([numbers(2, dtype="int32")], "float|int32"), empty=lambda: [numbers(0, 2)]),
    Case("row_sums", lambda d: _cast(d, numbers(3, 4)), lambda x: [x.sum(1)], dtypes=(*FLOATS, "int64"), gradient=True,
         wrong_dtype=lambda: ([numbers(2, 2, dtype="int32")], "int"),
         wrong_shape=lambda: ([numbers(5)], "rank"), empty=lambda: [numbers(0, 3)],
         other_attrs=[({"keep_dims": True}, lambda x: [x.sum(1, keepdims=True)])]),
    Case("spread_rows", lambda d: _cast(d, numbers(3, 2), numbers(3)), lambda x, v: [np.repeat(v[:, None], 2, 1)],
         dtypes=FLOATS, gradient=True),
    Case("mean_variance", lambda d: _cast(d, numbers(3, 3)), lambda x: [x.mean(), x.var()], dtypes=FLOATS),
    Case("join_rows", lambda d: _cast(d, numbers(2, 3), numbers(2, 3, start=3)),
         lambda *parts: [np.concatenate(parts)], dtypes=(*FLOATS, "int32", "int64"), gradient=True, lists=(0,),
         wrong_shape=lambda: ([numbers(2, 3), numbers(2, 4)], "must be equal")),
    Case("split_rows", lambda d: _cast(d, numbers(4, 3)), lambda x: np.split(x, 2), {"num_split": 2},
         dtypes=(*FLOATS, "int32", "int64"), gradient=True, output_list=True,
         wrong_shape=lambda: ([numbers(3, 3)], "equal parts")),
    Case("mat_vec", lambda d: _cast(d, numbers(3, 4), numbers(4)), lambda m, v: [m @ v], dtypes=FLOATS, gradient=True,
         wrong_shape=lambda: ([numbers(3, 4), numbers(3)], "must be equal|do not meet"),
         other_attrs=[]),
    Case("outer_product", lambda d: _cast(d, numbers(3), numbers(2)), lambda c, r: [np.outer(c, r)], dtypes=FLOATS,
         gradient=True, wrong_shape=lambda: ([numbers(3, 1), numbers(2)], "rank")),
    Case("largest_of_rows", lambda d: _cast(d, numbers(5, 3)), lambda m: [m.max(1) * np.arange(len(m), dtype=m.dtype)],
         dtypes=FLOATS),
    Case("non_zero_rows", lambda d: _cast(d, np.array([[0, 0], [1, 0], [0, 2]])), lambda x: [np.flatnonzero(x.any(1))],
         dtypes=FLOATS),
    Case("describe_attrs", lambda d: [numbers(2)], _describe(),
         other_attrs=[({"s": "it's \"ok\"", "i": 7, "f": 2.25, "b": False, "li": [5, 6], "lf": [0.5, 1.5],
                        "lb": [True, True], "ls": ["ab", "c"]},
                       _describe(s="it's \"ok\"", i=7, f=2.25, b=False, li=(5, 6), lf=(0.5, 1.5), lb=(True, True),
                                 ls=("ab", "c")))]),
    Case("convert_to", lambda d: [numbers(2, 2)], lambda x: [x.astype("int64")], {"To": "int64"}),
    Case("full_of", lambda d: [], lambda: [np.full((2, 3), 1.5, "float32")], {"shape": [2, 3], "value": 1.5}),
    Case("look_up", lambda d: [np.array([[3, 0], [2, 15]], "int64")], lambda x: [(x * x).astype("float32")],
         wrong_shape=lambda: ([np.array([16], "int64")], "not below"),
         other_attrs=[({"size": 20}, lambda x: [(x * x).astype("float32")])]),
    Case("count_calls", lambda d: [numbers(1)], None,
         changing=lambda first, second: second[0] == first[0] + 1, attrs={"counter": "a"}),
    Case("noise_like", lambda d: [numbers(3, 2)], None, {"seed": 5},
         changing=lambda first, second: first[0].shape == (3, 2) and (first[0] != second[0]).any()
         and (first[0] >= 0).all() and (first[0] < 1).all()),
    Case("fail_above", lambda d: [numbers(2) / 7], lambda x: [x],
         wrong_shape=lambda: ([np.array([2.0], "float32")], "panicked.*above 1")),
    Case("join_texts", lambda d: [np.array([["a"], ["b"]], object), np.array([["x"], [""]], object)],
         lambda x, y: [np.array([["a-x"], ["b-"]], object)], {"separator": "-"}, lists=(0,), dtypes=("string",)),
]

"""Recurrent cells."""
from draw import given

from . import recipe


def extents(d):
    """Batch, input and cell."""
    return d.integer(1, 5), d.integer(1, 6), d.integer(1, 6)


def gentle(d, dtype="float32"):
    """Numbers whose sums of products neither overflow nor are NaN: small ones of float16."""
    d.style = d.one(["plain", "plain", "unit", "small", "positive"]) if dtype != "float16" else "unit"


def inputs(d, dtype, leading, batch, width, cell):
    """`x`, the states, the weights, the peepholes and the bias; seldom some that do not fit."""
    wrong = d.integer(0, 7) if d.bad() else None
    shapes = [(*leading, batch, width), (batch, cell), (batch, cell), (width + cell, 4 * cell), (cell,), (cell,), (cell,), (4 * cell,)]
    if wrong in (2, 3, 7):
        shapes[wrong] = (*shapes[wrong][:-1], shapes[wrong][-1] + 4)
    return [d.tensor(dtype, shape) for shape in shapes]


def attrs_of(d, op):
    attrs = {"use_peephole": d.chance(0.5)}
    if "Grad" not in op:
        attrs["cell_clip"] = d.one([0.0, 0.5, 3.0, -1.0])
    if op in ("LSTMBlockCell", "BlockLSTM"):
        attrs["forget_bias"] = d.one([0.0, 1.0, -0.5])
    return attrs


@recipe("LSTMBlockCell", "LSTMBlockCellGrad")
def cell(d, t, op):
    gentle(d)
    batch, width, size = extents(d)
    given_before = inputs(d, t["T"], (), batch, width, size)
    if "Grad" in op:
        given_before += [d.tensor(t["T"], (batch, size), "unit" if at < 4 else None) for at in range(8)]
    return given_before, attrs_of(d, op)


@recipe("BlockLSTM", "BlockLSTMV2", "BlockLSTMGrad", "BlockLSTMGradV2")
def sequence(d, t, op):
    batch, width, size = extents(d)
    time = d.integer(1, 5)
    gentle(d, t["T"] if "Grad" in op else "float32")
    # The outputs of steps beyond the length are whatever lay in TensorFlow's memory.
    length = given("int64", d.integer(0, time) if "Grad" in op else time)
    given_before = [length, *inputs(d, t["T"], (time,), batch, width, size)]
    if "Grad" in op:
        given_before += [d.tensor(t["T"], (time, batch, size), "unit" if at < 4 else None) for at in range(9)]
    return given_before, attrs_of(d, op)


@recipe("GRUBlockCell", "GRUBlockCellGrad")
def gru(d, t, op):
    gentle(d)
    batch, width, size = extents(d)
    shapes = [(batch, width), (batch, size), (width + size, 2 * size), (width + size, size), (2 * size,), (size,)]
    if d.bad():
        wrong = d.integer(1, 5)
        shapes[wrong] = (*shapes[wrong][:-1], shapes[wrong][-1] + 1)
    if "Grad" in op:
        shapes += [(batch, size)] * 4
    return [d.tensor(t["T"], shape) for shape in shapes]

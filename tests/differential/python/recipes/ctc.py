"""Labellings of sequences."""
import numpy as np

from draw import given

from . import recipe


def logits(d, t, low=1):
    """Logits [time, batch, classes], and lengths."""
    d.style = "plain"
    time, batch, classes = d.integer(1, 6), d.integer(1, 3), d.integer(2, 5)
    lengths = [d.integer(low, time) for _ in range(batch)]
    if d.bad():
        lengths[0] = time + 1
    return d.tensor(t["T"], (time, batch, classes)), given("int32", lengths)


@recipe("CTCLoss")
def loss(d, t):
    inputs, lengths = logits(d, t, 0)
    rows, values = [], []
    for row, length in enumerate(lengths.array):
        count = d.integer(1, max(1, int(length)) + (1 if d.bad(0.1) else 0))
        rows += [[row, at] for at in range(count)]
        # Of a sequence whose first label ends it, TensorFlow reads beyond its variables.
        last = lambda at: inputs.shape[2] - (1 if at and d.chance(0.1) else 2)
        values += [d.integer(0 if not d.bad(0.01) else -1, last(at)) for at in range(count)]
    if d.bad(0.02):
        rows.reverse()
    attrs = {"ctc_merge_repeated": d.chance(0.8), "preprocess_collapse_repeated": d.chance(0.2),
             "ignore_longer_outputs_than_inputs": d.chance(0.6)}
    return [inputs, given("int64", rows), given("int32", values), lengths], attrs


@recipe("CTCGreedyDecoder")
def greedy(d, t):
    inputs, lengths = logits(d, t, 0)
    classes = inputs.shape[2]
    return [inputs, lengths], {"blank_index": d.integer(-classes, classes - 1) if not d.bad() else classes}


@recipe("CTCBeamSearchDecoder")
def beam_search(d, t):
    inputs, lengths = logits(d, t)
    width = d.integer(1, 6)
    return [inputs, lengths], {"beam_width": width, "top_paths": d.integer(1, min(width, 2) + (1 if d.bad() else 0))}

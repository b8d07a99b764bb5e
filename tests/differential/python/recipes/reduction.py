"""Ops along axes."""
from draw import given

from . import recipe

REDUCTIONS = ("All", "Any", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum")


def moderate(d):
    """Values whose sums and products any order gives alike: no extremes."""
    if d.style in ("special", "tiny"):
        d.style = "lite"
    if d.style == "wide":
        d.style = "plain"


@recipe(*REDUCTIONS)
def reduction(d, t, op):
    if op not in ("Max", "Min"):
        moderate(d)
    dtype = t.get("T", "bool")
    shape = d.shape()
    axes = d.axes(len(shape))
    if d.bad():
        axes = axes + d.one([[len(shape)], axes[:1], [-len(shape) - 1]])
    index = t["Tidx"]
    axes = given(index, axes[0]) if len(axes) == 1 and d.chance(0.5) else given(index, axes)
    if op == "Prod" and d.style == "plain":
        d.style = "small"
    return [d.tensor(dtype, shape), axes]


@recipe("ArgMax", "ArgMin")
def arg_extremum(d, t):
    shape = d.shape(0 if d.bad() else 1)
    return [d.tensor(t["T"], shape), given(t["Tidx"], d.axis(len(shape)))]


@recipe("Cumsum", "Cumprod", "CumulativeLogsumexp")
def cumulative(d, t, op):
    moderate(d)
    if op == "Cumprod" and d.style == "plain":
        d.style = "small"
    shape = d.shape(0 if d.bad() else 1)
    return [d.tensor(t["T"], shape), given(t["Tidx"], d.axis(len(shape)))]


@recipe("TopKV2")
def top_k_v2(d, t):
    shape = d.shape(0 if d.bad() else 1)
    last = shape[-1] if shape else 1
    k = d.integer(0, last) if not d.bad() else d.one([last + 1, -1])
    return [d.tensor(t["T"], shape), given(t.get("Tk", "int32"), k)]


@recipe("TopK")
def top_k(d, t):
    shape = d.shape(0 if d.bad() else 1)
    last = shape[-1] if shape else 1
    return [d.tensor(t["T"], shape)], {"k": d.integer(0, last) if not d.bad() else last + 1}


@recipe("NthElement")
def nth_element(d, t):
    shape = d.shape(1)
    return [d.tensor(t["T"], shape), given("int32", d.integer(0, max(shape[-1] - 1, 0)) if not d.bad() else shape[-1])]


@recipe("InTopK", "InTopKV2")
def in_top_k(d, t, op):
    rows, classes = d.dim(), d.integer(1, 6)
    index = t["T"]
    targets = d.random.integers(0, classes, rows)
    if d.bad() and rows:
        targets[0] = d.one([classes, -1])
    k = d.integer(0, classes + 1)
    inputs = [d.tensor("float32", (rows, classes)), given(index, targets)]
    return (inputs, {"k": k}) if op == "InTopK" else ([*inputs, given(index, k)], {})


def segments(d, index, rows, sorted_ids):
    """Segment ids of this many rows, and the number of segments."""
    most = d.integer(1, 5)
    ids = d.random.integers(0, most, rows)
    if sorted_ids and not d.bad():
        ids.sort()
    if ids.size and d.bad():
        ids[-1] = -1
    return given(index, ids), most


@recipe("SegmentMax", "SegmentMean", "SegmentMin", "SegmentProd", "SegmentSum")
def segment(d, t):
    moderate(d)
    shape = d.shape(1, 4)
    ids, _ = segments(d, t["Tindices"], shape[0] + (1 if d.bad() else 0), True)
    return [d.tensor(t["T"], shape), ids]


@recipe("UnsortedSegmentMax", "UnsortedSegmentMin", "UnsortedSegmentProd", "UnsortedSegmentSum")
def unsorted_segment(d, t):
    moderate(d)
    shape = d.shape(1, 4)
    rank = d.integer(1, min(2, len(shape)))
    rows = shape[:rank]
    ids, most = segments(d, t["Tindices"], rows, False)
    count = most + d.integer(0, 2) if not d.bad() else d.one([most - 1, -1])
    return [d.tensor(t["T"], shape), ids, given(t["Tnumsegments"], count)]


@recipe("SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN")
def sparse_segment(d, t):
    moderate(d)
    shape = d.shape(1, 3)
    count = d.integer(0, 6) if shape[0] else 0
    picked = d.random.integers(0, max(shape[0], 1), count)
    if d.bad() and count:
        picked[0] = shape[0]
    ids, _ = segments(d, t.get("Tsegmentids", "int32"), count, True)
    return [d.tensor(t["T"], shape), given(t["Tidx"], picked), ids]


@recipe("Bincount")
def bincount(d, t):
    shape = d.shape(0, 3)
    weights = d.tensor(t["T"], shape if d.chance(0.6) else (0,), "plain")
    values = given("int32", d.random.integers(-1 if d.bad() else 0, 8, shape))
    return [values, given("int32", d.integer(-1 if d.bad() else 0, 10)), weights]


@recipe("DenseBincount")
def dense_bincount(d, t):
    shape = d.shape(1, 3 if d.bad() else 2)
    weights = d.tensor(t["T"], shape if d.chance(0.6) else (0,), "plain")
    values = given(t["Tidx"], d.random.integers(-1 if d.bad() else 0, 8, shape))
    return [values, given(t["Tidx"], d.integer(-1 if d.bad() else 0, 10)), weights]


@recipe("HistogramFixedWidth")
def histogram(d, t):
    low = d.integer(-5, 3)
    limits = given(t["T"], [low, low + d.integer(0 if d.bad() else 1, 6)])
    return [d.tensor(t["T"], d.shape(0, 3), "plain"), limits, given("int32", d.integer(0 if d.bad() else 1, 6))]

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


SPARSE = ("SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN")


def picked_rows(d, t, rows):
    """Row numbers below `rows`, seldom one that is not, and how many there are."""
    count = d.integer(0, 6) if rows else 0
    picked = d.random.integers(0, max(rows, 1), count)
    if d.bad() and count:
        picked[0] = rows
    return given(t["Tidx"], picked), count


@recipe(*SPARSE, *(f"{op}WithNumSegments" for op in SPARSE))
def sparse_segment(d, t, op):
    moderate(d)
    shape = d.shape(1, 3)
    picked, count = picked_rows(d, t, shape[0])
    ids, most = segments(d, t.get("Tsegmentids", "int32"), count, True)
    inputs = [d.tensor(t["T"], shape), picked, ids]
    if op in SPARSE:
        return inputs
    ends = int(ids.array[-1]) + 1 if count else 0
    return [*inputs, given(t["Tnumsegments"], max(ends, 0) + d.integer(0, 3) - d.bad())]


@recipe(*(f"{op}Grad" for op in SPARSE), *(f"{op}GradV2" for op in SPARSE))
def sparse_segment_grad(d, t, op):
    moderate(d)
    rows = d.integer(0 if op.endswith("V2") else 1, 5)
    picked, count = picked_rows(d, t, rows)
    if count == 0 and not op.endswith("V2"):
        # Without entries the output is whatever lay in TensorFlow's memory.
        picked, count = given(t["Tidx"], [rows - 1]), 1
    shape = (d.integer(1, 4), *d.shape(0, 2))
    ids = d.random.integers(-1 if d.bad() else 0, shape[0] + d.bad(), count)
    if d.chance(0.5):
        ids.sort()
    return [d.tensor(t["T"], shape), picked, given(t["Tsegmentids"], ids), given("int32", rows if not d.bad() else -1)]


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

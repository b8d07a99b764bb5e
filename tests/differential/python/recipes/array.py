"""Ops that move, join, split and index elements."""
import numpy as np

from cases import GraphBuilder
from draw import given

from . import graph_recipe, recipe

MANY_AXES = 5


def some(t):
    return t.get("T") or t["Tparams"]


@recipe("Identity", "Snapshot", "StopGradient", "PreventGradient", "OnesLike", "ZerosLike", "Rank", "Shape", "Size", "DeepCopy")
def unary(d, t):
    return [d.tensor(t["T"], d.shape(0, 6))]


@recipe("Bitcast")
def bitcast(d, t):
    return [d.tensor(t["T"], (*d.shape(0, 3), *d.one([(), (), (2,), (4,), (8,), (16,)])), "plain")]


@recipe("BroadcastArgs", "BroadcastGradientArgs")
def broadcast_args(d, t):
    first, second = d.broadcast(2)
    return [given(t["T"], first), given(t["T"], second)]


@recipe("BroadcastTo")
def broadcast_to(d, t):
    source, target = d.broadcast(2)
    whole = np.broadcast_shapes(source, target) if not d.bad() and compatible(source, target) else target
    return [d.tensor(t["T"], source), given(t["Tidx"], whole)]


def compatible(first, second):
    try:
        np.broadcast_shapes(first, second)
        return True
    except ValueError:
        return False


def joined(d, t, new_axis=False):
    """Tensors to be joined along an axis, and that axis."""
    shape = list(d.shape(0 if d.bad() or new_axis else 1, 4, 60))
    axis = d.axis(len(shape) + (1 if new_axis else 0))
    tensors = []
    for _ in range(d.integer(1, 4)):
        if not new_axis and -len(shape) <= axis < len(shape):
            shape[axis] = d.dim()
        tensors.append(d.tensor(t["T"], shape if not d.bad(0.01) else [*shape, 2]))
    return tensors, axis


@recipe("Concat")
def concat(d, t):
    tensors, axis = joined(d, t)
    return [given("int32", axis), tensors + tensors[:1]]


@recipe("ConcatV2")
def concat_v2(d, t):
    tensors, axis = joined(d, t)
    return [tensors, given(t["Tidx"], axis if not d.bad(0.01) else [axis])]


@recipe("ConcatOffset")
def concat_offset(d, t):
    rank = d.integer(1, 4)
    axis = d.axis(rank)
    rows = [[d.integer(0, 5) for _ in range(rank)]]
    for _ in range(d.integer(1, 3)):
        row = list(rows[0])
        if -rank <= axis < rank:
            row[axis] = d.integer(0, 5)
        if d.bad():
            row[0] += 1
        rows.append(row)
    dtype = t.get("shape_type", "int32")
    return [given("int32", axis), [given(dtype, row) for row in rows]]


@recipe("Pack")
def pack(d, t):
    tensors, axis = joined(d, t, new_axis=True)
    return [tensors], {"axis": axis}


@recipe("Unpack")
def unpack(d, t):
    shape = d.shape(0 if d.bad() else 1)
    axis = d.axis(len(shape))
    size = shape[axis] if -len(shape) <= axis < len(shape) else 1
    return [d.tensor(t["T"], shape)], {"axis": axis, "num": size if not d.bad() else size + 1}


@recipe("Transpose", "ConjugateTranspose")
def transpose(d, t):
    shape = d.shape(0, 6)
    order = [int(a) for a in d.random.permutation(len(shape))]
    if order and d.bad():
        order[0] = d.one([len(order), -1, order[-1]])
    return [d.tensor(t["T"], shape), given(t["Tperm"], order if not d.bad(0.01) else [*order, 0])]


@recipe("InvertPermutation")
def invert_permutation(d, t):
    order = d.random.permutation(d.integer(0, 9))
    if len(order) and d.bad(0.1):
        order[0] = d.one([len(order), -1, order[-1]])
    return [given(t["T"], order)]


@recipe("DepthToSpace", "SpaceToDepth")
def depth_to_space(d, t, op):
    block = d.integer(2, 3)
    layout = "NHWC" if d.chance(0.97) else "NCHW"
    height, width, depth = d.integer(1, 3), d.integer(1, 3), d.integer(1, 2)
    if op == "DepthToSpace":
        depth *= block * block
    else:
        height, width = height * block, width * block
    if d.bad(0.06):
        height, depth = height + 1, depth + 1
    shape = (d.integer(0, 2), height, width, depth) if layout == "NHWC" else (1, depth, height, width)
    return [d.tensor(t["T"], shape)], {"block_size": block, "data_format": layout}


@recipe("EnsureShape")
def ensure_shape(d, t):
    shape = d.shape()
    wanted = [None if d.chance(0.4) else s + (1 if d.bad() else 0) for s in shape]
    return [d.tensor(t["T"], shape)], {"shape": None if d.chance(0.2) else wanted if not d.bad() else [*wanted, 1]}


@recipe("ExpandDims")
def expand_dims(d, t):
    shape = d.shape()
    axis = d.axis(len(shape) + 1)
    return [d.tensor(t["T"], shape), given(t["Tdim"], axis if d.chance(0.8) else [axis])]


@recipe("Squeeze")
def squeeze(d, t):
    shape = tuple(1 if d.chance(0.5) else s for s in d.shape())
    ones = [a for a, s in enumerate(shape) if s == 1]
    picked = [int(a) - (len(shape) if d.chance(0.3) else 0) for a in d.random.permutation(ones)[:d.integer(0, len(ones))]]
    if d.bad():
        picked.append(d.axis(len(shape), 0.5))
    return [d.tensor(t["T"], shape)], {"squeeze_dims": picked}


@recipe("Fill")
def fill(d, t):
    shape = list(d.shape())
    if shape and d.bad():
        shape[0] = -1
    return [given(t["index_type"], shape), d.tensor(t["T"], () if not d.bad(0.02) else (1,))]


@recipe("Reshape")
def reshape(d, t):
    shape = d.shape()
    factors = [s for s in shape for s in factored(d, s)]
    target = [int(f) for f in d.random.permutation(factors)] if factors else []
    if target and d.chance(0.4) and 0 not in target:
        target[d.integer(0, len(target) - 1)] = -1
    if d.bad():
        target = [*target, d.one([2, -1, -2])]
    return [d.tensor(t["T"], shape), given(t["Tshape"], target)]


def factored(d, size):
    """Some factors of a size."""
    if size > 3 and size % 2 == 0 and d.chance(0.5):
        return [2, size // 2]
    return [size, 1] if d.chance(0.2) else [size]


def picks(d, size, shape):
    """Indices below `size`, seldom one outside."""
    found = d.random.integers(0, max(size, 1), shape)
    if found.size and (size == 0 or d.bad()):
        found.reshape(-1)[0] = d.one([size, -1, size + 7])
    return found


@recipe("Gather")
def gather(d, t):
    shape = d.shape(0 if d.bad() else 1)
    return [d.tensor(t["Tparams"], shape), given(t["Tindices"], picks(d, shape[0] if shape else 1, d.shape(0, 3)))]


@recipe("GatherV2")
def gather_v2(d, t):
    shape = d.shape(0 if d.bad() else 1)
    axis = d.axis(len(shape))
    known = -len(shape) <= axis < len(shape)
    size = shape[axis] if known else 1
    batch = d.integer(0, axis % len(shape)) if known and d.chance(0.4) else 0
    indices = (*shape[:batch], *d.shape(0, 2, 12))
    attrs = {"batch_dims": batch - (len(indices) if batch and d.chance(0.2) else 0) if not d.bad() else d.one([-9, 7])}
    return [d.tensor(t["Tparams"], shape), given(t["Tindices"], picks(d, size, indices)), given(t["Taxis"], axis)], attrs


@recipe("GatherNd")
def gather_nd(d, t):
    shape = d.shape(0 if d.bad() else 1)
    depth = d.integer(0, len(shape)) + (1 if d.bad() else 0)
    outer = d.shape(0 if d.bad() else 1, 2, 12)
    columns = [picks(d, shape[k] if k < len(shape) else 1, outer) if d.chance(0.9) else np.zeros(outer, int) for k in range(depth)]
    indices = np.stack(columns, -1) if columns else np.zeros((*outer, 0), int)
    return [d.tensor(t["Tparams"], shape), given(t["Tindices"], indices)], {"bad_indices_policy": d.one(["", "", "DEFAULT", "ERROR", "IGNORE"])}


def scattered(d, shape, duplicates=True):
    """Indices into a tensor of this shape, and the shape of the updates."""
    depth = d.integer(1, max(len(shape), 1))
    outer = d.shape(1, 2, 8)
    columns = [picks(d, shape[k] if k < len(shape) else 1, outer) for k in range(depth)]
    indices = np.stack(columns, -1)
    if not duplicates:
        rows, first = np.unique(indices.reshape(-1, depth), axis=0, return_index=True)
        indices, outer = indices.reshape(-1, depth)[np.sort(first)], (len(first),)
    return indices, (*outer, *shape[depth:])


POLICIES = ["", "", "", "DEFAULT", "ERROR", "IGNORE"]


@recipe("ScatterNd")
def scatter_nd(d, t):
    shape = d.shape(1, 4, 60)
    indices, updates = scattered(d, shape)
    if d.bad():
        updates = (*updates, 2)
    inputs = [given(t["Tindices"], indices), d.tensor(t["T"], updates, "small"), given(t["Tindices"], shape)]
    return inputs, {"bad_indices_policy": d.one(POLICIES)}


@recipe("ScatterNdNonAliasingAdd")
def scatter_nd_add(d, t):
    shape = d.shape(1, 4, 60)
    indices, updates = scattered(d, shape)
    return [d.tensor(t["T"], shape, "small"), given(t["Tindices"], indices), d.tensor(t["T"], updates, "small")], {"bad_indices_policy": d.one(POLICIES)}


@recipe("TensorScatterAdd", "TensorScatterMax", "TensorScatterMin", "TensorScatterSub", "TensorScatterUpdate")
def tensor_scatter(d, t, op):
    shape = d.shape(1, 4, 60)
    indices, updates = scattered(d, shape, duplicates=op != "TensorScatterUpdate")
    if d.bad():
        updates = (*updates, 2)
    style = "small" if op.endswith(("Add", "Sub")) else "plain"
    return [d.tensor(t["T"], shape, style), given(t["Tindices"], indices), d.tensor(t["T"], updates, style)], {"bad_indices_policy": d.one(POLICIES)}


@recipe("MirrorPad")
def mirror_pad(d, t):
    shape, mode = d.shape(0, MANY_AXES, 60), d.one(["REFLECT", "SYMMETRIC"])
    spare = 1 if mode == "REFLECT" else 0
    rows = [[d.integer(0, max(s - spare, 0)) + (1 if d.bad(0.01) else 0) for _ in range(2)] for s in shape]
    return [d.tensor(t["T"], shape), given(t["Tpaddings"], np.reshape(rows, (-1, 2)))], {"mode": mode}


@recipe("MirrorPadGrad")
def mirror_pad_grad(d, t):
    mode = d.one(["REFLECT", "SYMMETRIC"])
    inner = [d.integer(1, 5) for _ in range(d.integer(0, 4))]
    spare = 1 if mode == "REFLECT" else 0
    rows = [[d.integer(0, max(s - spare, 0)) for _ in range(2)] for s in inner]
    shape = [s + sum(row) for s, row in zip(inner, rows)]
    return [d.tensor(t["T"], shape, "plain"), given(t["Tpaddings"], np.reshape(rows, (-1, 2)))], {"mode": mode}


@recipe("Pad", "PadV2")
def pad(d, t, op):
    shape = d.shape(0, 6, 40)
    rows = np.reshape([[d.integer(0, 2) for _ in range(2)] for _ in shape], (-1, 2))
    if rows.size and d.bad():
        rows[0, 0] = -1
    if d.bad(0.01):
        rows = rows.reshape(-1)
    inputs = [d.tensor(t["T"], shape), given(t["Tpaddings"], rows)]
    return inputs if op == "Pad" else [*inputs, d.tensor(t["T"], ())]


@recipe("OneHot")
def one_hot(d, t):
    shape, depth = d.shape(0, 4, 40), d.integer(0, 5) if not d.bad() else -1
    indices = given(t["TI"], d.random.integers(-1 if t["TI"] != "uint8" else 0, depth + 2, shape))
    return [indices, given("int32", depth), d.tensor(t["T"], ()), d.tensor(t["T"], ())], {"axis": d.integer(-1, len(shape)) if not d.bad() else 9}


@recipe("ReverseV2")
def reverse_v2(d, t):
    shape = d.shape(0, 6)
    axes = d.axes(len(shape))
    if d.bad():
        axes = [*axes, *axes[:1], d.axis(len(shape), 0.5)]
    return [d.tensor(t["T"], shape), given(t["Tidx"], axes)]


@recipe("Reverse")
def reverse(d, t):
    shape = d.shape(0, 5)
    return [d.tensor(t["T"], shape), d.tensor("bool", (len(shape) + (1 if d.bad() else 0),))]


@recipe("ReverseSequence")
def reverse_sequence(d, t):
    shape = d.shape(2, 4)
    batch, along = (int(a) for a in d.random.permutation(len(shape))[:2])
    if d.bad():
        along = d.one([batch, len(shape)])
    lengths = d.random.integers(0, shape[along] + 1 if along < len(shape) else 1, shape[batch])
    if len(lengths) and d.bad():
        lengths[0] = d.one([-1, 99])
    return [d.tensor(t["T"], shape), given(t["Tlen"], lengths)], {"seq_dim": along, "batch_dim": batch}


@recipe("Roll")
def roll(d, t):
    shape = d.shape(0 if d.bad() else 1)
    axes = [d.axis(len(shape), 0.01) for _ in range(d.integer(1, 3))]
    shifts = [d.integer(-9, 9) for _ in axes]
    if len(axes) == 1 and d.chance(0.5):
        axes, shifts = axes[0], shifts[0]
    return [d.tensor(t["T"], shape), given(t["Tshift"], shifts), given(t["Taxis"], axes)]


@recipe("ShapeN")
def shape_n(d, t):
    return [[d.tensor(t["T"], d.shape(0, 4, 30)) for _ in range(d.integer(1, 4))]]


@recipe("Slice")
def slice_(d, t):
    shape = d.shape(0, 6)
    begin = [d.integer(0, s) for s in shape]
    size = [d.integer(0, s - b) if d.chance(0.7) else -1 for s, b in zip(shape, begin)]
    if size and d.bad(0.06):
        size[0] = shape[0] + 1
    if begin and d.bad():
        begin[0] = d.one([-1, shape[0] + 1])
    return [d.tensor(t["T"], shape), given(t["Index"], begin), given(t["Index"], size)]


@recipe("Split")
def split(d, t):
    shape, count = list(d.shape(1, 4, 40)), d.integer(1, 4)
    axis = d.axis(len(shape))
    if -len(shape) <= axis < len(shape):
        shape[axis] = count * d.integer(0, 3) + (1 if d.bad() else 0)
    return [given("int32", axis), d.tensor(t["T"], shape)], {"num_split": count}


@recipe("SplitV")
def split_v(d, t):
    shape, count = list(d.shape(1, 4, 40)), d.integer(1, 4)
    axis = d.axis(len(shape))
    parts = [d.integer(0, 3) for _ in range(count)]
    if -len(shape) <= axis < len(shape):
        shape[axis] = sum(parts) + (1 if d.bad() else 0)
    if d.chance(0.3):
        parts[d.integer(0, count - 1)] = -1
    return [d.tensor(t["T"], shape), given(t["Tlen"], parts), given("int32", axis)], {"num_split": count}


def strided(d):
    """A tensor's shape, vectors of begin, end and stride, and masks."""
    shape = d.shape(0, 6)
    count = d.integer(0, len(shape) + (1 if d.chance(0.3) else 0))
    begin, end, strides = [], [], []
    for k in range(count):
        size = shape[k] if k < len(shape) else 1
        strides.append(d.one([1, 1, 1, 2, -1, -2, 3]) if not d.bad(0.01) else 0)
        begin.append(d.integer(-size - 1, size + 1))
        end.append(d.integer(-size - 1, size + 1))
    mask = lambda chance: sum(1 << k for k in range(count) if d.chance(chance))
    masks = {"begin_mask": mask(0.2), "end_mask": mask(0.2), "new_axis_mask": mask(0.1), "shrink_axis_mask": mask(0.15), "ellipsis_mask": 0}
    if count and d.chance(0.15):
        masks["ellipsis_mask"] = 1 << d.integer(0, count - 1)
    if count > 1 and d.bad(0.01):
        masks["ellipsis_mask"] = 3
    for k in range(count):
        if masks["shrink_axis_mask"] >> k & 1 and k < len(shape) and shape[k] and not d.bad():
            begin[k], strides[k] = d.integer(-shape[k], shape[k] - 1), 1
    return shape, begin, end, strides, masks


@recipe("StridedSlice")
def strided_slice(d, t):
    shape, begin, end, strides, masks = strided(d)
    return [d.tensor(t["T"], shape), *(given(t["Index"], v) for v in (begin, end, strides))], masks


def plain_strided(d):
    """As `strided`, of slices whose result is easily known: that of a NumPy slice."""
    shape = d.shape(1, 4, 60)
    count = d.integer(0, len(shape))
    cuts = [slice(*sorted(d.random.integers(0, s + 1, 2).tolist()), d.one([1, 1, 2])) for s in shape[:count]]
    taken = np.zeros(shape)[tuple(cuts)].shape
    masks = {name: 0 for name in ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")}
    return shape, [c.start for c in cuts], [c.stop for c in cuts], [c.step for c in cuts], masks, taken


@recipe("StridedSliceGrad")
def strided_slice_grad(d, t):
    shape, begin, end, strides, masks, taken = plain_strided(d)
    gradient = d.tensor(t["T"], taken if not d.bad() else (*taken, 2))
    return [*(given(t["Index"], v) for v in (shape, begin, end, strides)), gradient], masks


@recipe("TensorStridedSliceUpdate")
def strided_slice_update(d, t):
    shape, begin, end, strides, masks, taken = plain_strided(d)
    value = d.tensor(t["T"], taken if not d.bad() else (*taken, 2))
    return [d.tensor(t["T"], shape), *(given(t["Index"], v) for v in (begin, end, strides)), value], masks


@recipe("Tile")
def tile(d, t):
    shape = d.shape(0, 6, 30)
    times = [d.integer(0, 3) for _ in shape]
    if times and d.bad():
        times[0] = -1
    return [d.tensor(t["T"], shape), given(t["Tmultiples"], times if not d.bad(0.01) else [*times, 1])]


@recipe("Where")
def where(d, t):
    return [d.tensor(t["T"], d.shape(0 if d.bad() else 1), d.one(["small", None]))]


@recipe("PlaceholderWithDefault")
def placeholder_with_default(d, t):
    shape = d.shape()
    return [d.tensor(t["dtype"], shape)], {"shape": d.one([None, shape, [None] * len(shape)])}


@graph_recipe("Const")
def const(d, t):
    g = GraphBuilder()
    tensor = d.tensor(t["dtype"], d.shape())
    name = g.constant(tensor)
    return g.case("Const", [name], t["dtype"])


@graph_recipe("Placeholder", "PlaceholderV2")
def placeholder(d, t, op):
    g = GraphBuilder()
    shape = d.shape()
    declared = d.one([None, shape, [None] * len(shape)]) if not d.bad(0.1) else [*shape, 1]
    name = g.node(op, dtype=t["dtype"], shape=declared)
    g.feeds.append((name, d.tensor(t["dtype"], shape)))
    return g.case(op, [g.node("Identity", [name], T=t["dtype"])], t["dtype"])


@graph_recipe("NoOp", "ControlTrigger")
def no_op(d, t, op):
    g = GraphBuilder()
    first = g.constant(d.tensor("float32", d.shape(0, 2)))
    nothing = g.node(op, control=[first])
    kept = g.node("Identity", [first], control=[nothing], T="float32")
    return g.case(op, [kept] if d.chance(0.7) else [], targets=[nothing])


@recipe("ParallelConcat")
def parallel_concat(d, t):
    row = (1, *d.shape(0, 3, 20))
    count = d.integer(1, 4)
    return [[d.tensor(t["T"], row) for _ in range(count)]], {"shape": (count, *row[1:])}


@recipe("Assert")
def assert_(d, t):
    condition = given("bool", d.chance(0.6)) if not d.bad() else given("bool", [True])
    data = [d.tensor(d.one(["float32", "int32", "string", "bool"]), d.shape(0, 2)) for _ in range(d.integer(1, 3))]
    return [condition, data]


@recipe("DynamicPartition")
def dynamic_partition(d, t):
    shape, count = d.shape(0, 4, 60), d.integer(1, 4)
    rank = d.integer(0, min(2, len(shape)))
    return [d.tensor(t["T"], shape), given("int32", picks(d, count, shape[:rank]))], {"num_partitions": count}


@recipe("DynamicStitch", "ParallelDynamicStitch")
def dynamic_stitch(d, t):
    sizes = [d.integer(0, 4) for _ in range(d.integer(1, 3))]
    order, rest, start = d.random.permutation(sum(sizes)), d.shape(0, 2, 8), 0
    indices, data = [], []
    for size in sizes:
        part = order[start:start + size]
        start += size
        if size == 1 and d.chance(0.5):
            part = part[0]
        if np.size(part) and d.bad():
            part = np.full(np.shape(part), -1)
        indices.append(given("int32", part))
        data.append(d.tensor(t["T"], (*np.shape(part), *rest) if not d.bad(0.02) else (*rest, 2)))
    return [indices, data]


def blocks(d, spatial):
    return [d.integer(1, 3) for _ in spatial]


@recipe("SpaceToBatchND", "BatchToSpaceND")
def space_to_batch_nd(d, t, op):
    count = d.integer(1, 3)
    sizes = blocks(d, range(count))
    rest = d.shape(0, 1)
    if op == "SpaceToBatchND":
        spatial = [d.integer(0, 4) for _ in sizes]
        rows = []
        for size, block in zip(spatial, sizes):
            before = d.integer(0, 2)
            rows.append([before, -(size + before) % block + (1 if d.bad() else 0)])
        return [d.tensor(t["T"], (d.integer(1, 3), *spatial, *rest)), given(t["Tblock_shape"], sizes), given(t["Tpaddings"], rows)]
    batch = int(np.prod(sizes)) * d.integer(1, 2) + (1 if d.bad() else 0)
    spatial = [d.integer(1, 4) for _ in sizes]
    rows = [[d.integer(0, min(1, s * b)), d.integer(0, 1)] for s, b in zip(spatial, sizes)]
    return [d.tensor(t["T"], (batch, *spatial, *rest)), given(t["Tblock_shape"], sizes), given(t["Tcrops"], rows)]


@recipe("SpaceToBatch", "BatchToSpace")
def space_to_batch(d, t, op):
    block = d.integer(2, 3)
    if op == "SpaceToBatch":
        height, width = d.integer(1, 4), d.integer(1, 4)
        rows = [[1, -(height + 1) % block], [0, -width % block + (1 if d.bad() else 0)]]
        return [d.tensor(t["T"], (d.integer(1, 2), height, width, 2)), given(t["Tpaddings"], rows)], {"block_size": block}
    shape = (block * block * d.integer(1, 2) + (1 if d.bad() else 0), d.integer(1, 3), d.integer(1, 3), 2)
    return [d.tensor(t["T"], shape), given(t["Tidx"], [[d.integer(0, 1), 0], [0, d.integer(0, 1)]])], {"block_size": block}


@recipe("Unique", "UniqueWithCounts")
def unique(d, t):
    return [d.tensor(t["T"], (d.integer(0, 12),) if not d.bad() else (2, 2), d.one(["small", None]))]


@recipe("UniqueV2", "UniqueWithCountsV2")
def unique_v2(d, t):
    shape = d.shape(1, 3, 40)
    axis = [] if len(shape) == 1 and d.chance(0.5) else [d.axis(len(shape))]
    return [d.tensor(t["T"], shape, "small"), given(t["Taxis"], axis)]


@recipe("ListDiff")
def list_diff(d, t):
    return [d.tensor(t["T"], (d.integer(0, 9),), "small"), d.tensor(t["T"], (d.integer(0, 5),) if not d.bad() else (), "small")]


@recipe("LowerBound", "UpperBound")
def bound(d, t):
    rows = d.integer(1, 3)
    ordered = d.tensor(t["T"], (rows, d.integer(0, 7)), "plain")
    ordered.array.sort(axis=-1)
    return [ordered, d.tensor(t["T"], (rows + (1 if d.bad() else 0), d.integer(0, 5)), "plain")]


@recipe("ExtractImagePatches")
def extract_image_patches(d, t):
    shape = (d.integer(1, 2), d.integer(1, 6), d.integer(1, 6), d.integer(1, 3))
    four = lambda low, high: [1, d.integer(low, high), d.integer(low, high), 1]
    return [d.tensor(t["T"], shape)], {"ksizes": four(1, 3), "strides": four(1, 3), "rates": four(1, 2)}


@recipe("RaggedRange")
def ragged_range(d, t):
    rows = d.integer(0, 4)
    vector = lambda low, high: given(t["T"], d.integer(low, high)) if d.chance(0.3) else given(t["T"], d.random.integers(low, high + 1, rows))
    return [vector(-3, 3), vector(-5, 8), vector(0 if d.bad() else 1, 3)]


@recipe("InplaceUpdate", "InplaceAdd", "InplaceSub")
def inplace(d, t):
    shape = d.shape(1, 4)
    shape = (max(shape[0], 1), *shape[1:])
    count = d.integer(0, 4)
    rows = (count + d.bad(), *shape[1:]) if not d.bad() else (count, *shape[1:], 2)
    return [d.tensor(t["T"], shape), given("int32", d.random.integers(-5, 9, count)), d.tensor(t["T"], rows)]


@recipe("Empty")
def empty(d, t):
    shape = [*d.shape(0, 4)]
    if shape and d.bad():
        shape[0] = -1
    return [given("int32", shape)], {"init": True}


@recipe("UnravelIndex")
def unravel_index(d, t):
    dims = [d.integer(1, 6) if not d.bad() else d.one([0, -1, 1 << 30]) for _ in range(d.integer(1, 4))]
    most = int(np.prod(np.clip(dims, 1, 9)))
    indices = d.random.integers(0, most + (3 if d.bad() else 0), () if d.chance(0.3) else d.integer(0 if d.bad() else 1, 6))
    return [given(t["Tidx"], indices), given(t["Tidx"], dims)]


def formats(d):
    """Two orders of the same axes, seldom of others."""
    letters = d.one(["NHWC", "NDHWC"])
    src, dst = ("".join(d.random.permutation(list(letters))) for _ in range(2))
    return src, dst if not d.bad() else d.one(["NCHX", "NCH", "NNHW", "NCDHW"])


@recipe("DataFormatDimMap")
def dim_map(d, t):
    src, dst = formats(d)
    return [given(t["T"], d.random.integers(-len(src), len(src), d.shape()))], {"src_format": src, "dst_format": dst}


@recipe("DataFormatVecPermute")
def vec_permute(d, t):
    src, dst = formats(d)
    rows = len(src) - d.one([0, 2]) + d.bad()
    shape = d.one([(rows,), (rows, 2)]) if not d.bad() else d.one([(), (rows, 3), (rows, 2, 1)])
    return [d.tensor(t["T"], shape, "small")], {"src_format": src, "dst_format": dst}

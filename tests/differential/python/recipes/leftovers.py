"""Ops of former versions and of rare uses: fractional pools, normalisation by given statistics, glimpses, summaries of health."""
import gzip
import zlib

import numpy as np

from cases import GraphBuilder
from draw import given

from . import graph_recipe, recipe


def pooled(d, extent, ratio):
    return int(np.floor(np.float32(extent) / np.float32(ratio)))


@recipe("FractionalAvgPool", "FractionalMaxPool")
def fractional_pool(d, t, op):
    shape = (d.integer(1, 2), d.integer(3, 9), d.integer(3, 9), d.integer(1, 3))
    ratios = [1.0, d.one([1.0, 1.3, 1.44, 2.0, 2.5]), d.one([1.0, 1.3, 1.73, 3.0]), 1.0]
    if d.bad():
        ratios[d.integer(0, 3)] = d.one([0.5, 2.0])
    attrs = {"pooling_ratio": ratios, "seed": d.integer(1, 99), "seed2": d.integer(0, 99), "pseudo_random": d.chance(0.5),
             "overlapping": d.chance(0.5), "deterministic": not d.bad()}
    return [d.tensor(t["T"], shape, "plain")], attrs


def cuts(d, extent):
    """A sequence of cuts of an axis, with runs of at most one element more than the least."""
    count = d.integer(1, extent)
    runs = np.full(count, extent // count)
    runs[:extent % count] += 1
    d.random.shuffle(runs)
    return given("int64", [0, *np.cumsum(runs)]), count


@recipe("FractionalAvgPoolGrad", "FractionalMaxPoolGrad")
def fractional_pool_grad(d, t, op):
    shape = (d.integer(1, 2), d.integer(3, 9), d.integer(3, 9), d.integer(1, 3))
    (rows, height), (columns, width) = cuts(d, shape[1]), cuts(d, shape[2])
    out = (shape[0], height, width, shape[3])
    gradient = d.tensor(t["T"], out, "plain")
    overlapping = d.chance(0.5)
    if op == "FractionalAvgPoolGrad":
        return [given("int64", shape), gradient, rows, columns], {"overlapping": overlapping}
    image = d.tensor(t["T"], shape, "plain")
    largest = np.zeros(out, image.array.dtype)
    for y in range(height):
        for x in range(width):
            part = image.array[:, rows.array[y]:rows.array[y + 1] + overlapping, columns.array[x]:columns.array[x + 1] + overlapping]
            largest[:, y, x] = part.max(axis=(1, 2))
    return [image, given(t["T"], largest), gradient, rows, columns], {"overlapping": overlapping}


@recipe("BatchNormWithGlobalNormalization", "BatchNormWithGlobalNormalizationGrad")
def global_normalization(d, t, op):
    shape = (d.integer(1, 2), d.integer(1, 4), d.integer(1, 4), d.one([1, 3, 8]))
    vector = lambda style: d.tensor(t["T"], shape[-1:], style)
    inputs = [d.tensor(t["T"], shape, "unit"), vector("unit"), vector("positive"), vector("unit")]
    last = vector("unit") if op == "BatchNormWithGlobalNormalization" else d.tensor(t["T"], shape, "unit")
    return [*inputs, last], {"variance_epsilon": d.one([0.25, 0.01]), "scale_after_normalization": d.chance(0.5)}


@recipe("IsotonicRegression")
def isotonic_regression(d, t):
    return [d.tensor(t["T"], d.shape(0, 3), d.one(["small", "plain"]))], {"output_dtype": t["output_dtype"]}


@recipe("ApproxTopK")
def approx_top_k(d, t):
    shape = d.shape(1, 3)
    k = d.integer(0, shape[-1]) if not d.bad() else shape[-1] + 1
    return [d.tensor(t["T"], shape, "plain")], {"k": k, "reduction_dimension": -1, "is_max_k": True, "aggregate_to_topk": True,
                                               "reduction_input_size_override": -1, "recall_target": 0.95}


@recipe("AdjustContrast")
def adjust_contrast(d, t):
    images = d.tensor(t["T"], d.shape(3 if not d.bad() else 2, 5), "small")
    return [images, *(given("float32", x) for x in (d.integer(-4, 8) / 4, -float(d.integer(0, 9)), float(d.integer(0, 99))))]


@recipe("RandomCrop")
def random_crop(d, t):
    shape = (d.integer(1, 7), d.integer(1, 7), d.integer(1, 3))
    size = [d.integer(0, shape[0]), d.integer(0, shape[1] + (1 if d.bad() else 0))]
    return [d.tensor(t["T"], shape), given("int64", size)], {"seed": d.integer(1, 99), "seed2": d.integer(0, 99)}


@recipe("SampleDistortedBoundingBox", "SampleDistortedBoundingBoxV2", "StatelessSampleDistortedBoundingBox")
def sample_box(d, t, op):
    size = given(t["T"], [d.integer(1, 60), d.integer(1, 60), 3])
    count = d.integer(0, 3)
    corners = np.sort(d.random.integers(0, 9, (1, count, 2, 2)) / 8, axis=2).reshape(1, count, 4)
    boxes = given("float32", corners if not d.bad() else corners + 2)
    attrs = {"aspect_ratio_range": d.one([[0.75, 1.33], [1.0, 1.0], [0.5, 2.0]]), "area_range": d.one([[0.05, 1.0], [0.5, 0.5], [0.1, 0.9]]),
             "max_attempts": d.one([1, 10, 100]) if not d.bad() else 0, "use_image_if_no_bounding_boxes": count == 0 or d.chance(0.5)}
    covered = d.one([0.0, 0.1, 0.5, 1.0])
    if op == "SampleDistortedBoundingBox":
        return [size, boxes], {**attrs, "min_object_covered": covered, "seed": d.integer(1, 99), "seed2": d.integer(0, 99)}
    inputs = [size, boxes, given("float32", covered if not d.bad() else -1.0)]
    if op == "SampleDistortedBoundingBoxV2":
        return inputs, {**attrs, "seed": d.integer(1, 99), "seed2": d.integer(0, 99)}
    return [*inputs, given(t["Tseed"], d.random.integers(-99, 99, 2))], attrs


@recipe("ExtractGlimpse", "ExtractGlimpseV2")
def extract_glimpse(d, t):
    shape = (d.integer(1, 3), d.integer(1, 7), d.integer(1, 7), d.integer(1, 3))
    size = given("int32", [d.integer(1, 5), d.integer(1, 5)] if not d.bad() else [0, 3])
    normalized = d.chance(0.5)
    offsets = d.random.integers(-8, 9, (shape[0], 2)) / (8 if normalized else 1)
    attrs = {"normalized": normalized, "centered": d.chance(0.5), "uniform_noise": d.bad(), "noise": "zero"}
    return [d.tensor("float32", shape, "plain"), size, given("float32", offsets)], attrs


@recipe("ExtractVolumePatches")
def volume_patches(d, t):
    shape = (d.integer(1, 2), *(d.integer(1, 5) for _ in range(3)), d.integer(1, 3))
    sizes = [1, *(d.integer(1, 3) for _ in range(3)), 1 if not d.bad() else 2]
    attrs = {"ksizes": sizes, "strides": [1, *(d.integer(1, 3) for _ in range(3)), 1], "padding": d.one(["SAME", "VALID"])}
    return [d.tensor(t["T"], shape)], attrs


@recipe("DebugIdentity", "DebugIdentityV3", "DebugNanCount", "DebugNumericSummary")
def debug(d, t, op):
    attrs = {"tensor_name": "node:0" if not d.bad() else "", "debug_urls": [], "device_name": "", "gated_grpc": False}
    if op == "DebugIdentityV3":
        attrs |= {"io_of_node": "", "io_index": 0}
    if op == "DebugNumericSummary":
        attrs |= {"mute_if_healthy": d.chance(0.3), "lower_bound": d.one([-np.inf, -2.0]), "upper_bound": d.one([np.inf, 2.0])}
    return [d.tensor(t["T"], d.shape())], attrs


@recipe("DebugIdentityV2")
def debug_v2(d, t):
    return [d.tensor(t["T"], d.shape())], {"debug_urls": [], "tfdbg_context_id": "", "op_name": "", "tfdbg_run_id": ""}


@recipe("DebugNumericSummaryV2")
def debug_summary(d, t):
    return [d.tensor(t["T"], d.shape(0, 3))], {"tensor_debug_mode": d.one([2, 3, 4, 5, 8]) if not d.bad() else 1, "tensor_id": d.integer(0, 9)}


@graph_recipe("RefIdentity", "RefSelect", "DebugGradientRefIdentity")
def references(d, t, op):
    """References given on, and read."""
    g, dtype = GraphBuilder(), t.get("T") or d.one(("float32", "int32", "string"))
    made, filled = [], []
    for at in range(d.integer(1, 3) if op == "RefSelect" else 1):
        tensor = d.tensor(dtype, d.shape(0, 2, 8))
        made.append(g.node("VariableV2", dtype=dtype, shape=tensor.shape, shared_name=f"v{at}", container=""))
        filled.append(g.node("Assign", [made[-1], g.constant(tensor)], T=dtype, validate_shape=True, use_locking=True))
    if op == "RefSelect":
        chosen = g.feed(given("int32", d.integer(0, len(made) - 1) if not d.bad(0.1) else len(made)))
        node = g.node(op, [chosen, *made], T=dtype, N=len(made))
    else:
        node = g.node(op, made, T=dtype)
    return g.case(op, [], dtype, steps=[([], filled), ([g.node("Identity", [node], T=dtype)], [])])


@recipe("DecodeCompressed")
def decode_compressed(d, t):
    kind = d.one(["", "ZLIB", "GZIP"])
    pack = {"": lambda text: text, "ZLIB": zlib.compress, "GZIP": gzip.compress}[kind if not d.bad() else ""]
    plain = d.tensor("string", d.shape(0, 2, 8))
    packed = np.empty(plain.shape, object)
    for at in np.ndindex(*plain.shape):
        packed[at] = pack(plain.array[at])
    return [given("string", packed)], {"compression_type": kind}


@recipe("DeviceIndex")
def device_index(d, t):
    names = [d.one(["CPU", "GPU", "TPU"]) for _ in range(d.integer(0, 3))]
    return [], {"device_names": names}

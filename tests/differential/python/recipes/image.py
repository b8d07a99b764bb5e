"""Pictures: resizing, cropping, colours, boxes, codecs."""
import numpy as np
import tensorflow as tf

from draw import given

from . import recipe


def pictures(d, channels=None):
    return (d.integer(1, 2), d.integer(1, 6), d.integer(1, 6), channels or d.integer(1, 3))


def corners(d):
    """Whether corners align or pixels have their centres at halves, which exclude each other."""
    return d.one([{"align_corners": False, "half_pixel_centers": False}, {"align_corners": True, "half_pixel_centers": False},
                  {"align_corners": False, "half_pixel_centers": True}])


def size(d):
    return given("int32", [d.integer(1, 8), d.integer(1, 8)] if not d.bad() else [0, 3])


@recipe("ResizeBilinear", "ResizeBicubic", "ResizeNearestNeighbor", "ResizeArea")
def resize(d, t, op):
    how = corners(d) if op != "ResizeArea" else {"align_corners": d.chance(0.5)}
    return [d.tensor(t["T"], pictures(d) if not d.bad() else (2, 3, 4), "plain"), size(d)], how


@recipe("ResizeNearestNeighborGrad")
def resize_nearest_grad(d, t):
    return [d.tensor(t["T"], pictures(d), "plain"), size(d)], corners(d)


@recipe("ResizeBilinearGrad", "ResizeBicubicGrad")
def resize_grad(d, t):
    shape = pictures(d)
    return [d.tensor("float32", shape, "plain"), d.tensor(t["T"], (shape[0], d.integer(1, 6), d.integer(1, 6), shape[3]), "plain")], corners(d)


@recipe("CropAndResize")
def crop(d, t):
    shape, count = pictures(d), d.integer(0, 4)
    at = d.random.integers(0, shape[0] + (1 if d.bad() else 0), count)
    boxes = given("float32", d.random.uniform(-0.2, 1.2, (count, 4)))
    return [d.tensor(t["T"], shape, "plain"), boxes, given("int32", at), size(d)], {"method": d.one(["bilinear", "nearest"]), "extrapolation_value": 0.5}


@recipe("AdjustContrastv2", "AdjustHue", "AdjustSaturation")
def adjust(d, t):
    shape = (*d.shape(0, 2, 8), d.integer(1, 3), d.integer(1, 3), 3 if not d.bad() else 2)
    return [d.tensor(t["T"], shape, "unit"), given("float32", d.random.uniform(-1, 2))]


@recipe("RGBToHSV", "HSVToRGB")
def colours(d, t):
    return [d.tensor(t["T"], (*d.shape(0, 3), 3 if not d.bad() else 2), "unit")]


def boxes(d, dtype, count):
    low = d.random.uniform(0, 0.7, (count, 2))
    return given(dtype, np.concatenate([low, low + d.random.uniform(0.05, 0.6, (count, 2))], -1))


@recipe("NonMaxSuppression", "NonMaxSuppressionV2", "NonMaxSuppressionV3", "NonMaxSuppressionV4", "NonMaxSuppressionV5")
def non_max_suppression(d, t, op):
    count, dtype = d.integer(0, 8), t.get("T", "float32")
    scores = given(dtype, d.random.permutation(count) / 10.0)
    inputs = [boxes(d, dtype, count), scores if not d.bad() else given(dtype, [0.5] * (count + 1)), given("int32", d.integer(0, 6))]
    threshold = t.get("T_threshold", dtype)
    limit = lambda: given(threshold, d.random.uniform(0.0, 1.0))
    more = {"NonMaxSuppression": 0, "NonMaxSuppressionV2": 1, "NonMaxSuppressionV3": 2, "NonMaxSuppressionV4": 2, "NonMaxSuppressionV5": 3}[op]
    return inputs + [limit() for _ in range(more)], {"iou_threshold": 0.4} if not more else {}


@recipe("CombinedNonMaxSuppression")
def combined(d, t):
    batch, count, classes = d.integer(1, 2), d.integer(1, 6), d.integer(1, 3)
    own = classes if d.chance(0.5) else 1
    found = np.stack([np.stack([boxes(d, "float32", count).array for _ in range(own)], 1) for _ in range(batch)])
    scores = d.random.permutation(batch * count * classes).reshape(batch, count, classes) / 100.0
    return [given("float32", found), given("float32", scores), given("int32", d.integer(1, 4)), given("int32", d.integer(1, 6)), given("float32", 0.5), given("float32", 0.05)]


@recipe("DrawBoundingBoxes")
def draw_boxes(d, t):
    shape = pictures(d, d.one([1, 3, 4]))
    found = np.stack([boxes(d, "float32", 2).array for _ in range(shape[0])])
    return [d.tensor(t["T"], shape, "unit"), given("float32", found)]


@recipe("ImageProjectiveTransformV2", "ImageProjectiveTransformV3")
def project(d, t, op):
    shape = pictures(d)
    moved = np.array([1, 0, d.random.uniform(-2, 2), 0, 1, d.random.uniform(-2, 2), 0, 0]) + d.random.uniform(-0.05, 0.05, 8)
    inputs = [d.tensor(t["dtype"], shape, "plain"), given("float32", moved[None]), given("int32", [d.integer(1, 6), d.integer(1, 6)])]
    attrs = {"interpolation": d.one(["NEAREST", "BILINEAR"]), "fill_mode": d.one(["CONSTANT", "REFLECT", "WRAP", "NEAREST"])}
    return inputs + ([given("float32", 0.5)] if op.endswith("V3") else []), attrs


def encoded(d, how, dtype="uint8"):
    pixels = d.tensor(dtype, (d.integer(1, 6), d.integer(1, 6), d.one([1, 3, 4] if how == "png" else [1, 3])), "wide").array
    data = (tf.io.encode_png(pixels) if how == "png" else tf.io.encode_jpeg(pixels, quality=95)).numpy()
    return given("string", data if not d.bad(0.08) else data[:len(data) // 2])


@recipe("DecodePng")
def decode_png(d, t):
    return [encoded(d, "png", t["dtype"])], {"channels": d.one([0, 1, 3, 4])}


@recipe("DecodeJpeg")
def decode_jpeg(d, t):
    return [encoded(d, "jpeg")], {"channels": d.one([0, 1, 3]), "ratio": d.one([1, 1, 2]), "fancy_upscaling": d.chance(0.5), "try_recover_truncated": False, "acceptable_fraction": 1.0, "dct_method": ""}


@recipe("DecodeImage")
def decode_image(d, t):
    return [encoded(d, d.one(["png", "jpeg"]))], {"channels": d.one([0, 1, 3]), "expand_animations": d.chance(0.5)}


@recipe("EncodePng", "EncodeJpeg")
def encode(d, t, op):
    channels = [1, 2, 3, 4] if op == "EncodePng" else [1, 3]
    shape = (d.integer(1, 6), d.integer(1, 6), d.one(channels) if not d.bad() else 5)
    if op == "EncodePng":
        return [d.tensor(t["T"], shape, "wide")], {"compression": -1}
    return [d.tensor("uint8", shape, "wide")], {"format": "", "quality": 95, "progressive": False, "optimize_size": False, "chroma_downsampling": True}

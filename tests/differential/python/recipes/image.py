"""Pictures: resizing, cropping, colours, boxes, codecs."""
import struct
import zlib

import numpy as np
import tensorflow as tf

import webp as webps
from draw import given

from . import recipe


SAMPLING = ["lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic"]


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


@recipe("QuantizedResizeBilinear")
def quantized_resize(d, t):
    # TensorFlow has no range of no images.
    shape = tuple(max(extent, 1) for extent in pictures(d))
    image = d.tensor(t["T"], shape if not d.bad() else (2, 3, 4), "plain")
    how = {"align_corners": d.chance(0.4), "half_pixel_centers": d.chance(0.4)}
    return [image, size(d), given("float32", -float(d.integer(0, 5))), given("float32", float(d.integer(1, 5)))], how


@recipe("ResizeNearestNeighborGrad")
def resize_nearest_grad(d, t):
    return [d.tensor(t["T"], pictures(d), "plain"), size(d)], corners(d)


@recipe("ResizeBilinearGrad", "ResizeBicubicGrad")
def resize_grad(d, t):
    shape = pictures(d)
    return [d.tensor("float32", shape, "plain"), d.tensor(t["T"], (shape[0], d.integer(1, 6), d.integer(1, 6), shape[3]), "plain")], corners(d)


@recipe("ScaleAndTranslate")
def scale_and_translate(d, t):
    numbers = lambda low, high: given("float32", d.random.uniform(low, high, 2))
    attrs = {"kernel_type": d.one(SAMPLING) if not d.bad() else "sinc", "antialias": d.chance(0.5)}
    return [d.tensor(t["T"], pictures(d), "plain"), size(d), numbers(0.3 if not d.bad() else -0.3, 2.5), numbers(-2, 2)], attrs


@recipe("ScaleAndTranslateGrad")
def scale_and_translate_grad(d, t):
    shape = pictures(d)
    original = d.tensor(t["T"], (shape[0], d.integer(1, 6), d.integer(1, 6), shape[3]), "plain")
    numbers = lambda low, high: given("float32", d.random.uniform(low, high, 2))
    attrs = {"kernel_type": d.one(SAMPLING), "antialias": d.chance(0.5)}
    return [d.tensor(t["T"], shape, "plain"), original, numbers(0.3 if not d.bad() else -0.3, 2.5), numbers(-2, 2)], attrs


def some_boxes(d, images, count):
    """Boxes of `CropAndResize`, and the image of each."""
    at = d.random.integers(0, images + (1 if d.bad() else 0), count)
    return given("float32", d.random.uniform(-0.2, 1.2, (count, 4))), given("int32", at)


@recipe("CropAndResizeGradImage")
def crop_grad_image(d, t):
    shape, count = pictures(d), d.integer(0, 4)
    grads = d.tensor("float32", (count, d.integer(1, 5), d.integer(1, 5), shape[3] + (1 if d.bad() else 0)), "plain")
    return [grads, *some_boxes(d, shape[0], count), given("int32", shape)], {"method": d.one(["bilinear", "nearest"])}


@recipe("CropAndResizeGradBoxes")
def crop_grad_boxes(d, t):
    shape, count = pictures(d), d.integer(0, 4)
    grads = d.tensor("float32", (count, d.integer(1, 5), d.integer(1, 5), shape[3] + (1 if d.bad() else 0)), "plain")
    return [grads, d.tensor(t["T"], shape, "plain"), *some_boxes(d, shape[0], count)]


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


@recipe("NonMaxSuppressionWithOverlaps")
def with_overlaps(d, t):
    count = d.integer(0, 8)
    overlaps = d.random.uniform(0, 1, (count, count))
    scores = d.random.permutation(count if not d.bad() else count + 1) / 10.0
    limit = lambda: given("float32", d.random.uniform(0.0, 1.0))
    return [given("float32", overlaps), given("float32", scores), given("int32", d.integer(0 if not d.bad() else -1, 6)), limit(), limit()]


@recipe("CombinedNonMaxSuppression")
def combined(d, t):
    batch, count, classes = d.integer(1, 2), d.integer(1, 6), d.integer(1, 3)
    own = classes if d.chance(0.5) else 1
    found = np.stack([np.stack([boxes(d, "float32", count).array for _ in range(own)], 1) for _ in range(batch)])
    scores = d.random.permutation(batch * count * classes).reshape(batch, count, classes) / 100.0
    return [given("float32", found), given("float32", scores), given("int32", d.integer(1, 4)), given("int32", d.integer(1, 6)), given("float32", 0.5), given("float32", 0.05)]


@recipe("DrawBoundingBoxes", "DrawBoundingBoxesV2")
def draw_boxes(d, t, op):
    shape = pictures(d, d.one([1, 3, 4]) if not d.bad() else 2)
    found = d.random.uniform(-0.4, 1.4, (shape[0], d.integer(0, 3), 4))
    inputs = [d.tensor(t["T"], shape, "unit"), given("float32", found)]
    return inputs + ([d.tensor("float32", (d.integer(0, 3), 4 if not d.bad() else 1), "unit")] if op.endswith("V2") else [])


@recipe("ImageProjectiveTransformV2", "ImageProjectiveTransformV3")
def project(d, t, op):
    shape = pictures(d)
    moved = np.array([1, 0, d.random.uniform(-2, 2), 0, 1, d.random.uniform(-2, 2), 0, 0]) + d.random.uniform(-0.05, 0.05, 8)
    inputs = [d.tensor(t["dtype"], shape, "plain"), given("float32", moved[None]), given("int32", [d.integer(1, 6), d.integer(1, 6)])]
    attrs = {"interpolation": d.one(["NEAREST", "BILINEAR"]), "fill_mode": d.one(["CONSTANT", "REFLECT", "WRAP", "NEAREST"])}
    return inputs + ([given("float32", 0.5)] if op.endswith("V3") else []), attrs


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(d):
    """A PNG of any colour type and depth, with or without a palette, transparency and interlacing."""
    color, depth = d.one([(0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8), (4, 8), (4, 16), (6, 8), (6, 16)])
    rows, columns = d.integer(1, 9), d.integer(1, 9)
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    chunks = [chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, depth, color, 0, 0, 0))]
    if color == 3:
        chunks.append(chunk(b"PLTE", d.random.bytes(3 * 2 ** depth)))
    if d.chance(0.3) and color in (0, 2, 3):
        see_through = d.random.bytes(2 ** depth) if color == 3 else struct.pack(f">{samples}H", *(d.integer(0, min(2 ** depth - 1, 5)) for _ in range(samples)))
        chunks.append(chunk(b"tRNS", see_through))
    width = (columns * samples * depth + 7) // 8
    lines = b"".join(bytes([d.integer(0, 2)]) + d.random.bytes(width) for _ in range(rows))
    return b"\x89PNG\r\n\x1a\n" + b"".join([*chunks, chunk(b"IDAT", zlib.compress(lines)), chunk(b"IEND", b"")])


def jpeg(d):
    """A JPEG of a smooth image, with or without noise."""
    rows, columns, channels = d.integer(1, 40), d.integer(1, 40), d.one([1, 3])
    at = np.add.outer(np.arange(rows) * d.random.uniform(-8, 8), np.arange(columns) * d.random.uniform(-8, 8))
    waves = [128 + 90 * np.sin(at / 20 + c * d.random.uniform(0, 2)) + d.random.uniform(-1, 1, at.shape) * d.one([0, 3, 30]) for c in range(channels)]
    pixels = np.clip(np.stack(waves, -1), 0, 255).astype(np.uint8)
    return tf.io.encode_jpeg(pixels, quality=d.one([30, 75, 95, 100]), progressive=d.chance(0.3), chroma_downsampling=d.chance(0.6)).numpy()


def bmp(d):
    """A BMP without compression, from the lowest row or the highest on."""
    depth, rows, columns = d.one([1, 3, 4]), d.integer(1, 6), d.integer(1, 6)
    line = (depth * columns + 3) // 4 * 4
    start = d.one([54, 60]) if not d.bad() else 50
    header = b"BM" + struct.pack("<IIIIiiHHIIIIII", 54 + line * rows, 0, start, 40, columns, d.one([rows, -rows]), 1, 8 * depth, 0, 0, 0, 0, 0, 0)
    return header.ljust(54 if start < 54 else start, b"\0") + d.random.bytes(line * rows)


def gif(d):
    """A GIF of a few frames, each with codes of their full width between resets of the table."""
    rows, columns, bits = d.integer(1, 5), d.integer(1, 5), d.integer(2, 4)
    out = [b"GIF89a", struct.pack("<HHBBB", columns, rows, 0x80 | (bits - 1), 0, 0), d.random.bytes(3 * 2 ** bits)]
    for number in range(d.integer(1, 3)):
        whole = number == 0 or d.chance(0.5)
        left, top = (0, 0) if whole else (d.integer(0, columns - 1), d.integer(0, rows - 1))
        width, height = (columns, rows) if whole else (d.integer(1, columns - left), d.integer(1, rows - top))
        if d.chance(0.4):
            out.append(b"\x21\xf9\x04" + struct.pack("<BHB", 1, 0, d.integer(0, 2 ** bits - 1)) + b"\0")
        out.append(b"\x2c" + struct.pack("<HHHHB", left, top, width, height, 0) + bytes([bits]))
        stream, used = 0, 0
        codes = [c for pixel in d.random.integers(0, 2 ** bits, width * height) for c in (2 ** bits, int(pixel))] + [2 ** bits + 1]
        for code in codes:
            stream |= code << used
            used += bits + 1
        data = stream.to_bytes((used + 7) // 8, "little")
        blocks = [data[i:i + 255] for i in range(0, len(data), 255)]
        out.append(b"".join(bytes([len(block)]) + block for block in blocks) + b"\0")
    return b"".join([*out, b";"])


def webp(d):
    """A lossless WebP with or without alpha, the lossy one, or an animation."""
    some = lambda rows, columns: d.random.integers(0, 256, (rows, columns, 4)).astype(np.uint8)
    rows, columns = d.integer(1, 9), d.integer(1, 9)
    kind = d.one(["lossless", "lossless", "animation", "lossy"])
    if kind == "lossy":
        return webps.LOSSY
    if kind == "lossless":
        return webps.riff(webps.lossless(some(rows, columns), d.chance(0.5)))
    frames = [(some(rows, columns), 0, 0, d.chance(0.3), d.chance(0.5))]
    for _ in range(d.integer(0, 2)):
        left, top = d.integer(0, (columns - 1) // 2) * 2, d.integer(0, (rows - 1) // 2) * 2
        part = some(d.integer(1, rows - top), d.integer(1, columns - left))
        frames.append((part, left, top, d.chance(0.3), d.chance(0.5)))
    return webps.animation(frames, rows, columns, d.random.bytes(4))


def file_of(d, *kinds):
    """A file of one of these kinds, seldom cut or of none."""
    data = d.one(kinds)(d)
    if d.bad():
        return given("string", d.one([b"", b"text", data[:8]]))
    cuts = kinds != (gif,) and data[:3] not in (b"GIF", b"\xff\xd8\xff")
    return given("string", data[:len(data) // 2] if cuts and d.bad() else data)


CHANNELS = [0, 0, 1, 3, 4]


@recipe("DecodePng")
def decode_png(d, t):
    return [file_of(d, png, png, png, gif)], {"channels": d.one(CHANNELS)}


def how_to_decode(d):
    return {"ratio": 1, "fancy_upscaling": d.chance(0.7), "dct_method": d.one(["", "INTEGER_FAST", "INTEGER_ACCURATE"]),
            "try_recover_truncated": False, "acceptable_fraction": 1.0}


@recipe("DecodeJpeg")
def decode_jpeg(d, t):
    attrs = how_to_decode(d)
    return [file_of(d, jpeg)], {"channels": d.one([0, 1, 3]), **attrs}


@recipe("DecodeAndCropJpeg")
def decode_and_crop_jpeg(d, t):
    attrs = how_to_decode(d)
    window = [d.integer(0, 5), d.integer(0, 5), d.integer(1, 9), d.integer(1, 9)]
    return [file_of(d, jpeg), given("int32", window)], {"channels": d.one([0, 1, 3]), **attrs}


@recipe("ExtractJpegShape")
def jpeg_shape(d, t):
    return [file_of(d, jpeg)]


@recipe("DecodeBmp")
def decode_bmp(d, t):
    return [file_of(d, bmp)], {"channels": d.one(CHANNELS)}


@recipe("DecodeGif")
def decode_gif(d, t):
    return [file_of(d, gif, gif, gif, png)]


@recipe("DecodeWebP")
def decode_webp(d, t):
    return [file_of(d, webp, webp, webp, png)], {"channels": d.one([0, 0, 0, 3, 4, 1])}


@recipe("DecodeImage")
def decode_image(d, t):
    return [file_of(d, png, bmp, gif, webp, jpeg)], {"channels": d.one([0, 0, 3, 4, 1]), "expand_animations": d.chance(0.5)}


@recipe("EncodePng")
def encode_png(d, t):
    shape = (*d.shape(0, 1, 3), d.integer(1, 6), d.integer(1, 6), d.one([1, 2, 3, 4]) if not d.bad() else 5)
    return [d.tensor(t["T"], shape, "wide")], {"compression": d.integer(-1, 9)}


@recipe("EncodeJpeg", "EncodeJpegVariableQuality")
def encode_jpeg(d, t, op):
    channels = d.one([1, 3]) if not d.bad() else 2
    image = tf.io.decode_jpeg(jpeg(d), channels=1 if channels == 1 else 3).numpy()[..., :channels]
    quality = d.one([50, 75, 95, 100])
    if op == "EncodeJpegVariableQuality":
        return [given("uint8", image), given("int32", quality)]
    attrs = {"progressive": d.chance(0.3), "optimize_size": d.chance(0.3), "chroma_downsampling": d.chance(0.5)}
    return [given("uint8", image)], {"format": "", "quality": quality, **attrs}

"""WebP files: lossless ones whose pixels are codes of eight bits a channel, a lossy one, and animations."""
import base64
import struct

# 16 pixels square, lossy, with alpha: of the test data of CPython's `imghdr`.
LOSSY = base64.b64decode("""
UklGRqgBAABXRUJQVlA4WAoAAAAQAAAADwAADwAAQUxQSMMAAAABJ6KokSTleucYX+ffKpmImP90cY3gJjDi4Yt3MsjBEVyDKzDosHgVjnhRNcEIDAJP
kqBqsFUZHNa2bUYvTsZ2PLbtd/uvKa4hov9J0f2PkPe6REkkGzolkTTzFG0Ox9PlFiD0CxS+kOGDtxoynjaCfx0pfk52CPuInrOR75lzRugygtv4zEiy
90UwfSD9NheMITJWLaXWayO8XeOlWRXVnIGk2W6WdYoYMQ+KqixQNPowgt+6a1BSKbUtz+lUFAoBAAAAVlA4IL4AAACQAgCdASoQABAAAwA0JbACdDBP
CIUMfAMdCCz96AD+/XSg/QKbH4r3Q3ycN/bSDK/T/zVo4u6nvclvG/SqxWOuup+XhN9BojvaW+Tv+MvxvX/hr/o/5Qns9LtmX/+qKdl/yWznhuasl7nk
xvSTI4xf3Y85VSB/lU/8Ofj/b9JrA+ifvIOYZm2x1RP/dhfmsf5diuSfR7+z+r/+HR3zEo/+XM/B+vkYw73Pzx+ROaAB/ZoBSzEs3rzZe6qsAAAA
""")


class Bits:
    """Bits packed from the lowest of each byte on."""

    def __init__(self):
        self.value, self.count = 0, 0

    def put(self, value, count):
        self.value |= value << self.count
        self.count += count

    def bytes(self):
        return self.value.to_bytes((self.count + 7) // 8, "little")


def chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def riff(*chunks):
    return b"RIFF" + struct.pack("<I", 4 + sum(map(len, chunks))) + b"WEBP" + b"".join(chunks)


def lossless(pixels, alpha):
    """The chunk `VP8L` of bytes of shape `[rows, columns, 4]`, with or without the transform that subtracts green."""
    rows, columns = pixels.shape[:2]
    bits = Bits()
    for value, count in [(0x2F, 8), (columns - 1, 14), (rows - 1, 14), (int(alpha), 1), (0, 3)]:
        bits.put(value, count)
    subtracts = int(pixels.sum()) % 2 == 1
    if subtracts:
        bits.put(1 | 2 << 1, 3)
    # No further transform, no cache of colours, one group of codes.
    bits.put(0, 3)
    for further in [24, 0, 0, 0]:
        _eight_bits_each(bits, further)
    # The code of distances, which nothing uses: one symbol, 0.
    bits.put(1, 4)
    for r, g, b, a in pixels.reshape(-1, 4).astype(int):
        shift = g if subtracts else 0
        for channel in (g, r - shift, b - shift, a):
            bits.put(int(f"{channel % 256:08b}"[::-1], 2), 8)
    return chunk(b"VP8L", bits.bytes())


def _eight_bits_each(bits, further):
    """A prefix code of eight bits for each of 256 symbols, and of `further` symbols that do not occur."""
    bits.put(0, 1)
    # Lengths of the codes of lengths, in the file's order: one bit for the third, which is 0, and the twelfth, which is 8.
    bits.put(12 - 4, 4)
    for at in range(12):
        bits.put(int(at in (2, 11)), 3)
    bits.put(0, 1)
    bits.put((1 << 256) - 1, 256 + further)


def animation(frames, rows, columns, background):
    """An animation of `(pixels, left, top, disposes, blends)`; positions are even."""
    three = lambda number: struct.pack("<I", number)[:3]
    chunks = [chunk(b"VP8X", b"\x12\0\0\0" + three(columns - 1) + three(rows - 1)), chunk(b"ANIM", background + b"\0\0")]
    for pixels, left, top, disposes, blends in frames:
        place = [left // 2, top // 2, pixels.shape[1] - 1, pixels.shape[0] - 1, 40]
        flags = bytes([int(disposes) | int(not blends) << 1])
        chunks.append(chunk(b"ANMF", b"".join(map(three, place)) + flags + lossless(pixels, True)))
    return riff(*chunks)

"""Arguments that no client should pass, and some that are right, by C type. What C cannot check is left out: pointers to
nothing, arrays shorter than told, strings without an end, objects after their deletion."""
import ctypes as C
import struct

from headers import Input, Output, Shape
from world import INSIDE, WITHOUT_OBJECTS

ROOM = 8192  # bytes behind each pointer: no count below is larger
INTS = [-1, 0, 1, 2, 3, 8, -(1 << 31)]
SIZES = [0, 1, 3, 8, 64, (1 << 64) - 1]
LONGS = [-1, 0, 1, 2, 3, 1 << 31, 1 << 40, (1 << 62) + 1, (1 << 63) - 1, -(1 << 63)]
DTYPES = [-1, 0, 1, 3, 7, 9, 10, 20, 21, 23, 101, 4711, (1 << 31) - 1]
STRINGS = [b"", b"x", b"y", b"c", b"AddV2", b"Const", b"FuzzNow", b"dtype", b"value", b"shape", b"T", b"N", b"names", b"ints",
           b"t", b"s", b"f", b"CPU", b"/device:CPU:0", b"float", b"z: float", b"n: int = 7", b"x:0", b"^x", b"twice",
           b"/job:localhost/replica:0/task:0/device:CUSTOM:1", b"libm.so.6", b"cos", b"file", b"\xff\xfe", b"a\nb\x01", b"a" * 5000, b"%s%n{}"]


class Arguments:
    """Makes the arguments of one call of a function."""

    def __init__(self, world, function, enums):
        self.world, self.rng, self.function, self.enums = world, world.rng, function, enums
        self.status = None
        self.lent = None
        # Counts beyond the room are told where there is no array at all.
        self.no_arrays = self.rng.random() < 0.2

    def make(self):
        """(values, texts)"""
        made = [self.one(argument) for argument in self.function.arguments]
        return [value for value, _ in made], [f"{a.name}={text}" for a, (_, text) in zip(self.function.arguments, made)]

    def one(self, argument):
        kind = argument.type
        if kind == "callback":
            return self.pick([(None, "null"), (C.cast(self.world.l.callbacks[4], C.c_void_p), "a function")])
        if kind == "TF_Status*" and argument is self.function.arguments[-1] and self.function.name != "TF_DeleteStatus":
            return self.own_status()
        if kind.endswith("***") or kind.endswith("**"):
            return self.array(argument, 8)
        if kind.endswith("*"):
            return self.pointer(argument)
        return self.value(kind)

    def pick(self, choices):
        value = self.rng.choice(choices)
        return value if isinstance(value, tuple) else (value, str(value))

    def own_status(self):
        if self.rng.random() < 0.1:
            return None, "null"
        self.status = self.world.l.TF_NewStatus()
        return self.status, "status"

    def value(self, kind):
        if kind in ("TF_Output", "TF_Input"):
            oper, text = self.object("TF_Operation")
            index = self.rng.choice(INTS)
            return (Output if kind == "TF_Output" else Input)(oper, index), f"{text}:{index}"
        if kind == "TF_Shape":
            dims = self.world.keep((C.c_int64 * 8)(*[self.rng.choice(LONGS) for _ in range(8)]))
            rank = self.rng.choice([-2, -1, 0, 1, 2, 8])
            return Shape(rank, self.rng.choice([dims, 0] if rank <= 0 else [dims])), f"rank {rank}"
        if kind == "TF_DataType":
            return self.pick(DTYPES)
        if kind in self.enums:
            return self.pick([-1, 0, 1, 3, 200])
        if kind in ("bool", "unsigned char", "TF_Bool"):
            return self.pick([0, 1])
        if kind == "size_t" or kind == "uint64_t":
            return self.pick(SIZES)
        if kind == "int64_t" or kind == "TFE_CancellationToken":
            return self.pick(LONGS)
        if kind == "unsigned int":
            return self.pick([0, 1, 3, (1 << 32) - 1])
        if kind in ("TFE_CustomDevice", "TFE_CustomDeviceTensorHandle"):
            whole = self.world.l.custom_device if kind == "TFE_CustomDevice" else self.world.l.custom_handle
            return self.pick([(whole, "all functions"), (type(whole)(), "no functions")])
        if kind in ("float", "double"):
            return self.pick([0.0, -1.5, float("nan"), float("inf")])
        return self.pick(INTS + [(1 << 31) - 1] * self.no_arrays)

    def object(self, kind):
        """An object of a type, or null."""
        if kind in WITHOUT_OBJECTS or self.rng.random() < 0.1:
            return None, "null"
        if kind in INSIDE:
            return self.lent, f"a lent {kind}"
        return self.world.make(kind)

    def is_object(self, base):
        return base.startswith("TF") and base not in self.enums and base not in PLAIN

    def pointer(self, argument):
        base = argument.base
        if self.is_object(base):
            return self.object(base)
        if base == "char" and self.function.name == "TF_DeletePRunHandle":
            return self.world.partial_run()
        if base == "char" and argument.constant:
            return (None, "null") if self.rng.random() < 0.1 else self.string()
        if argument.name == "handle":  # of a shared library
            return self.world.l.TF_LoadSharedLibrary(b"libm.so.6", self.world.status), "libm"
        return self.array(argument, PLAIN.get(base, 1))

    def string(self):
        text = self.rng.choice(STRINGS)
        return self.world.keep(C.create_string_buffer(text)), repr(text if len(text) < 40 else text[:8] + b"...")

    def array(self, argument, size):
        if self.no_arrays or self.rng.random() < 0.1:
            return None, "null"
        content, text = self.content(argument)
        buffer = (C.c_byte * (ROOM + 64)).from_buffer_copy(content + bytes(ROOM + 64 - len(content)))
        return (self.world.keep(buffer) + 63) // 64 * 64 if not content else self.world.keep(buffer), text

    def content(self, argument):
        """Bytes behind a pointer and what they are; zeros follow."""
        base, stars = argument.base, argument.type.count("*")
        if stars >= 2:
            return self.pointers(argument)
        if base == "TF_Output" or base == "TF_Input":
            values = [self.value(base) for _ in range(8)]
            return b"".join(bytes(value) for value, _ in values), "[" + ", ".join(text for _, text in values) + "]"
        numbers = {"int": ("i", [-3, -1, 0, 1, 2, 4, 8]), "int32_t": ("i", [-3, -1, 0, 1, 2, 4, 8]), "int64_t": ("q", LONGS),
                   "size_t": ("Q", SIZES), "float": ("f", [0.0, -1.5]), "unsigned char": ("B", [0, 1, 7]),
                   "TF_DataType": ("i", DTYPES), "TF_Bool": ("B", [0, 1, 7])}
        if base in numbers:
            form, choices = numbers[base]
            values = [self.rng.choice(choices[:6] if base == "int64_t" and i else choices) for i in range(8)]
            return struct.pack(f"=8{form}", *values), str(values)
        if base == "void" and argument.constant:
            return self.pick([(b"", "zeros"), (b"\xff\x07garbage" * 9, "garbage"), (self.world.message(), "a GraphDef")])
        if base == "TF_ThreadOptions":
            return self.pick([(b"", "zeros"), (struct.pack("=Q", 1 << 50), "a huge stack")])
        return b"", "zeros"

    def pointers(self, argument):
        """An array of pointers: to objects, strings, or bytes."""
        base, stars = argument.base, argument.type.count("*")
        made = []
        for _ in range(8):
            if stars == 2 and self.is_object(base):
                made.append(self.object(base))
            elif base == "char" and stars == 2:
                made.append(self.string() if self.rng.random() < 0.9 else (None, "null"))
            else:
                made.append((self.world.keep((C.c_byte * ROOM)()), "zeros"))
        return struct.pack("=8Q", *[value or 0 for value, _ in made]), "[" + ", ".join(text for _, text in made) + "]"


# Structs that clients fill, with no object behind them.
PLAIN = {"TF_Bool": 1, "TF_FileStatistics": 1, "TF_ThreadOptions": 1, "TF_InputRange_Args": 1, "TF_StringView": 1, "TF_TString": 24,
         "TF_AllocatorAttributes": 1, "TFE_CancelCallback": 16, "TF_Output": 16, "TF_Input": 16}

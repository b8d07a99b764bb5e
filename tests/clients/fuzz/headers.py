"""The functions that the C headers declare, with their arguments, for ctypes."""
import ctypes as C
import pathlib
import re

INCLUDE = pathlib.Path(__file__).parents[3] / "capi" / "include" / "oplink" / "c"

# Functions that plugins have and hosts call.
OF_PLUGINS = {"TF_InitKernel", "TF_InitGraph", "SE_InitPlugin"}


class Output(C.Structure):
    _fields_ = [("oper", C.c_void_p), ("index", C.c_int)]


class Input(C.Structure):
    _fields_ = [("oper", C.c_void_p), ("index", C.c_int)]


class Buffer(C.Structure):
    _fields_ = [("data", C.c_void_p), ("length", C.c_size_t), ("deallocator", C.c_void_p)]


class View(C.Structure):
    _fields_ = [("data", C.c_void_p), ("length", C.c_size_t)]


class Metadata(C.Structure):
    _fields_ = [("is_list", C.c_ubyte), ("list_size", C.c_int64), ("type", C.c_int), ("total_size", C.c_int64)]


class While(C.Structure):
    _fields_ = [("ninputs", C.c_int), ("cond_graph", C.c_void_p), ("cond_inputs", C.c_void_p), ("cond_output", Output),
                ("body_graph", C.c_void_p), ("body_inputs", C.c_void_p), ("body_outputs", C.c_void_p),
                ("name", C.c_char_p)]


class Shape(C.Structure):
    _fields_ = [("num_dims", C.c_int), ("dim_sizes", C.c_void_p)]


class Rendezvous(C.Structure):
    _fields_ = [("rendezvous", C.c_void_p), ("send_func", C.c_void_p), ("async_recv_func", C.c_void_p),
                ("start_abort_func", C.c_void_p)]


class CustomDevice(C.Structure):
    _fields_ = [("version", C.c_int)] + [(name, C.c_void_p) for name in ["to", "off", "execute", "delete", "pack", "pin"]]


class CustomHandle(C.Structure):
    _fields_ = [("version", C.c_int)] + [(name, C.c_void_p) for name in ["num_dims", "dim", "deallocator", "summarize"]]


VALUES = {
    "void": None, "bool": C.c_bool, "unsigned char": C.c_ubyte, "TF_Bool": C.c_ubyte, "float": C.c_float,
    "int": C.c_int, "int32_t": C.c_int, "int64_t": C.c_int64, "uint64_t": C.c_uint64, "size_t": C.c_size_t,
    "TF_Output": Output, "TF_Input": Input, "TF_Buffer": Buffer, "TF_StringView": View, "TF_AttrMetadata": Metadata,
    "TF_WhileParams": While, "SP_Stream": C.c_void_p, "TF_Shape": Shape, "TF_RendezvousThunk": Rendezvous,
    "double": C.c_double, "unsigned int": C.c_uint,
    "TFE_CancellationToken": C.c_int64,
    "TFE_CustomDevice": CustomDevice, "TFE_CustomDeviceTensorHandle": CustomHandle,
}


class Argument:
    """An argument's name and C type, `*` for each level, without `const`; `callback` is true of functions."""

    def __init__(self, text):
        text = " ".join(text.split())
        pointed = re.match(r".*?\(\*\s*(\w+)\)\s*\(", text)
        self.callback = bool(pointed)
        if pointed:
            self.name, self.type, self.base, self.constant = pointed.group(1), "callback", "callback", False
            return
        self.constant = text.startswith("const ")
        words = re.sub(r"\bconst\b|\bstruct\b", " ", text).replace("*", " * ").split()
        self.name = words.pop()
        stars = words.count("*")
        self.base = " ".join(word for word in words if word != "*")
        self.callback = self.base == "TF_PayloadVisitor"
        self.type = "callback" if self.callback else self.base + "*" * stars

    def ctype(self, enums):
        if self.type == "callback" or self.type.endswith("*"):
            return C.c_void_p
        return C.c_int if self.type in enums else VALUES[self.type]


class Function:
    def __init__(self, result, name, arguments):
        self.name, self.arguments = name, arguments
        self.result = Argument(result + " result")

    def bind(self, lib, enums):
        """The function of a library; None where it is not exported."""
        try:
            function = lib[self.name]
        except AttributeError:
            return None
        function.argtypes = [argument.ctype(enums) for argument in self.arguments]
        function.restype = self.result.ctype(enums)
        return function


def split(text):
    """Arguments at the commas outside of parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip() not in ("", "void")]


def declared():
    """({name: Function}, names of enum types) of all headers."""
    functions, enums = {}, set()
    for path in sorted(INCLUDE.rglob("*.h")):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", path.read_text(), flags=re.S)
        text = re.sub(r"^#.*?(?<!\\)$", " ", text, flags=re.M | re.S)
        enums.update(re.findall(r"typedef enum \w* ?\{[^}]*\} (\w+);", text))
        enums.update(re.findall(r"typedef enum (\w+) \w+;", text))
        for found in re.finditer(r"TF_CAPI_EXPORT\s+(?:extern\s+)?([\w\s*]+?)(\w+)\s*\(((?:[^;])*)\)\s*;", text):
            result, name, arguments = found.groups()
            if name not in OF_PLUGINS:
                functions[name] = Function(result, name, [Argument(one) for one in split(arguments)])
    return functions, enums

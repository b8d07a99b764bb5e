"""Writes string.txt and string_images.txt: what TensorFlow 2.21 computes for cases of the string kernels.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_string.py`.
A line is a case: `op|attrs|inputs|outputs|tolerance`. An attr is `name=kind:value`, a tensor is `dtype[shape]:values`;
both are separated by `;`. In strings `%` and two hexadecimal digits stand for a byte. A case that TensorFlow refuses has
`!Code` in place of its outputs. In string_images.txt the outputs are the tag and the pixels of each picture in turn.
"""

import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import errors_impl
from tensorflow.python.ops import gen_logging_ops

NAN, INF = float("nan"), float("inf")
LINES = []
PLAIN = set(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:+-_/<>()[]{}*=\\^$?!")
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64", "float16", "bfloat16"]


def s(value, shape=None):
    """A string tensor."""
    return tf.constant(value, tf.string, shape)


def t(value, dtype="int32"):
    return tf.cast(tf.constant(value), dtype) if dtype.startswith(("bfloat", "float16")) else tf.constant(value, dtype)


def text(value):
    value = value.encode() if isinstance(value, str) else value
    return "".join(chr(b) if b in PLAIN else f"%{b:02x}" for b in value)


def number(x):
    if isinstance(x, bytes):
        return text(x) or "''"
    if isinstance(x, (complex, np.complexfloating)):
        return f"{number(x.real)},{number(x.imag)}"
    if isinstance(x, (bool, np.bool_, int, np.integer)):
        return str(int(x))
    return repr(float(x)).replace("nan", "NaN")


def tensor(x):
    dtype = x.dtype.name
    # Arrays of bytes would lose zeros at the end.
    x = np.asarray(x.numpy(), object if dtype == "string" else None)
    return f"{dtype}[{','.join(map(str, x.shape))}]:{' '.join(number(v) for v in x.ravel())}"


def attr(name, value):
    if isinstance(value, bool):
        return f"{name}=bool:{int(value)}"
    if isinstance(value, int):
        return f"{name}=int:{value}"
    if isinstance(value, (str, bytes)):
        return f"{name}=string:{text(value)}"
    if isinstance(value, tf.Tensor):
        return f"{name}=tensor:{tensor(value)}"
    if isinstance(value, list):
        return f"{name}=ints:{','.join(map(str, value))}"
    return f"{name}=type:{value.name}"


def case(op, *inputs, **attrs):
    function = getattr(tf.raw_ops, op)
    flat = [v for value in inputs for v in (value if isinstance(value, list) else [value])]
    try:
        out = function(**dict(zip(function.__signature__.parameters, inputs)), **attrs)
        outputs = ";".join(tensor(x) for x in (out if isinstance(out, (list, tuple)) else [out]))
    except errors_impl.OpError as error:
        outputs = "!" + type(error).__name__.removesuffix("Error")
    except UnicodeDecodeError:  # The message shows a string that is not UTF-8.
        outputs = "!InvalidArgument"
    line = f"{op}|{';'.join(attr(k, v) for k, v in attrs.items())}|{';'.join(tensor(v) for v in flat)}|{outputs}|0"
    if line not in LINES:
        LINES.append(line)


def formats():
    values = [3.14159, 2.5e20, -0.0, NAN, INF, -INF, 1e-10, 0.5, 123456.789]
    options = [{}, {"precision": 2}, {"precision": 0}, {"scientific": True}, {"shortest": True}, {"width": 9},
               {"width": 14, "fill": "0"}, {"width": 14, "fill": "-"}, {"width": 14, "fill": "+"}, {"width": 14, "fill": " "},
               {"fill": "0"}, {"fill": "+"}, {"fill": " "}, {"fill": "x"}, {"fill": "00", "width": 3}, {"width": 0}, {"scientific": True, "shortest": True},
               {"precision": 3, "shortest": True}, {"precision": 0, "shortest": True}, {"precision": 12, "scientific": True}]
    for option in options:
        for dtype in ["float32", "float64", "float16", "bfloat16"]:
            case("AsString", t(values if dtype != "float16" else values[:1] + values[2:], dtype), **option)
        case("AsString", t([1.5 - 2j, 0j], "complex64"), **option)
        case("AsString", t([1.5 - 2j, NAN + 1j], "complex128"), **option)
        for dtype in ["int8", "int64", "uint8", "uint64"]:
            info = np.iinfo(dtype)
            case("AsString", t([info.min, 0, 7, info.max], dtype), **option)
        case("AsString", t([True, False], "bool"), **option)
        case("AsString", s(["ab", "", "a string of some length"]), **option)
    long = [0.1, 1 / 3, 1e10, 1e-10, 123456789.0, 16777216.0, -0.0, NAN, INF, -INF, 1e37, 1e5, 1e6, 123456.0, 1234567.0, 1e-4, 1e-5]
    for dtype in FLOATS:
        case("StringFormat", [t(long, dtype)], summarize=-1)
    for dtype in INTS + ["complex64", "bool"]:
        case("StringFormat", [tf.cast(t([0, 1, 3, 100]), dtype)], summarize=-1)
    for shape in [(10,), (2, 3, 4), (7, 1), (1, 7), (7, 1, 1), (0,), (2, 0), (0, 2), (3, 4, 5), (1, 1, 1, 3)]:
        for summarize in [0, 1, 2, 3, -1, 5]:
            case("StringFormat", [t(np.arange(np.prod(shape)).reshape(shape))], summarize=summarize)
    for dtype in INTS:
        case("AsString", tf.cast(t([1, 100]), dtype))
    case("StringFormat", [t(3)])
    case("StringFormat", [t(3)], summarize=0)
    for value in [b"a\"b'\n\x01\xff\xc3\xa9\\\t\r\x7f", b"", b"\x00\x1f ?", b"it's"]:
        case("StringFormat", [s(value)])
        case("StringFormat", [s([value, b"x"])])
    case("StringFormat", [t(1), t([2.5], "float32")], template="a%sb%sc")
    case("StringFormat", [t(1)], template="a%sb%sc")
    case("StringFormat", [], template="abc")
    case("StringFormat", [t(1)], template="x{}y", placeholder="{}")
    case("StringFormat", [t(1)], template="x", placeholder="{}")
    case("StringFormat", [t(1)], template="ab", placeholder="")
    case("StringFormat", [], template="a", placeholder="")


def codecs():
    for value in [b"", b"f", b"fo", b"foo", b"foob", b"\xff\xfe\xfd\x00", bytes(range(256))]:
        for pad in [False, True]:
            case("EncodeBase64", s(value), pad=pad)
    case("EncodeBase64", s(["a", "b", "c", "d"], [2, 2]))
    for value in ["", "Zg", "Zg==", "Zg=", "Z", "Zh", "Zm8", "Zm8=", "Zm9", "__79", "//79", "++", "Zg\n", "Zg== ", "====", "=",
                  "Zm9v=", "Zm9v====", "Z===", "Zg==Zg==", "Zm9vYg", "Zm9vYmFy", "Zm=v", "\xe9aaa"]:
        case("DecodeBase64", s(value))
    for dtype in ["int8", "uint8", "int16", "uint16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128", "bool"]:
        for little in [True, False]:
            # Small exponents in either byte order, so that no NaN needs comparing.
            row = b"\x01\x40\x10\x20\x3e\x02\x11\x3d" * 2
            case("DecodeRaw", s([row, row[::-1]]), out_type=tf.as_dtype(dtype), little_endian=little)
        for value in [[b"abc", b"de"], [b"", b""], [], [b"abc"], [b"\x00\x01\x02\x03"]]:
            case("DecodeRaw", s(value), out_type=tf.as_dtype(dtype))
    case("DecodeRaw", s(b"abcd"), out_type=tf.int16)
    case("DecodeRaw", s(["ab", "cd"], [2, 1]), out_type=tf.uint8)


def joins():
    x = s(["a", "b", "c", "d", "e", "f"], [3, 2])
    for axes in [0, 1, [0, 1], [1, 0], [-1], [0, 0], [2], [-3], [], [0, -2], [[0]]]:
        for keep in [False, True]:
            case("ReduceJoin", x, t(np.asarray(axes, np.int32)), keep_dims=keep, separator="-")
    cube = s([str(i) for i in range(24)], [2, 3, 4])
    for axes in [[0], [1], [2], [0, 2], [2, 0], [1, 2], [2, 1, 0], [0, 1, 2]]:
        case("ReduceJoin", cube, t(axes), separator=",")
    case("ReduceJoin", s("a"), t([], "int32"))
    case("ReduceJoin", s("a"), t([0]))
    for shape, axis in [((0,), 0), ((0, 3), 0), ((0, 3), 1), ((3, 0), 1)]:
        case("ReduceJoin", s([], shape), t([axis]), separator="-")
    case("StringJoin", [s(["a", "b"]), s("x"), s(["c", "d"])], separator="+")
    case("StringJoin", [s(["a", "b"]), s(["x"])])
    case("StringJoin", [s(["a", "b"], [2, 1]), s(["x", "y"], [1, 2])])
    case("StringJoin", [], separator="+")
    case("StringJoin", [s(["a", "b"])], separator="+")
    case("StringJoin", [s("a"), s("b")], separator=", ")
    case("StringJoin", [s([]), s("b")])
    ngrams = dict(separator="|", left_pad="L", right_pad="R")
    data = s(["a", "b", "c", "d", "e"])
    for splits in [[0, 3, 4, 5], [0, 0, 5]]:
        for widths in [[2], [1, 3], [6], []]:
            for pad in [-1, 0, 1, 5]:
                for keep in [False, True]:
                    case("StringNGrams", data, t(splits, "int64"), ngram_widths=widths, pad_width=pad, preserve_short_sequences=keep, **ngrams)
    for splits in [[0, 3], [1, 5], [0, 4, 3, 5], [0, 9], [], [5], [0, -1, 5]]:
        case("StringNGrams", data, t(splits, "int32"), ngram_widths=[2], pad_width=0, preserve_short_sequences=False, **ngrams)
    for splits in [[0, 0], [0], []]:
        case("StringNGrams", s([]), t(splits, "int32"), ngram_widths=[2], pad_width=1, preserve_short_sequences=False, **ngrams)
    case("StringNGrams", data, t([0, 5]), ngram_widths=[0], pad_width=0, preserve_short_sequences=False, **ngrams)


def parts():
    for value in ["abc", "h\u00e9\u00e9", b"\xff\xfe", b"\xe4\xbd", b"\x80\x80a", ""]:
        for unit in ["BYTE", "UTF8_CHAR"]:
            case("StringLength", s(value), unit=unit)
    for value in ["ABC \u00c9\u00df", "\u0391\u03a3 \u0391\u03a3\u0391 \u0130I", b"A\xffB\xe4\xbdC", "\u01c6 \u0149 \ufb01", "\u1e9e\u0345", "stra\u00dfe"]:
        for encoding in ["", "utf-8", "UTF-8", "latin1"]:
            case("StringLower", s(value), encoding=encoding)
            case("StringUpper", s(value), encoding=encoding)
    for value in ["  a b \t\n\r\v\f", "\0a\0", "\u00a0a\u00a0", "\x1ca\x1f", "   ", ""]:
        case("StringStrip", s([value, "x "]))
    for value in [["a b  c", "", "  x "], ["a<>b<>c", "<><>", "<>"], [" a  b \tc "], [], ["\ta\nb\x0bc\x0cd\re \x1cf "]]:
        for sep in ["", " ", "<>", "a"]:
            for maxsplit in [-1, 0, 1, 2, 3, -5]:
                case("StringSplitV2", s(value), s(sep), maxsplit=maxsplit)
    case("StringSplitV2", s("a"), s(""))
    case("StringSplitV2", s(["a"]), s([""]))
    for pos, length in [(0, 2), (1, 100), (5, 1), (6, 1), (-1, 1), (-5, 2), (-6, 2), (2, -1), (2, 0), (0, -3), (-2, -1), (-2, 5)]:
        for dtype in ["int32", "int64"]:
            for value in [b"hello", "h\u00e9ll\u00f6", b"\xff\x80\x80a\xe4", b"\x80\x80a", b""]:
                for unit in ["BYTE", "UTF8_CHAR"]:
                    case("Substr", s(value), t(pos, dtype), t(length, dtype), unit=unit)
    for length in [1, -(2**63), 2**63 - 1]:
        for pos in [-(2**63), 0, -2, 2**63 - 1]:
            for unit in ["BYTE", "UTF8_CHAR"]:
                case("Substr", s("hello"), t(pos, "int64"), t(length, "int64"), unit=unit)
    two, four = s(["hello", "hi"]), s(["hello", "hi", "abc", "xyz"], [2, 2])
    for value, pos, length in [(two, 1, 2), (two, [1, 0], [2, 1]), (two, [1], [2]), (four, [1, 0], [2, 1]), (four[None], [1, 0], [2, 1]),
                               (s("hello"), [1, 0], [2, 1]), (s("hello"), [[1, 0]], [[2, 1]]), (s(["hello"]), [[[1]]], [[[1]]]),
                               (two, [1, 0], [2]), (two, [1, 0, 1], [2, 1, 1]), (two, [], []), (s([]), 0, 1), (s([]), [0], [1]),
                               (s([], [0, 2]), [0, 1], [1, 1]), (four, [[1], [0]], [[2], [1]]), (four[None], 0, 1), (two, [[1, 0]], [[1, 2]]),
                               (two, [[1], [0]], [[1], [2]]), (four, 5, 1), (four, [0, 5], [1, 1]), (s([]), [], [])]:
        case("Substr", value, t(np.asarray(pos, np.int32)), t(np.asarray(length, np.int32)))


def hashes():
    values = s([bytes((i * 7 + 3) % 256 for i in range(n)) for n in list(range(70)) + [127, 128, 129, 191, 192, 193, 300, 1000]])
    case("StringToHashBucketFast", values, num_buckets=2**63 - 1)
    case("StringToHashBucketStrong", values[:20], num_buckets=2**63 - 1, key=[-1, 5])
    for buckets in [1, 10]:
        case("StringToHashBucketFast", values[:4], num_buckets=buckets)
        case("StringToHashBucketStrong", values[:4], num_buckets=buckets, key=[1, 2])
    for key in [[1], [1, 2, 3], []]:
        case("StringToHashBucketStrong", s("a"), num_buckets=7, key=key)


def numbers():
    texts = ["1", " 1", "1 ", "+1", "-1", "1.5", "1e3", "inf", "-Infinity", "nan", "NaN", "0x10", "", " ", "1_0", "2147483647", "2147483648",
             "-2147483648", "-2147483649", "4294967295", "4294967296", "-0", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
             "18446744073709551615", "18446744073709551616", "1e400", "-1e400", "1e-400", ".5", "5.", ".", "1e", "1e+", "1f", "nan(12)", "nan()",
             "nan(", "nan(a_1)", "nan(-)", "-nan", "infin", "INFINITY", "infinity1", "0x1p3", "0X1P3", "0x1.8p1", "0x.8", "0x1.8", "-0x10", "+0x10",
             "0x1p", "0x1p+2", "0x1p400", "0x1.ffffffp0", "0x1.fffffffffffff8p0", "0x123456789abcdef0123", "1\0", "\t1\n", "--1", "+-1", "1,0",
             "1d5", "1E5", "3.4028236e38", "007", "0x", "0x.", "0xg", "+inf", "- 1", "1e5 ", "\v1", "1.e5", ".e5", "e5", "1e-5", "+.5",
             "1e99999999999999999999", "1e-99999999999999999999", "0.1" + "0" * 400 + "1", "9" * 400, "16777217.0000000001", "1e5.5", "1.2.3", "00.5",
             "0x1p3p3", "0x1e5", "\u0661", "+", "-", "0x1p99999999999"]
    for value in texts:
        for dtype in ["float32", "float64", "int32", "uint64"] + (["int64", "uint32"] if value[-1:].isdigit() else []):
            case("StringToNumber", s(value), out_type=tf.as_dtype(dtype))
    case("StringToNumber", s(["1", "2", "3", "4"], [2, 2]))


def regexes():
    replacements = [
        (["abcabc", "xyz"], "b", "X"), ("abc", "(a)(b)", r"\2\1"), ("abc", "(a)(b)", r"<\0>"), ("abc", "(a)", r"\2"), ("abc", "a", r"\x"),
        ("abcabc", "a", r"y\x"), ("abc", "a", r"\\"), ("abc", "a", "x\\"), ("abcabc", "a", "x\\"), ("abc", "(a)|(z)", r"[\1\2]"), ("aXbX", "X", r"\9"),
        ("abc", "", "-"), ("abc", "x*", "-"), ("abc", "b*", "-"), ("h\u00e9\u00e9", "", "-"), (b"\xff\xe9a", "", "-"), ("", "", "-"), ("abc", "$", "-"),
        ("abc", "^", "-"), ("aaa", "a*?", "-"), ("h\u00e9", ".", "-"), (b"a\xffb", ".", "-"), (b"a\xffb", r"\C", "-"), ("a\nb", ".", "-"), ("a\nb", "(?s).", "-"),
        ("\u4f60\u597d\U0001f600", "", "-"), (b"\xe4\xbd", "", "-"), ("ab", "(a*)*", "-"), ("abab", "(a|ab)(c|bcd)*", "<\\0>"), ("aab", "a*?b", "-"),
    ]
    patterns = [
        "(", "a**", "a{2,1}", "a{1001}", "a{1000}", "a{,2}", "a{", "a{b", "*", "a++", "a+?", "a{2}{3}", "a??", "a???", "(?=a)", "(?<!a)", r"(a)\1", "(?x)a", "(?P<n>a)",
        "(?<n>a)", "[a", "a]", "[[]", "[a&&b]", "[a--b]", "[a-]", "[a~~b]", "[]a]", "[^]a]", "[z-a]", "[[:alpha:]]", "[[:^alpha:]]", "[[:foo:]]", "[:alpha:]",
        r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"\b", r"\B", r"[\d\W]", r"[^\w]", "(?i)\u00e9", "(?i)k", "(?i)s", r"\p{Greek}", r"\pL", r"\p{^Greek}", r"\PL", r"\P{^L}", r"\p{Foo}",
        r"[\pL\d]", r"\Q.\E", r"\Q.", r"\x61", r"\x{61}", r"\x6", r"\x{}", r"\x{110000}", r"\141", r"\1", r"\12", r"\0", r"\08", r"\8", r"\a|\v|\f|\n|\r|\t", r"\y", r"\_", r"\-", "\\\u00e9", "a$",
        "(?m)a$", r"a\z", r"a\Z", r"\Aa", "(?i:A)", "(?U)a+", "(?u)a", "(?-u)a", "(?R)a", "(?i-s)A", "(?)a", "(?-)a", "(?i-)a", "a|*", "a||b", "(|a)", "()", "a b", "a#", ")", "a)", r"\xff", "(?P<n>a)(?P<n>b)",
        "(?P<1>a)", "(?P<>a)", "(?P<a-b>a)", "(?P=n)", r"\<a", "[\\b]", r"\u0061", r"[\Qa\E]", "(a{0}b)*", "(?:a{999}){999}", "((a{100}){100}){10}", "(a{10}){100}", "(?:a{2,3}){400}", r"\pN{", "[[=a=]]", "[[.a.]]", r"[a-\d]", r"[\d-z]",
        r"[\w-]", r"[^\x00-\x40]", "(?:ab){2}", r"a\{1}", "a{1,", "a{-1}", "a{0}", r"[\^]", "[a^]", "(?i)(?-i)A", "a(?i)B", "&", "~", "-", "[&~]", "[+--]", "[--a]", "[!--]", "[a-c-e]", "\\", "[\\", "[]", "[^]", "[]-a]", "a{1}?", "a{1,2}?b",
        "(?s:.)", "(?m:^a)", "(?im)A", "(a)|b", "[[:word:]]", "[[:^word:]-]", "[[:alpha:]-z]", r"\/", r"\"", "a.c", "(?:)", "x*", "^*", "$+", "[a-zA-Z_][0-9]*", "(?i)[k-z]", "(?i)[^k-z]", r"(?i)\x{212a}",
    ]
    subject = ["ab", "aab a{b a{1 a{,2}", "a\nb\t\x07\x0b", "aAB kK\u212a s\u017f", "\u00e9\u00c9 \u0391\u0661 1_", "[]{}()&~-#^.\"<", ""]
    for value, pattern, rewrite in replacements:
        for replace_global in [True, False]:
            case("RegexReplace", s(value), s(pattern), s(rewrite), replace_global=replace_global)
            case("StaticRegexReplace", s(value), pattern=pattern, rewrite=rewrite, replace_global=replace_global)
    for pattern in patterns:
        case("RegexReplace", s(subject), s(pattern), s("<\\0>"))
    for value, pattern in [("a", "a"), ("ab", "a"), ("ab", "a|ab"), ("", "a*"), ("a\n", "a"), ("a\n", ".*"), ("a\nb", "(?s).*"), (b"\xff", ".*"), (b"\xff", r"\C"),
                           ("ab", "^a"), ("ab", "a$"), ("b", "a|b"), (["a", "b"], "a"), ("A", "(?i)a"), ("a", "("), ("ab", "a*?"), ("a\n", "a$"), ("a\n", "(?m)a$")]:
        case("RegexFullMatch", s(value), s(pattern))
        case("StaticRegexFullMatch", s(value), pattern=pattern)
    case("RegexFullMatch", s("a"), s(["a"]))
    case("RegexReplace", s("a"), s(["a"]), s("b"))
    case("RegexReplace", s("a"), s("a"), s(["b"]))
    case("RegexReplace", s([]), s("("), s("b"))
    case("RegexReplace", s("a"), s(b"\xff"), s("b"))


def unicodes():
    rows = [b"a\xff", b"a\xe4\xbdb", b"\xe4\xbd", b"\xed\xa0\x80x", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\xf0\x9f\x98", b"\x80\x80", b"a\x00\x1f\x7f\xef\xbf\xbd",
            b"\xf0\x80\x80\x80", b"\xe4\xe4\xbd\xa0", b"\xef\xbb\xbfa", b"\xf8\x88\x80\x80\x80", b"\xe0\x80\x80", b"\xf0\x9f\x98\xc3\xa9", "h\u00e9\U0001f600".encode()]
    for errors in ["replace", "ignore", "strict"]:
        for row in rows:
            case("UnicodeDecode", s([row, b"", b"z"]), input_encoding="UTF-8", errors=errors)
        for control in [False, True]:
            case("UnicodeDecode", s(b"a\x00\x1f\x7f\n"), input_encoding="UTF-8", errors=errors, replace_control_characters=control, replacement_char=63)
    for row in [b"\x00a\xd8\x3d\xde\x00", b"\xfe\xff\x00a\x00", b"\xff\xfea\x00\x00\x00b", b"a\xe9\x80\x81", b"\xd8\x3d", b"\xd8\x3d\x00", b"\xd8\x3d\x00a", b"\xde\x00\x00a", b"\xd8\x3d\xd8\x3d\xde\x00", b"\xd8\x3d\xde",
                b"\x00\x00\x00a\x00\x01\xf6\x00", b"a\x00\x00\x00\x00\xf6\x01\x00", b"\x00\x00\xfe\xff\x00\x00\x00a", b"\xff\xfe\x00\x00a\x00\x00\x00", b"\x00\x00\xd8\x00", b"\x00\x11\x00\x00", b"\x00\x00", b""]:
        for encoding in ["UTF-16-BE", "UTF-16-LE", "utf_16be", "UTF16", "UTF-32", "UTF-32-BE", "UTF-32LE", "US-ASCII", "ISO-8859-1"]:
            case("UnicodeDecode", s(row), input_encoding=encoding, Tsplits=tf.int32)
    for replacement in [-1, 0x110000, 0xD800, 0]:
        case("UnicodeDecode", s(b"a\xff"), input_encoding="UTF-8", replacement_char=replacement)
    case("UnicodeDecode", s([b"ab", b"c"], [2, 1]), input_encoding="UTF-8")
    for encoding in ["UTF-8", "UTF-16-BE", "UTF-32-BE"]:
        for errors in ["replace", "ignore", "strict"]:
            for values, splits in [([97, 233, 0x1F600, 0, 0xFFFD], [0, 2, 2, 5]), ([97, 0xD800, 98], [0, 3]), ([97, -1, 0x110000, 98], [0, 4]), ([0xFFFF, 0xFFFE, 0xFDD0], [0, 3])]:
                case("UnicodeEncode", t(values), t(splits, "int64"), output_encoding=encoding, errors=errors)
    for values, splits in [([97], [0]), ([97], []), ([97, 98], [0, 1]), ([97, 98], [1, 2]), ([97, 98], [0, 3]), ([97, 98], [0, 2, 1]), ([97, 98], [0, 2, 1, 2]), ([97, 98], [[0, 2]]),
                           ([[97, 98]], [0, 2]), ([], [0, 0]), ([], [0]), ([97, 98], [0, -1, 2]), ([97, 98], [0, 1, 2])]:
        case("UnicodeEncode", t(values, "int32"), t(splits, "int32"), output_encoding="UTF-8")
    for replacement in [-1, 0xD800, 65, 0x1F600, 0x110000]:
        case("UnicodeEncode", t([-5]), t([0, 1]), output_encoding="UTF-8", replacement_char=replacement)


def messages():
    for dtype in FLOATS + INTS + ["complex64", "complex128", "bool"]:
        for value in [[1, 2], 1, [[0], [1]]]:
            x = tf.cast(t(value), dtype)
            case("SerializeTensor", x)
            case("ParseTensor", s(tf.io.serialize_tensor(x).numpy()), out_type=x.dtype)
            case("ParseTensor", s(tf.make_tensor_proto([1, 2, 2, 2] if dtype != "bool" else [True, False], x.dtype).SerializeToString()), out_type=x.dtype)
            case("ParseTensor", s(tf.make_tensor_proto(1 if dtype != "bool" else True, x.dtype, [3]).SerializeToString()), out_type=x.dtype)
        case("SerializeTensor", tf.zeros([0, 2], dtype))
        case("ParseTensor", s(tf.io.serialize_tensor(tf.zeros([0, 2], dtype)).numpy()), out_type=tf.as_dtype(dtype))
    for x in [s(["a", b"\xff" * 3, ""]), s("a"), s([]), s([""])]:
        case("SerializeTensor", x)
        case("ParseTensor", s(tf.io.serialize_tensor(x).numpy()), out_type=tf.string)
    case("SerializeTensor", t([1.0] * 200, "float32"))
    float_message = tf.make_tensor_proto([1.5, 2.5], tf.float32).SerializeToString()
    for message in [b"", b"\x08", b"zz", float_message[:-1], float_message + b"\x00", b"\x08\x01", b"\x08\x63", b"\x08\x01\x12\x02\x18\x01", b"\x08\x01\x12\x04\x12\x02\x08\x03",
                    b"\x08\x01\x12\x0d\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", b"\x08\x01\x12\x04\x12\x02\x08\x01\x2a\x08\x00\x00\x80\x3f\x00\x00\x00\x40", b"\x08\x01\x2d\x00\x00\x80\x3f",
                    b"\x08\x01\x12\x04\x12\x02\x08\x03\x2a\x04\x00\x00\x80\x3f", b"\x08\x01\x12\x04\x12\x02\x08\x02\x22\x04\x00\x00\x80\x3f"]:
        case("ParseTensor", s(message), out_type=tf.float32)
    case("ParseTensor", s(float_message), out_type=tf.int32)
    case("ParseTensor", s([float_message]), out_type=tf.float32)
    for x in [t([1.0, 2.0], "float32"), s(["a", "bc"]), t(1), t(True, "bool"), t([], "int64")]:
        case("TensorSummary", x)
        for metadata in [b"", b"\x0a\x03\x0a\x01p", b"\x1a\x01d\x12\x01n\x0a\x03\x0a\x01p"]:
            case("TensorSummaryV2", s("t"), x, s(metadata))
    case("TensorSummaryV2", s(["t"]), t(1), s(""))
    case("TensorSummaryV2", s("t"), t(1), s([""]))
    case("TensorSummaryV2", s(""), t(1), s(""))


def summaries():
    for tags, values in [("a", 1.5), ("a", 0.0), (["a", "b"], [1.5, 2]), ([["a", "b"]], [[1, 2]]), (["a"], 1), ("a", [1]), ("a", [1, 2]), (["a", "b"], 1), ([], []), ([""], [2.0])]:
        case("ScalarSummary", s(tags), t(values, "float32"))
    for dtype in FLOATS + INTS:
        case("ScalarSummary", s(["x"]), tf.cast(t([3.7], "float32"), dtype))
        case("HistogramSummary", s("h"), tf.cast(t([1.0, 1.0, 5.5, 100.0, 0.0, 3.0], "float32"), dtype))
    case("ScalarSummary", s("x"), t(1e300, "float64"))
    for values in [[1.0, 2.0, 3.0, -1.0, 0.0], [], [1, NAN], [1, -INF], 1.0, [1e300, -1e300, 1e-300, 1e20, 1e-12, -1e-12], [0.0, 0.0], [-0.0], [1e-13, 0.5, 0.5]]:
        case("HistogramSummary", s("h"), t(values, "float64"))
    case("HistogramSummary", s(["h"]), t([1.0], "float32"))
    case("HistogramSummary", s(""), t([-1.0, -2.0, -2.0], "float32"))
    a, bc = (tf.raw_ops.ScalarSummary(tags=tags, values=values) for tags, values in [("a", 1.5), (["b", "c"], [1.5, 2.0])])
    for inputs in [[a, bc], [a, a], [s("x")], [s([a.numpy(), bc.numpy()])], [s("")], [s([])], [s(b"\x0a\x00"), s(b"\x0a\x00")], [bc, a, tf.raw_ops.TensorSummary(tensor=t(1))],
                   [s(b"\x0a\x03\x0a\x01\xff")], [s(b"\x0a\x04\x2a\x02\x08")], [tf.raw_ops.HistogramSummary(tag="h", values=[1.0])]]:
        case("MergeSummary", inputs)


IMAGES = []


def image(x, tag="i", **attrs):
    """Tags and pixels; bad_color is a tensor attr, which only graphs take."""
    protos = {k: tf.make_tensor_proto(v) if tf.is_tensor(v) else v for k, v in attrs.items()}
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        try:
            summary = session.run(gen_logging_ops.image_summary(tag, tf.constant(x), **protos))
        except errors_impl.OpError as error:
            summary = None
            outputs = "!" + type(error).__name__.removesuffix("Error")
    if summary is not None:
        values = tf.compat.v1.Summary.FromString(summary).value
        outputs = ";".join(f"{tensor(s(v.tag))};{tensor(tf.io.decode_png(v.image.encoded_image_string))}" for v in values)
    attrs = {"bad_color": t([255, 0, 0, 255], "uint8"), **attrs}
    IMAGES.append(f"ImageSummary|{';'.join(attr(k, v) for k, v in attrs.items())}|{tensor(s(tag))};{tensor(tf.constant(x))}|{outputs}|0")


def images():
    x = np.arange(18, dtype=np.float32).reshape(1, 2, 3, 3)
    for dtype in [np.float32, np.float16, np.float64]:
        for values in [x, x - 9, x / 40, x * 0, -x, x * 1000]:
            image(values.astype(dtype))
    for depth in [1, 2, 3, 4]:
        image(np.arange(4 * depth, dtype=np.uint8).reshape(1, 2, 2, depth))
        image(np.arange(4 * depth, dtype=np.float32).reshape(1, 2, 2, depth) - 5)
    for max_images in [1, 2, 4, 9]:
        image(np.arange(5, dtype=np.float32).reshape(5, 1, 1, 1), max_images=max_images)
    for shape in [(2, 0, 2, 1), (0, 2, 2, 1), (2, 2, 2), (1, 1, 1, 5)]:
        image(np.zeros(shape, np.float32))
    bad = x.copy()
    bad[0, 0, 0, 1], bad[0, 1, 1, 2] = NAN, INF
    image(bad)
    for color in [t([1, 2, 3], "uint8"), t([1, 2], "uint8"), t([1.0, 2, 3], "float32"), t([[1, 2, 3]], "uint8")]:
        image(bad, bad_color=color)
    image(x.astype(np.uint8), bad_color=t([1, 2], "uint8"))
    image(np.full([1, 1, 2, 1], NAN, np.float32))
    image(x, tag=["a"])


for make in [formats, codecs, joins, parts, hashes, numbers, regexes, unicodes, messages, summaries, images]:
    make()
path = pathlib.Path(__file__).with_name("string.txt")
path.write_text("\n".join(LINES) + "\n")
path.with_name("string_images.txt").write_text("\n".join(IMAGES) + "\n")
print(f"{len(LINES)} cases, {len(IMAGES)} of pictures")

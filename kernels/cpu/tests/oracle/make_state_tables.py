"""Writes state_tables.txt: programs over lookup tables; see programs.py. Run with TensorFlow 2.21.

Exports are compared for tables of one entry: the order of more is nobody's promise.
"""

import os
import pathlib

import programs
from programs import Program, count, t, tf

S, L, I, F, D, B = tf.string, tf.int64, tf.int32, tf.float32, tf.float64, tf.bool
PAIRS = [(I, D), (I, F), (I, I), (I, S), (L, D), (L, F), (L, I), (L, L), (L, S), (S, B), (S, D), (S, F), (S, I), (S, L), (S, S)]
MUTABLE = [(I, D), (I, F), (I, I), (L, D), (L, F), (L, I), (L, L), (L, S), (S, B), (S, D), (S, F), (S, I), (S, L)]


def keys(dtype, *values):
    return t([f"k{v}" for v in values] if dtype == S else list(values), dtype)


def values(dtype, *values):
    return t([f"v{v}" for v in values] if dtype == S else [v % 2 == 1 for v in values] if dtype == B else list(values), dtype)


def rows(dtype, shape, start=1):
    return count(shape, dtype.name, start)


def scalar(dtype, value):
    given = values(dtype, value)
    return given[0].reshape(()), dtype


class Table:
    def __init__(self, p, op, key, value, *inputs, name="t", **attrs):
        self.p, self.key, self.value, self.suffix = p, key, value, "" if op in ["HashTable", "MutableHashTable"] else "V2"
        if not op.startswith("Anonymous"):
            attrs = dict(container="", shared_name=name, use_node_name_sharing=False, **attrs)
        self.handle = p(op, *inputs, key_dtype=key, value_dtype=value, **attrs)

    def op(self, name, *inputs, **attrs):
        if not isinstance(self.handle, list):
            return self.p(name + self.suffix, self.handle, *inputs, **attrs)

    def init(self, k, v):
        self.op("InitializeTable", k, v)

    def find(self, k, default):
        self.op("LookupTableFind", k, default)

    def insert(self, k, v):
        self.op("LookupTableInsert", k, v)

    def load(self, k, v):
        self.op("LookupTableImport", k, v)

    def remove(self, k):
        self.op("LookupTableRemove", k)

    def size(self):
        self.op("LookupTableSize")

    def export(self, key=None, value=None):
        self.op("LookupTableExport", Tkeys=key or self.key, Tvalues=value or self.value)


def static():
    for op in ["HashTableV2", "HashTable", "AnonymousHashTable"]:
        for key, value in PAIRS if op == "HashTableV2" else PAIRS[:1] + PAIRS[-1:]:
            if op == "AnonymousHashTable":
                continue  # Each run of the op makes a table of its own.
            p = Program(f"{op} of {key.name} to {value.name}")
            a = Table(p, op, key, value)
            a.size()
            a.find(keys(key, 1), scalar(value, 0))
            a.init(keys(key, 1, 2, 3), values(value, 11, 12, 13))
            a.find(keys(key, 3, 9, 1), scalar(value, 0))
            a.find((keys(key, 3, 9, 1, 2)[0].reshape(2, 2), key), scalar(value, 0))
            a.size()
            a.init(keys(key, 1, 2, 3), values(value, 11, 12, 13))
            a.init(keys(key, 1, 2), values(value, 11, 12))
    p = Program("static tables and what does not fit")
    a = Table(p, "HashTableV2", L, F)
    a.insert(keys(L, 1), values(F, 1))
    a.load(keys(L, 1), values(F, 1))
    a.remove(keys(L, 1))
    a.init(keys(L, 1, 2), values(F, 1))
    a.init(keys(L, 1), values(I, 1))
    a.init(keys(I, 1), values(F, 1))
    a.init(keys(L, 1, 1), values(F, 1, 2))
    a.init(keys(L, 1, 1), values(F, 1, 1))
    a.find(keys(L, 1), scalar(F, 0))
    b = Table(p, "HashTableV2", L, F, name="b")
    b.init((keys(L, 1, 2)[0].reshape(1, 2), L), (values(F, 1, 2)[0].reshape(1, 2), F))
    b.export()
    c = Table(p, "HashTableV2", L, F, name="c")
    c.init(keys(L, 4), values(F, 5))
    c.export()
    c.find(keys(I, 4), scalar(F, 0))
    c.find(keys(L, 4), scalar(I, 0))
    c.find(keys(L, 4), values(F, 0))
    c.find(keys(L, 4, 5), values(F, 1, 2))
    c.find(t([], "int64"), scalar(F, 0))
    c.find(t(4, "int64"), scalar(F, 0))
    for number, given in enumerate([(1, 2), (1, 1)]):
        d = Table(p, "HashTableV2", L, F, name=f"d{number}")
        d.init(keys(L, 1, 1), values(F, *given))
        d.size()
        d.find(keys(L, 1), scalar(F, 0))
        d.init(keys(L, 5, 6), values(F, 5, 6))
        d.find(keys(L, 5), scalar(F, 0))
    e = Table(p, "HashTableV2", L, F, name="e")
    e.init(keys(L), values(F))
    e.init(keys(L), values(F, 1))
    e.size()
    e.find(keys(L, 1), scalar(F, 0))
    p = Program("one table by name")
    a, b = Table(p, "HashTableV2", L, F), Table(p, "HashTableV2", L, F)
    a.init(keys(L, 4), values(F, 5))
    b.find(keys(L, 4), scalar(F, 0))
    for op, key, value in [("HashTableV2", S, F), ("HashTableV2", L, D), ("MutableHashTableV2", L, F)]:
        Table(p, op, key, value).size()


def mutable():
    for op in ["MutableHashTableV2", "MutableHashTable"]:
        for key, value in MUTABLE if op == "MutableHashTableV2" else MUTABLE[-1:]:
            p = Program(f"{op} of {key.name} to {value.name}")
            a = Table(p, op, key, value)
            a.size()
            a.find(keys(key, 1), scalar(value, 0))
            a.insert(keys(key, 1, 2, 3), values(value, 11, 12, 13))
            a.insert(keys(key, 2, 5), values(value, 22, 25))
            a.find(keys(key, 5, 2, 1, 8), scalar(value, 0))
            if op.endswith("V2"):
                a.find(keys(key, 8, 2, 9), values(value, 31, 32, 33))
                a.remove(keys(key, 1, 5, 6, 1))
                a.find(keys(key, 3, 5, 2, 1), scalar(value, 0))
            a.size()
            a.load(keys(key, 7), values(value, 7))
            a.size()
            a.export()
    p = Program("mutable tables and what does not fit")
    a = Table(p, "MutableHashTableV2", L, F)
    a.insert(keys(L, 1, 2), values(F, 1))
    a.insert(keys(L, 1), values(I, 1))
    a.insert(keys(I, 1), values(F, 1))
    a.insert(keys(L, 1), rows(F, (1, 2)))
    a.insert(t(1, "int64"), scalar(F, 5))
    a.remove(keys(I, 1))
    a.find(keys(L, 1, 2), values(F, 1))
    a.find(keys(L, 1, 2), rows(F, (2, 2)))
    a.find(keys(I, 1), scalar(F, 0))
    a.init(keys(L, 1), values(F, 1))
    a.insert((keys(L, 1, 2)[0].reshape(1, 2), L), (values(F, 1, 2)[0].reshape(1, 2), F))
    a.size()
    a.insert(keys(L, 3, 3), values(F, 1, 2))
    a.find(keys(L, 3), scalar(F, 0))
    for key, value in [(L, F), (S, L), (I, D)]:
        p = Program(f"table of rows, {key.name} to {value.name}")
        a = Table(p, "MutableHashTableOfTensorsV2", key, value, value_shape=tf.TensorShape([2]))
        a.insert(keys(key, 1, 2), rows(value, (2, 2)))
        a.find(keys(key, 2, 7), rows(value, (2,), 50))
        a.find((keys(key, 2, 7)[0].reshape(2, 1), key), rows(value, (2,), 50))
        a.find(keys(key, 2, 7), rows(value, (2, 2), 50))
        a.find(keys(key, 2, 7), scalar(value, 0))
        a.insert(keys(key, 1), values(value, 1))
        a.insert(keys(key, 1), rows(value, (1, 3)))
        a.size()
        a.remove(keys(key, 1))
        a.export()
        a.load(t([], key), rows(value, (0, 2)))
        a.export()
    p = Program("rows of other shapes")
    for name, dims in [("none", None), ("part", [None]), ("matrix", [1, 2])]:
        Table(p, "MutableHashTableOfTensorsV2", L, F, name=name, value_shape=tf.TensorShape(dims)).size()


def files():
    os.chdir(pathlib.Path(__file__).parents[2])  # Paths are those of a test of the crate.
    for key, value, columns in [(S, L, (0, 1)), (S, L, (-2, -1)), (L, S, (-1, -2)), (L, S, (-1, 0)), (S, F, (0, 2)), (S, D, (0, 2)), (S, S, (0, 2)),
                                (L, F, (1, 2)), (I, S, (1, 0)), (S, I, (0, 1)), (L, L, (-1, 1)), (S, L, (0, 5)), (S, L, (0, 0)), (L, L, (-2, -1)), (S, S, (-2, -1)),
                                (S, L, (0, -2)), (S, L, (-1, 1)), (I, S, (-1, 0)), (S, I, (0, -1))]:
        p = Program(f"a file, {key.name} to {value.name}, columns {columns}")
        a = Table(p, "HashTableV2", key, value)
        a.op("InitializeTableFromTextFile", t("tests/oracle/vocabulary.txt", "string"), key_index=columns[0], value_index=columns[1])
        a.size()
        at = t(["banana", "banana\t2\t2.5", "2"], "string") if key == S else t([0, 1, 2, 3], key)
        a.find(at, scalar(value, 77))
    p = Program("parts of files")
    for number, (name, attrs) in enumerate([("vocabulary.txt", dict(vocab_size=2)), ("vocabulary.txt", dict(vocab_size=3)), ("vocabulary.txt", dict(vocab_size=4)),
                                            ("vocabulary.txt", dict(offset=5)), ("vocabulary.txt", dict(delimiter="a")), ("vocabulary.txt", dict(delimiter="ab")),
                                            ("vocabulary_twice.txt", {}), ("vocabulary_empty.txt", {}), ("vocabulary_missing.txt", {}), ("vocabulary.txt", dict(vocab_size=0))]):
        a = Table(p, "HashTableV2", S, L, name=f"t{number}")
        a.op("InitializeTableFromTextFile", t("tests/oracle/" + name, "string"), key_index=0 if "delimiter" in attrs else -2, value_index=-1, **attrs)
        a.size()
        a.find(t(["cherry\t3\t3.5", "apple\t1\t1.5", "b", "n", ""], "string"), scalar(L, 77))
    p = Program("file names that do not fit")
    a = Table(p, "HashTableV2", S, L)
    a.op("InitializeTableFromTextFile", t(["tests/oracle/vocabulary.txt"], "string"), key_index=-2, value_index=-1)
    a.op("InitializeTableFromTextFile", t(["x", "y"], "string"), key_index=-2, value_index=-1)
    a.op("InitializeTableFromTextFile", t("tests/oracle/vocabulary.txt", "string"), key_index=-2, value_index=-1)
    a.op("InitializeTableFromTextFile", t("tests/oracle/vocabulary_twice.txt", "string"), key_index=-2, value_index=-1)
    a = Table(p, "MutableHashTableV2", S, L, name="m")
    a.op("InitializeTableFromTextFile", t("tests/oracle/vocabulary.txt", "string"), key_index=-2, value_index=-1)
    a = Table(p, "HashTable", S, L, name="old")
    a.op("InitializeTableFromTextFile", t("tests/oracle/vocabulary.txt", "string"), key_index=-2, value_index=-1)
    a.size()


def anonymous():
    p = Program("anonymous tables", "eager")
    for op, key, value in [("AnonymousHashTable", L, F), ("AnonymousMutableHashTable", S, L), ("AnonymousMutableHashTable", I, F)]:
        a, b = Table(p, op, key, value), Table(p, op, key, value)
        (a.insert if "Mutable" in op else a.init)(keys(key, 1), values(value, 5))
        a.size()
        b.size()
        a.find(keys(key, 1, 2), scalar(value, 0))
    a = Table(p, "AnonymousMutableHashTableOfTensors", L, F, value_shape=tf.TensorShape([2]))
    a.insert(keys(L, 1), rows(F, (1, 2)))
    a.export()


static()
mutable()
files()
anonymous()
programs.write(__file__, "state_tables.txt")

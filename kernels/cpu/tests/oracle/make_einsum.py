"""Writes einsum.txt: what TensorFlow 2.21 computes for `Einsum`.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_einsum.py`.
"""

import numpy as np
import tensorflow as tf

from cases import COMPLEX, FLOATS, case, count, none, t, write

rng = np.random.default_rng(35)


def small(shape, dtype="int32"):
    values = rng.integers(-4, 5, shape)
    return t(values + 1j * rng.integers(-4, 5, shape) if dtype in COMPLEX else values, dtype)


def einsum(equation, *shapes, dtype="int32", tolerance=0):
    case("Einsum", [small(shape, dtype) for shape in shapes], equation=equation, tolerance=tolerance)


def dtypes():
    for dtype in FLOATS + ["int32", "int64", "int16", "uint8"] + COMPLEX:
        einsum("ab,bc->ac", (2, 3), (3, 4), dtype=dtype)
        einsum("abc->ca", (2, 3, 4), dtype=dtype)
        einsum("iij,jk->ik", (2, 2, 3), (3, 2), dtype=dtype)
    for dtype in FLOATS + COMPLEX:
        einsum("abc,cde->abde", (2, 3, 8), (8, 2, 3), dtype=dtype, tolerance=8)
        einsum("aecd,abcd->acbe", (2, 3, 2, 4), (2, 5, 2, 4), dtype=dtype, tolerance=8)
        einsum("acbe,aecd->abcd", (2, 2, 5, 3), (2, 3, 2, 4), dtype=dtype, tolerance=8)


def one():
    for equation, shape in [("ij->ji", (2, 3)), ("ii->i", (2, 2)), ("i->ii", (2,)), ("ij->", (2, 3)), ("->", ()), ("...ij->...i", (2, 2, 2)), ("...->...", (2, 2)), ("...->", (2, 2)), ("...->", ()),
                            ("iij->ij...", (2, 2, 1)), ("ij->ij", (0, 2)), ("ij->j", (0, 2)), ("ij->i", (0, 2)), ("i...->...", (2, 2)), ("a->a->", (2,)), ("ij->i", (2,)), ("ii->i", (2, 3)),
                            ("...i->i...", (2, 3, 4)), ("i...i->...", (2, 3, 2)), ("abcd->dbca", (2, 1, 3, 2)), ("aabb->ab", (2, 2, 3, 3)), ("ab->bab", (2, 3)), ("a.b->ab", (2, 2)), (" ij->ji", (2, 2)),
                            ("i1->1i", (2, 3)), ("ab", (2, 2)), ("i->...i", (2,)), ("abc->b", (2, 3, 0))]:
        einsum(equation, shape)


def two():
    for equation, a, b in [("ij,jk->ik", (2, 3), (2, 2)), ("...ij,...jk->ik", (2, 3), (3, 2)), ("...ij,...jk->ik", (1, 2, 3), (3, 2)), ("...ij,jk->...ik", (2, 1, 3), (3, 2)), ("ab,ab->ab", (2, 2), (2, 2)),
                           ("ab,b->ab", (1, 2), (1,)), ("a,a->a", (1,), (2,)), ("i,j->iij", (2,), (2,)), ("...a,...a->...", (2, 1, 2), (3, 2)), ("ij,jk->ik", (2, 0), (0, 2)), ("ab,cd->ac", (2, 2), (2, 2)),
                           ("aab,bc->ac", (2, 2, 2), (2, 1)), ("bij,bjk->ikb", (2, 3, 4), (2, 4, 2)), ("abc,cd->adb", (2, 3, 2), (2, 3)), ("a,->a", (3,), ()), (",->", (), ()), ("ab,ba->", (2, 3), (3, 2)),
                           ("...ab,...bc->...ac", (2, 1, 2, 3), (4, 3, 2)), ("...ab,...bc->...ac", (2, 2, 3), (3, 3, 2)), ("ab...,bc...->ac...", (2, 3, 2, 2), (3, 2, 2, 1)), ("a...,a->...", (2, 3), (2,)),
                           ("a...b,b...->a...", (2, 2, 3, 4), (4, 3)), ("abc,abd->dc", (2, 3, 2), (2, 3, 3)), ("ab,ac->abc", (2, 3), (2, 2)), ("abcd,dbe->ace", (2, 3, 2, 2), (2, 3, 2)), ("i,i,i->i", (2,), (2,)),
                           ("i->i", (2,), (2,)), ("a...,b...->ab...", (2, 3), (2, 1)), ("abb,ac->acb", (2, 2, 2), (2, 3)), ("ab,bc->cac", (2, 3), (3, 2)), ("abcde,ebfad->cf", (2, 2, 3, 2, 2), (2, 2, 3, 2, 2))]:
        einsum(equation, a, b)
    case("Einsum", [count((2,)), count((2,)), count((2,))], equation="i,i,i->i")


write(__file__, dtypes, one, two)

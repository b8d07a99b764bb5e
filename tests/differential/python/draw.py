"""Random choices of one case: every one follows from the seed, the op and the number of the case."""
import zlib
from dataclasses import dataclass

import numpy as np

import values
from dtypes import HOLDERS


@dataclass
class Tensor:
    """A dtype by name, and its elements."""
    dtype: str
    array: np.ndarray

    @property
    def shape(self):
        return self.array.shape


class Draw:
    """Draws shapes, values and choices."""

    def __init__(self, seed, op, index):
        self.index = index
        self.random = np.random.Generator(np.random.PCG64([seed, zlib.crc32(op.encode()), index]))
        self.style = self.random.choice(values.STYLES, p=values.WEIGHTS)
        # A few cases are large enough for vector loops and for work split over threads.
        self.large = self.chance(0.05)

    def chance(self, probability):
        return self.random.random() < probability

    def one(self, options):
        return options[self.random.integers(0, len(options))]

    def integer(self, low, high):
        """Between `low` and `high`, both included."""
        return int(self.random.integers(low, high + 1))

    def bad(self, probability=0.03):
        """Whether to break a rule here, so that the case is refused."""
        return self.chance(probability)

    def dim(self):
        if self.chance(0.04):
            return 0
        return int(self.one([1, 1, 2, 2, 3, 3, 4, 5, 7, 9]))

    def shape(self, low=0, high=5, most=160):
        """A shape of a rank between `low` and `high`, of at most `most` elements unless the case is large."""
        rank = self.integer(low, high)
        if self.large and rank > 0 and most >= 40:
            self.large = False  # one large tensor a case
            return self.large_shape(rank)
        shape = [self.dim() for _ in range(rank)]
        while np.prod(shape) > most:
            shape[int(np.argmax(shape))] = self.integer(1, 2)
        return tuple(shape)

    def large_shape(self, rank):
        shape = [1] * rank
        for _ in range(2):
            shape[self.integer(0, rank - 1)] = self.one([33, 70, 129])
        return tuple(shape) if np.prod(shape) > 500 else (*shape[:-1], 1501)

    def broadcast(self, count, low=0, high=5):
        """Shapes of `count` tensors that broadcast to one; seldom some that do not."""
        whole = self.shape(low, high)
        shapes = []
        for _ in range(count):
            kept = len(whole) if self.chance(0.6) else self.integer(0, len(whole))
            shape = list(whole[len(whole) - kept:])
            for axis in range(len(shape)):
                if self.chance(0.25):
                    shape[axis] = 1
            shapes.append(shape)
        if self.bad() and shapes[0]:
            shapes[0][self.integer(0, len(shapes[0]) - 1)] += 2
        return [tuple(shape) for shape in shapes]

    def axis(self, rank, bad=0.03):
        """An axis of a tensor of this rank, possibly from the end; seldom one outside it."""
        if self.bad(bad) or rank == 0:
            return self.one([rank, -rank - 1, rank + 3])
        return self.integer(-rank, rank - 1)

    def axes(self, rank, repeated=False):
        """Some axes of a tensor of this rank."""
        count = self.integer(0, rank)
        if repeated:
            return [self.axis(rank, 0) for _ in range(count)] if rank else []
        axes = list(self.random.permutation(rank)[:count])
        return [int(a) - (rank if self.chance(0.3) else 0) for a in axes]

    def tensor(self, dtype, shape, style=None):
        """A tensor with values of the case's style, or of `style`."""
        return Tensor(dtype, values.draw(self.random, dtype, shape, style or self.style))

    def given(self, dtype, elements):
        """A tensor of these elements."""
        return given(dtype, elements)


def given(dtype, elements):
    """A tensor of these elements; strings are given as bytes."""
    if dtype == "string":
        return Tensor(dtype, np.array(elements, object))
    return Tensor(dtype, np.asarray(np.array(elements).astype(HOLDERS[dtype])))

"""Output extents as expressions of extents that are not known yet.

A shape function gives numbers for numbers. It is asked at several points, and the outputs' extents are fitted: linear
with rational coefficients, or a product of powers; then the fit is held against a further point. What fits neither is
left to the caller, who takes the extents as they are.
"""

from fractions import Fraction

#: Extents that most shape functions can divide.
_UNIT = 5040
_PRIMES = [11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89]


def base(count):
    """The first point: extents that differ."""
    return [_UNIT * _PRIMES[at % len(_PRIMES)] * (1 + at // len(_PRIMES)) for at in range(count)]


def fit(infer, count):
    """Expressions for the extents that `infer` gives for `count` unknown extents: for each output a list with an item
    for each extent, an `Affine`, a `Product`, or None for one that the shape function does not know. None where the
    extents fit neither; raises what `infer` raises at the first point."""
    start = base(count)
    first = infer(start)
    steps = []
    for at in range(count):
        point = list(start)
        point[at] *= 2
        steps.append(infer(point))
    check = [value * 3 for value in start]
    odd = [value + 1 + at for at, value in enumerate(start)]
    found = []
    for output, shape in enumerate(first):
        dims = []
        for axis, value in enumerate(shape):
            if value is None:
                dims.append(None)
                continue
            moved = [step[output][axis] for step in steps]
            expression = _fit_one(start, value, moved)
            if expression is None or expression.at(check) != infer(check)[output][axis]:
                return None
            try:
                differs = infer(odd)[output][axis] != expression.at(odd)
            except ValueError:
                differs = False
            if differs:
                return None
            dims.append(expression)
        found.append(dims)
    return found


def _fit_one(start, value, moved):
    coefficients = [Fraction(there - value, here) for here, there in zip(start, moved)]
    rest = value - sum(factor * here for factor, here in zip(coefficients, start))
    if rest.denominator == 1 and not _is_product(value, moved):
        return Affine(coefficients, int(rest))
    powers = []
    for there in moved:
        ratio, power = Fraction(there, value) if value else Fraction(0), 0
        while ratio > 1 and ratio % 2 == 0:
            ratio, power = ratio / 2, power + 1
        if ratio != 1:
            return None
        powers.append(power)
    whole = 1
    for here, power in zip(start, powers):
        whole *= here**power
    return Product(Fraction(value, whole), powers)


def _is_product(value, moved):
    return value != 0 and sum(there == 2 * value for there in moved) > 1


class Affine:
    """`rest + sum of factor * extent`."""

    def __init__(self, factors, rest):
        self.factors, self.rest = factors, rest
        self.divisor = 1
        for factor in factors:
            self.divisor *= factor.denominator // _gcd(self.divisor, factor.denominator)

    def at(self, extents):
        total = self.rest * self.divisor
        for factor, extent in zip(self.factors, extents):
            if factor:
                weight = int(factor * self.divisor)
                total = total + (extent if weight == 1 else weight * extent)
        return total if self.divisor == 1 else total // self.divisor


class Product:
    """`factor * product of extent ** power`."""

    def __init__(self, factor, powers):
        self.factor, self.powers = factor, powers

    def at(self, extents):
        total = self.factor.numerator
        for extent, power in zip(extents, self.powers):
            for _ in range(power):
                total = total * extent
        return total if self.factor.denominator == 1 else total // self.factor.denominator


def _gcd(a, b):
    while b:
        a, b = b, a % b
    return a

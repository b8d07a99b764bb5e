"""How near oplink's numbers must come to TensorFlow's, by op and dtype, each with its reason.

`exact`: the same bits, apart from NaN, of which any is any other's equal. `ulps`: so many floating-point numbers between the
two; of a complex number, so many epsilons of its magnitude. `scale`: so many epsilons of the largest finite magnitude among
the expected values and the inputs, which is what a sum in another order differs by. What no row names is exact.
"""
from dataclasses import dataclass

from dtypes import COMPLEX, FLOATS


@dataclass
class Policy:
    """A kind of comparison and its bound."""
    kind: str
    bound: float = 0
    reason: str = ""


EXACT = Policy("exact", 0, "moves, comparisons, integers: the same bits")


def policy(op, dtype):
    """The policy for an output of an op, by the output's dtype."""
    if dtype not in FLOATS and dtype not in COMPLEX:
        return EXACT
    for ops, dtypes, found in ROWS:
        if op in ops and dtype in dtypes:
            return found
    return EXACT


ROWS = []

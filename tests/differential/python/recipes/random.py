"""Random numbers: the same seeds give the same numbers."""
from draw import given

from . import recipe
from .reduction import moderate

SHAPED = ("StatelessRandomNormal", "StatelessRandomUniform", "StatelessTruncatedNormal", "StatelessRandomUniformFullInt")
KEYED = ("StatelessRandomNormalV2", "StatelessRandomUniformV2", "StatelessTruncatedNormalV2", "StatelessRandomUniformFullIntV2")


def wanted(d, dtype):
    """A shape as a vector; seldom one that is refused."""
    shape = [*d.shape(0, 4)]
    if shape and d.bad():
        shape[0] = -1
    return given(dtype, shape if not d.bad(0.01) else [shape])


def seed(d, dtype):
    return given(dtype, [d.integer(-5, 1 << 30), d.integer(0, 1 << 30)] if not d.bad() else [1])


def key_counter(d):
    """Key, counter and algorithm: Philox, or the one that the device chooses."""
    alg = d.one([1, 1, 3]) if not d.bad() else d.one([0, 9])
    size = 2 if not d.bad() else 0
    return [d.tensor("uint64", (1,), "wide"), d.tensor("uint64", (size,), "wide"), given("int32", alg)]


def limits(d, dtype):
    low = d.integer(0 if dtype.startswith("u") else -50, 50)
    return [given(dtype, low), given(dtype, low + (d.integer(1, 100) if not d.bad() else 0))]


def seeds(d):
    return {"seed": d.integer(1, 1 << 20), "seed2": d.integer(0, 1 << 20)}


@recipe(*SHAPED)
def stateless(d, t):
    t["Tseed"] = d.one(["int32", "int64"])  # the others that the declaration allows have no kernel
    return [wanted(d, t["T"]), seed(d, t["Tseed"])]


@recipe("StatelessRandomUniformInt")
def stateless_int(d, t):
    return [wanted(d, t["T"]), seed(d, t["Tseed"]), *limits(d, t["dtype"])]


@recipe(*KEYED)
def keyed(d, t):
    return [wanted(d, t["Tshape"]), *key_counter(d)]


@recipe("StatelessRandomUniformIntV2")
def keyed_int(d, t):
    return [wanted(d, t["Tshape"]), *key_counter(d), *limits(d, t["dtype"])]


@recipe("StatelessRandomGetKeyCounter", "StatelessRandomGetKeyCounterAlg")
def get_key_counter(d, t):
    return [seed(d, t["Tseed"])]


@recipe("StatelessMultinomial")
def stateless_multinomial(d, t):
    return [*logits(d, t), seed(d, t["Tseed"])]


def logits(d, t):
    moderate(d)
    rows, classes = d.dim(), d.integer(1, 6)
    return [d.tensor(t["T"], (rows, classes) if not d.bad() else (classes,), "plain"), given("int32", d.integer(0, 9) if not d.bad() else -1)]


@recipe("Multinomial")
def multinomial(d, t):
    return logits(d, t), seeds(d)


@recipe("RandomStandardNormal", "RandomUniform", "TruncatedNormal")
def stateful(d, t):
    return [wanted(d, t["T"])], seeds(d)


@recipe("RandomUniformInt")
def stateful_int(d, t):
    return [wanted(d, t["T"]), *limits(d, t["Tout"])], seeds(d)


@recipe("RandomGamma")
def gamma(d, t):
    return [given(t["S"], d.shape(0, 2, 12)), d.tensor(t["T"], d.shape(0, 2, 8), "positive")], seeds(d)


@recipe("RandomPoissonV2")
def poisson(d, t):
    return [given(t["S"], d.shape(0, 2, 12)), d.tensor(t["R"], d.shape(0, 2, 8), "positive")], seeds(d)


@recipe("RandomShuffle")
def shuffle(d, t):
    return [d.tensor(t["T"], d.shape(0, 3))], seeds(d)


def ending_with(d, dtype, alpha):
    """A shape as a vector that ends with that of a tensor; seldom one that does not."""
    shape = [*d.shape(0, 2, 12), *alpha.shape]
    if shape and d.bad():
        shape[-1] += 1
    return given(dtype, shape)


@recipe("StatelessRandomGammaV2", "StatelessRandomGammaV3")
def stateless_gamma(d, t, op):
    alpha = d.tensor(t["dtype"], d.shape(0, 2, 12), "positive")
    if op == "StatelessRandomGammaV2":
        t["Tseed"] = d.one(["int32", "int64"])
        return [ending_with(d, t["T"], alpha), seed(d, t["Tseed"]), alpha]
    return [ending_with(d, t["shape_dtype"], alpha), *key_counter(d), alpha]

"""Random numbers: the same seeds give the same numbers."""
import numpy as np

from cases import GraphBuilder
from draw import given

from . import graph_recipe, recipe
from .io import folder
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


@recipe("RandomPoisson", "RandomPoissonV2")
def poisson(d, t):
    rate = t.get("R", t["dtype"])
    return [given(t["S"], d.shape(0, 2, 12)), rates(d, rate, d.shape(0, 2, 8))], seeds(d)


def rates(d, dtype, shape):
    """Rates for both methods; TensorFlow never ends with one that is not finite."""
    return given(dtype, d.random.choice([0, 0.5, 1, 3, 9, 10, 12, 100, 3000, -1], shape) + d.random.random(shape) * (d.chance(0.7)))


def ending(d, shape, dtype):
    """A shape that ends in this one; seldom another."""
    whole = [*d.shape(0, 2, 12), *shape]
    return given(dtype, whole if not d.bad() else [*whole, 2])


@recipe("StatelessRandomPoisson")
def stateless_poisson(d, t):
    shape = d.shape(0, 2, 8)
    return [ending(d, shape, t["T"]), seed(d, t["Tseed"]), rates(d, t["Rtype"], shape)]


def binomials(d, dtype):
    """Counts and probabilities that broadcast, and their common shape. NaN never ends in TensorFlow."""
    a, b = d.broadcast(2, 0, 2) if not d.bad() else ((2,), (3,))
    try:
        whole = np.broadcast_shapes(a, b)
    except ValueError:
        whole = a
    counts = d.random.choice([0, 1, 2, 7, 20, 100, 1000], a)
    probabilities = d.random.choice([0, 0.01, 0.2, 0.5, 0.51, 0.9, 0.99, 1, 1.5, -1], b)
    return whole, [given(dtype, counts), given(dtype, probabilities)]


@recipe("StatelessRandomBinomial")
def stateless_binomial(d, t):
    t["T"] = d.one(["float16", "float32", "float64"])  # integers have no kernel
    whole, parameters = binomials(d, t["T"])
    return [ending(d, whole, t["S"]), seed(d, t["Tseed"]), *parameters]


@recipe("StatelessRandomGammaV2", "StatelessRandomGammaV3")
def stateless_gamma(d, t, op):
    shape = d.shape(0, 2, 8)
    position = key_counter(d) if op.endswith("V3") else [seed(d, t["Tseed"])]
    wanted = ending(d, shape, t.get("T", t.get("shape_dtype")))
    return [wanted, *position, d.tensor(t["dtype"], shape, "positive")]


def cut(d, dtype, shapes):
    """Means, deviations and bounds: at both sides of the mean, far from it, near each other, one alone."""
    low, extent = d.random.choice([-3.0, -1.2, -0.5, 0.3, 2, 4], shapes[2]), d.random.choice([0.05, 0.5, 2, 6], shapes[3])
    low, high = np.broadcast_arrays(low, extent) if shapes[2] == shapes[3] else (low, 5 + extent)
    high = low + high if shapes[2] == shapes[3] else high
    if d.chance(0.15):
        high = np.full_like(high, np.inf)
    elif d.chance(0.15):
        low = np.full_like(low, -np.inf)
    if d.bad():
        low = low + 40
    means, deviations = d.random.uniform(-1, 1, shapes[0]), d.random.uniform(0.5, 2, shapes[1])
    return [given(dtype, x) for x in (means, -deviations if d.bad() else deviations, low, high)]


@recipe("ParameterizedTruncatedNormal")
def parameterized_truncated_normal(d, t):
    t["dtype"] = d.one(["float16", "float32", "float64"])  # bfloat16 has no kernel
    shape = [max(1, dim) for dim in d.shape(1, 3, 60)] if not d.bad() else []
    whole = (shape[:1] if shape else [2]) if not d.bad() else [77]
    both = d.one([[], whole])
    return [given(t["T"], shape), *cut(d, t["dtype"], [d.one([[], [1], whole]), d.one([[], [1], whole]), both, both])], seeds(d)


@recipe("StatelessParameterizedTruncatedNormal")
def stateless_parameterized_truncated_normal(d, t):
    whole = [max(1, dim) for dim in d.shape(0, 2, 12)]
    both = d.one([[], whole])
    shapes = [d.one([[], whole[-1:], whole]), d.one([[], whole]), both, both]
    common = np.broadcast_shapes(*map(tuple, shapes))
    return [ending(d, common, t["S"]), seed(d, t["Tseed"]), *cut(d, t["dtype"], shapes)]


@recipe("RandomIndexShuffle")
def index_shuffle(d, t):
    count, last = d.integer(1, 5), d.one([0, 1, 9, 300, 65535, 65536, 100000, 2 ** 31 - 1])
    index = d.random.integers(0, last + 1, count) if not d.bad() else [last + 1] * count
    seeds_of = d.random.integers(0, 1 << 30, (count, 3) if d.chance(0.3) else (3,))
    scalars = d.chance(0.3)
    return [given(t["dtype"], index[0] if scalars else index), given(t["Tseed"], seeds_of if not d.bad() else [1, 2]),
            given(t["dtype"], last if scalars or d.chance(0.5) else [last] * count)], {"rounds": d.one([4, 4, 6, 8, 32])}


@recipe("StochasticCastToInt")
def stochastic_cast(d, t):
    return [d.tensor(t["Tin"], d.shape(0, 3)), *key_counter(d)]


@recipe("KmeansPlusPlusInitialization")
def kmeans_plus_plus(d, t):
    """Whole numbers, so that sums in any order agree; and no point twice: where all distances are 0, TensorFlow reads beyond its memory."""
    rows, columns = d.one([1, 2, 5, 20, 60]), d.integer(1, 5)
    points = d.random.integers(-3, 4, (rows, columns))
    points[:, 0] = d.random.permutation(np.arange(-40, 40))[:rows]
    wanted = d.integer(1, rows) if not d.bad() else d.one([0, rows + 1])
    scalars = [given("int64", number if not d.bad(0.01) else [number]) for number in (wanted, d.integer(-5, 1 << 40), d.one([0, 0, 1, 3, -1]))]
    return [given("float32", points if not d.bad() else points[0]), *scalars]


@recipe("KMC2ChainInitialization")
def kmc2_chain(d, t):
    distances = d.tensor("float32", (d.integer(1, 30),) if not d.bad(0.06) else d.one([(), (0,), (2, 2)]), d.one(["positive", "small"]))
    return [distances, given("int64", d.integer(-5, 1 << 40) if not d.bad() else [1])]


@recipe("StatelessShuffle")
def stateless_shuffle(d, t):
    return [d.tensor(t["T"], d.shape(0, 3)), *key_counter(d)]


STATEFUL = ("StatefulUniform", "StatefulStandardNormal", "StatefulStandardNormalV2", "StatefulTruncatedNormal", "StatefulUniformFullInt",
            "StatefulUniformInt", "StatefulRandomBinomial", "RngSkip", "RngReadAndSkip", "NonDeterministicInts")


@graph_recipe(*STATEFUL)
def from_variable(d, t, op):
    """Numbers whose position is in a variable, which is read behind them; of numbers that nobody can foretell, the shape."""
    g = GraphBuilder()
    integers, algorithm = op in ("StatefulUniformInt", "StatefulUniformFullInt", "NonDeterministicInts"), d.one([1, 1, 3])
    dtype = d.one(["int32", "int64"] if op == "StatefulUniformInt" else ["int32", "int64", "uint32", "uint64"] if integers else ["float32", "float64", "float16", "bfloat16"])
    shape_dtype = d.one(["int32", "int64"])
    shape = g.feed(wanted(d, shape_dtype))
    types = {"dtype": dtype, "shape_dtype": shape_dtype, "S": shape_dtype}
    if op == "NonDeterministicInts":
        return g.case(op, [g.node("Shape", [g.node(op, [shape], **types)], T=dtype, out_type="int32")], dtype)
    words = [int(word) for word in d.random.integers(-(1 << 62), 1 << 62, 3)] if not d.bad() else [1, 2]
    if op == "StatefulStandardNormal":
        words = [1 if not d.bad() else 7, *words]
    state = given("int64", words if not d.bad() else [words])
    made = g.node("VarHandleOp", dtype="int64", shape=None, container="", shared_name="v", allowed_devices=[])
    assign = g.node("AssignVariableOp", [made, g.constant(state)], dtype="int64", validate_shape=False)
    number = g.feed(given("int32" if op == "RngReadAndSkip" else "int64", algorithm if not d.bad() else d.one([0, 9])))
    if op in ("RngSkip", "RngReadAndSkip"):
        delta = given("int64", d.integer(-9, 1 << 40)) if op == "RngSkip" else given("uint64", d.integer(0, 1 << 40))
        out = g.node(op, [made, number, g.feed(delta)])
    elif op == "StatefulRandomBinomial":
        types["T"], types["dtype"] = d.one(["float16", "float32", "float64"]), d.one(["int32", "int64", "float32", "float64"])
        whole, parameters = binomials(d, types["T"])
        out = g.node(op, [made, number, g.feed(ending(d, whole, shape_dtype)), *map(g.feed, parameters)], **types)
    else:
        limits_of = map(g.feed, limits(d, dtype)) if op == "StatefulUniformInt" else []
        out = g.node(op, [made, *([number] if op != "StatefulStandardNormal" else []), shape, *limits_of], **types)
    drawn = ([], [out]) if op == "RngSkip" else ([out], [])
    read = g.node("ReadVariableOp", [made], dtype="int64")
    # TensorFlow's StatefulRandomBinomial writes to the memory of whoever shares the value; that of the skip is the variable's own.
    own = [([], [g.node("RngSkip", [made, g.constant(given("int64", 1)), g.constant(given("int64", 1))])])] if op == "StatefulRandomBinomial" else []
    return g.case(op, [], dtype, steps=[([], [assign]), *own, drawn, ([read], []), drawn, ([read], [])])


def sampler(d, most):
    """The attrs and true classes of a candidate sampler, of so many classes or fewer."""
    classes, sampled = d.integer(1, most), d.integer(1, 12)
    unique = d.chance(0.5)
    if unique and not d.bad():
        sampled = min(sampled, classes)
    width = d.integer(1, 3)
    true = d.random.integers(0, classes if not d.bad() else classes + 3, (d.dim(), width if not d.bad() else width + 1))
    return [given("int64", true)], {"num_true": width, "num_sampled": sampled, "unique": unique, "range_max": classes, **seeds(d)}


@recipe("UniformCandidateSampler", "LogUniformCandidateSampler")
def candidates(d, t):
    return sampler(d, d.one([3, 20, 1000, 1 << 40]))


@recipe("AllCandidateSampler")
def all_candidates(d, t):
    inputs, attrs = sampler(d, 20)
    attrs["num_sampled"] = attrs.pop("range_max")
    return inputs, attrs


@graph_recipe("LearnedUnigramCandidateSampler", "ThreadUnsafeUnigramCandidateSampler")
def learned(d, t, op):
    """Several runs, of which the later ones know what the first ones saw."""
    g, (inputs, attrs) = GraphBuilder(), sampler(d, d.one([3, 20, 100]))
    drawn = g.node(op, [g.feed(inputs[0])], **attrs)
    return g.case(op, [], "int64", steps=[([drawn, f"{drawn}:1", f"{drawn}:2"], [])] * 3)


@recipe("FixedUnigramCandidateSampler")
def fixed(d, t):
    inputs, attrs = sampler(d, 20)
    shards, reserved = d.one([1, 1, 2, 3]), d.one([0, 0, 1, 2])
    shard = d.integer(0, shards - 1)
    attrs |= {"num_reserved_ids": reserved, "num_shards": shards, "shard": shard, "distortion": d.one([1.0, 0.75, 0.0, 2.0])}
    first = sum(at % shards == shard for at in range(reserved))
    weights, at = [], first
    while first < attrs["range_max"]:
        weights.append(float(d.integer(1, 40)) / 4)
        first, at = first + (at % shards == shard), at + 1
    attrs["unique"] = attrs["unique"] and reserved == 0  # else TensorFlow may never end
    if d.bad():
        weights.append(1.0)
    if d.chance(0.4) and weights:
        path = folder("FixedUnigramCandidateSampler", d.index) / "vocabulary"
        path.write_text("".join(f"word{n},{weight}\n" for n, weight in enumerate(weights)))
        return inputs, attrs | {"vocab_file": str(path), "unigrams": []}
    return inputs, attrs | {"vocab_file": "", "unigrams": weights}


@recipe("ComputeAccidentalHits")
def accidental_hits(d, t):
    width = d.integer(1, 3)
    true = d.random.integers(0, 6, (d.dim(), width if not d.bad() else width + 1))
    sampled = d.random.integers(0, 6, d.dim() if not d.bad() else (2, 2))
    return [given("int64", true), given("int64", sampled)], {"num_true": width, "seed": 0, "seed2": 0}


@recipe("RandomShuffle")
def shuffle(d, t):
    return [d.tensor(t["T"], d.shape(0, 3))], seeds(d)


@recipe("SobolSample")
def sobol(d, t):
    """Below the point 2^30, from which on TensorFlow's scale has another sign."""
    dim = d.one([1, 2, 3, 5, 40, 40, 1112, 21200])
    count = d.integer(1, 40) if dim <= 40 else d.integer(1, 2)
    numbers = [dim if not d.bad() else d.one([0, 21201]), count if not d.bad() else 0, d.one([0, 0, 1, 2, 7, 1000, 2 ** 24 + 3, 2 ** 29]) if not d.bad() else d.one([-1, 2 ** 31 - 2])]
    return [given("int32", number if not d.bad(0.01) else [number]) for number in numbers]

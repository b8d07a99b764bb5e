"""Compares graphs of several ops: each op takes some of its inputs from those before it, so that the passes have something to
rewrite. Every op of a chain agrees on both sides by itself; what disagrees is what became of the graph.

How near numbers must come is measured, not listed: TensorFlow runs the graph again with every intermediate number off by a few
roundings and by what oplink's differs there, once up and once down. What moves by that may differ by a multiple of it. Where TensorFlow's graph gives another value than its
ops one by one, oplink may give either.

usage: chains.py SERVER [--count N] [--seed S] [--jobs N] [--only I]
"""
import argparse
import json
import os
import pathlib
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass

import numpy as np

import children
import declarations
import explained
import tensorflow_side
from cases import Case, GraphBuilder, GraphCase, values_text
from draw import Draw, Tensor
from dtypes import COMPLEX, FLOATS, HANDLES, HOLDERS, QUANTIZED, finfo
from generate import Generator
from judge import Judge, outcome_text
from oplink_side import Server
from outcome import Crash, Failure
from protos import NAMES
from recipes.fused import ARITY

# Roundings by which each intermediate number is off in a run that measures, and the multiple of what moves that is allowed.
NOISE, MARGIN = 4, 16
# Elements of a value that other ops take.
MOST_ELEMENTS = 4096


@dataclass
class Value:
    """An output of a node, with the elements that TensorFlow gives for it alone."""
    name: str
    tensor: Tensor


class Chain:
    """A graph that grows by an op at a time."""

    def __init__(self, draw, menu, judge):
        self.d, self.menu, self.judge = draw, menu, judge
        self.g, self.noisy = GraphBuilder(), {1: GraphBuilder(), -1: GraphBuilder()}
        self.values, self.ops, self.disturbed = [], [], {}

    def grow(self):
        """Adds an op that both sides agree on; nothing where the one drawn does not do."""
        op = self.menu.draw(self.d, self.ops[-1] if self.ops else None)
        case = self.menu.case(self.d, op)
        if case is None:
            return
        for takes in (self._taken(case), {}):
            tried = Case(op, _replaced(case.inputs, {at: value for at, (_, value) in takes.items()}), case.attrs)
            verdict, expected, actual = self.judge.judge(tried)
            if verdict.kind == "agree" and self._comparable(tried, expected) and not any(map(_other_zeros, expected, actual)):
                self._add(tried, takes, expected, actual)
                return

    @staticmethod
    def _comparable(case, outputs):
        """Whether a graph gives what the op gives alone, in one order and one form."""
        tensors = [*case.flat_inputs(), *outputs]
        if any(t.dtype not in HOLDERS for t in outputs) or explained.arranged(case, outputs) is not outputs:
            return False
        # TensorFlow takes denormals for zeros in some threads and not in others. Of complex numbers that are not finite, which
        # part becomes NaN is up to the formula.
        return not any(explained.has_denormals(t) or (t.dtype in COMPLEX and not np.all(np.isfinite(t.array))) for t in tensors)

    def _taken(self, case):
        """For some flat inputs of a case the value that takes its place, and what it is then."""
        takes = {}
        for at, wanted in enumerate(case.flat_inputs()):
            fitting = [v for v in self.values if v.tensor.dtype == wanted.dtype and v.tensor.array.size >= wanted.array.size]
            alike = [v for v in fitting if v.tensor.shape == wanted.shape]
            if fitting and self.d.chance(0.7 if wanted.dtype in FLOATS else 0.4):
                chosen = self.d.one(alike or fitting)
                flat = chosen.tensor.array.reshape(-1)[:wanted.array.size]
                takes[at] = (chosen, Tensor(wanted.dtype, flat.reshape(wanted.shape)))
        return takes

    def _add(self, case, takes, outputs, ours):
        inputs = []
        for at, tensor in enumerate(case.flat_inputs()):
            inputs.append(self._cut(*takes[at]) if at in takes else self._new(tensor))
        names = [self._both("n", case.op, inputs, case.attrs)]
        names += [f"{names[0]}:{i}" for i in range(1, len(outputs))]
        self.ops.append(case.op)
        for name, tensor, other, specified in zip(names, outputs, ours, explained.compared(case, outputs)):
            self._disturb(name, tensor, other)
            if specified and tensor.array.size <= MOST_ELEMENTS:
                self.values.append(Value(name, tensor))

    def _both(self, prefix, op, inputs, attrs):
        """A node in all graphs; in the noisy ones, of disturbed inputs."""
        name = f"{prefix}{len(self.g.nodes)}"
        self.g.node(op, inputs, name=name, **attrs)
        for noisy in self.noisy.values():
            noisy.node(op, [self.disturbed.get(i, i) for i in inputs], name=name, **attrs)
        return name

    def _new(self, tensor):
        """An input of its own: a constant, or a placeholder of which more or less of the shape is known."""
        if self.d.chance(0.5):
            return self._both("c", "Const", [], {"dtype": tensor.dtype, "value": tensor})
        shape = self.d.one([None, tensor.shape, [None if self.d.chance(0.5) else dim for dim in tensor.shape]])
        name = self._both("p", "Placeholder", [], {"dtype": tensor.dtype, "shape": shape})
        self.g.feeds.append((name, tensor))
        return name

    def _cut(self, value, wanted):
        """So many elements of a value in this shape."""
        if value.tensor.shape == wanted.shape:
            return value.name
        ints = lambda elements: self._both("c", "Const", [], {"dtype": "int32", "value": self.d.given("int32", elements)})
        types = {"T": wanted.dtype, "Tshape": "int32", "Index": "int32"}
        flat = self._both("n", "Reshape", [value.name, ints([-1])], types)
        if value.tensor.array.size != wanted.array.size:
            flat = self._both("n", "Slice", [flat, ints([0]), ints([wanted.array.size])], types)
        return self._both("n", "Reshape", [flat, ints(list(wanted.shape) or np.zeros(0))], types)

    def _disturb(self, name, tensor, ours):
        """In the noisy graphs others take the value and something added."""
        if tensor.dtype not in FLOATS and tensor.dtype not in COMPLEX or tensor.array.size == 0:
            return
        wide = np.complex128 if tensor.dtype in COMPLEX else np.float64
        with np.errstate(all="ignore"):
            value = tensor.array.astype(wide)
            noise = NOISE * float(finfo(tensor.dtype).eps) * np.abs(value) + 2 * np.abs(ours.array.astype(wide) - value)
            noise = np.where(np.isfinite(noise), noise, 0) * self.d.random.choice([-1, -0.5, 0.5, 1], tensor.shape)
        self.disturbed[name] = f"noise_{len(self.disturbed)}"
        for sign, noisy in self.noisy.items():
            added = Tensor(tensor.dtype, np.asarray((sign * noise).astype(HOLDERS[tensor.dtype])))
            added = noisy.node("Const", name=f"added_{len(noisy.nodes)}", dtype=tensor.dtype, value=added)
            noisy.node("AddV2", [name, added], name=self.disturbed[name], T=tensor.dtype)

    def cases(self):
        """The graph, run twice, and the noisy ones, for the same fetches: the last values and a few others."""
        taken = {i.split(":")[0] for n in self.g.nodes for i in n.input}
        fetched = [v for v in self.values if v.name.split(":")[0] not in taken or self.d.chance(0.15)]
        names = [v.name if ":" in v.name else f"{v.name}:0" for v in fetched]
        noisy = [self.disturbed.get(v.name, v.name) for v in fetched]
        cases = [self.g.case("chain", names, steps=[(names, [])] * 2)]
        for builder in self.noisy.values():
            builder.feeds = self.g.feeds
            cases.append(builder.case("chain", noisy))
        return cases, [v.tensor for v in fetched]


class Menu:
    """The ops that chains are made of: those that give the same for the same inputs, of plain tensors."""

    def __init__(self, registered, seed):
        self.registered, self.seed, self.generators = registered, seed, {}
        self.contractions = sorted(op.removeprefix("_Fused") for op in registered if op.startswith("_Fused"))
        self.contractions = [op for op in self.contractions if op in registered]
        self.elementwise = sorted(ARITY.keys() & registered.keys())
        self.all = sorted(op for op in registered if self._plain(op))

    def _plain(self, op):
        op_def = declarations.get(op)
        if op_def is None or op_def.is_stateful or not op_def.output_arg or not op_def.input_arg or op.startswith("_"):
            return False
        args = [*op_def.input_arg, *op_def.output_arg]
        return not any(a.is_ref or NAMES.get(a.type) in HANDLES for a in args) and not any(
            op in e.ops for e in explained.TABLE)

    def draw(self, draw, last):
        """An op: often one that the passes know what to do with."""
        if last in self.contractions and draw.chance(0.5):
            return "BiasAdd"
        kind = draw.integer(0, 9)
        if kind < 5:
            return draw.one(self.elementwise)
        return draw.one(self.contractions if kind == 5 else self.all)

    def case(self, draw, op):
        """A case of the op; `None` where it has none of plain tensors."""
        if op not in self.generators:
            self.generators[op] = Generator(op, self.registered[op], self.seed)
        generator = self.generators[op]
        try:
            case = generator.case(draw.integer(0, 1 << 20))
        except Exception:  # an op whose inputs cannot be made is reported by the comparison of single ops
            return None
        if isinstance(case, GraphCase) or not case.flat_inputs() or not case.num_outputs():
            return None
        small = all(t.array.size <= MOST_ELEMENTS and t.dtype in HOLDERS and t.dtype not in QUANTIZED for t in case.flat_inputs())
        return case if small else None


def _replaced(inputs, by):
    """The inputs with these in place of the flat ones of their numbers."""
    numbers = iter(range(1 << 30))
    swap = lambda tensor: by.get(next(numbers), tensor)
    return [[swap(t) for t in value] if isinstance(value, list) else swap(value) for value in inputs]


def _other_zeros(want, have):
    """Whether zeros have other signs, which a division makes infinities of."""
    if want.dtype not in FLOATS:
        return False
    return bool(np.any((want.array == 0) & (have.array == 0) & (np.signbit(want.array) != np.signbit(have.array))))


def compare(expected, noisy, actual):
    """TensorFlow's values (in the graph, and alone), its noisy ones, and oplink's. What disagrees: kind, number of the fetch, detail; `None` where nothing does."""
    if isinstance(actual, Crash):
        return "crash", 0, actual.how
    if isinstance(actual, Failure):
        return "only_oplink_fails", 0, f"{actual.code}: {actual.message}"
    for step, outcome in enumerate(actual):
        if isinstance(outcome, Failure):
            return ("panic" if outcome.panicked else "only_oplink_fails"), 0, f"step {step}: {outcome.code}: {outcome.message}"
        for at, ((want, alone), near, have) in enumerate(zip(expected, noisy, outcome)):
            wrong = _differs(want, near, have)
            if wrong and _differs(alone, near, have):
                return "value", at, f"step {step}, fetch {at}: {wrong}"
    return None


def _differs(want, near, have):
    if (want.dtype, want.shape) != (have.dtype, have.shape):
        return f"{have.dtype}{list(have.shape)} for {want.dtype}{list(want.shape)}"
    if want.array.size == 0:
        return None
    if want.dtype not in FLOATS and want.dtype not in COMPLEX:
        steady = np.logical_and.reduce([np.asarray(want.array == n.array) for n in near])
        return _first(want, have, steady & np.asarray(want.array != have.array))
    wide = np.complex128 if want.dtype in COMPLEX else np.float64
    with np.errstate(all="ignore"):
        w, h, *near = (t.array.astype(wide) for t in (want, have, *near))
        comparable = np.logical_and.reduce([np.isfinite(x) for x in (w, *near)])
        moved = max(float(np.max(np.abs(np.where(comparable, w - n, 0)))) for n in near)
        # An element moves as much as its neighbours do: a sum in another order is off by the size of its terms.
        size = np.max(np.abs(np.where(comparable, w, 0)), initial=1.0)
        off = comparable & ~(np.abs(w - h) <= MARGIN * moved + 2 * NOISE * float(finfo(want.dtype).eps) * size)
        same = lambda other: (w == other) | (np.isnan(w) & np.isnan(other))
        off |= ~np.isfinite(w) & np.logical_and.reduce([same(n) for n in near]) & ~same(h)
    return _first(want, have, off)


def _first(want, have, wrong):
    if not np.any(wrong):
        return None
    at = int(np.argmax(np.asarray(wrong).reshape(-1)))
    show = lambda tensor: repr(tensor.array.reshape(-1)[at])
    return f"element {at}: {show(have)} for {show(want)}; {int(np.count_nonzero(wrong))} of {want.array.size} differ"


def only_what_leads_to(case, fetches):
    """The case with the nodes that these fetches need."""
    nodes = {n.name: n for n in case.graph.node}
    needed, pending = set(), [f.split(":")[0] for f in fetches]
    while pending:
        name = pending.pop()
        if name not in needed:
            needed.add(name)
            pending += [i.lstrip("^").split(":")[0] for i in nodes[name].input]
    g = GraphBuilder()
    g.nodes = [n for n in case.graph.node if n.name in needed]
    g.feeds = [(name, tensor) for name, tensor in case.steps[0].feeds if name in needed]
    return g.case("chain", fetches, steps=[(fetches, [])] * 2)


class Work:
    """Chains one after the other."""

    def __init__(self, server, out, arguments, share):
        self.server, self.out, self.judge = server, out, Judge(server)
        self.arguments, self.share = arguments, share
        self.menu = Menu(server.ops(), arguments.seed)

    def run(self, start):
        for index in range(start, self.arguments.count, self.arguments.jobs):
            if self.arguments.only is None or index == self.arguments.only:
                children.write(self.out, event="begin", index=index)
                self.one(index)

    def one(self, index):
        draw = Draw(self.arguments.seed, "chain", index)
        chain = Chain(draw, self.menu, self.judge)
        for _ in range(draw.integer(3, 14)):
            chain.grow()
        if not chain.ops:
            return
        (case, *noisy), alone = chain.cases()
        outcomes = [tensorflow_side.run_steps(c) for c in (case, *noisy)]
        if any(isinstance(o, Failure) or isinstance(o[0], Failure) for o in outcomes):
            children.write(self.out, event="result", index=index, kind="refused", ops=chain.ops)
            return
        expected, *near = (o[0] for o in outcomes)
        wrong = compare(list(zip(expected, alone)), list(zip(*near)), self.server.run_steps(case))
        children.write(self.out, event="result", index=index, kind=wrong[0] if wrong else "agree", ops=chain.ops)
        if wrong:
            self.describe(index, case, wrong)

    def describe(self, index, case, wrong):
        """The failure, with no more of the graph than it takes."""
        kind, at, detail = wrong
        names = case.steps[0].fetches
        shown = only_what_leads_to(case, [names[at]] if kind == "value" else names)
        again = self.server.run_steps(shown)
        text = lambda outcome: outcome_text(outcome, values_text)[:2000]
        children.write(self.out, event="failure", index=index, kind=kind, detail=detail, snippet=shown.snippet(),
                       expected=text(tensorflow_side.run_steps(shown)), actual=text(again))


def main():
    arguments = _arguments()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        paths = [pathlib.Path(scratch) / f"share-{share}.jsonl" for share in range(arguments.jobs)]
        workers = [_fork(arguments, share, path) for share, path in enumerate(paths)]
        failed = [os.waitpid(worker, 0)[1] for worker in workers]
        events = [json.loads(line) for path in paths for line in path.read_text().splitlines()]
    bad = _report(events, time.monotonic() - started)
    sys.exit(1 if bad or any(failed) else 0)


def _fork(arguments, share, path):
    worker = os.fork()
    if worker:
        return worker

    def work(out, start):
        tensorflow_side.start()
        Work(Server(arguments.server), out, arguments, share).run(start)

    children.end_with(lambda: children.survive(path, share, work, lambda begun: begun["index"] + arguments.jobs))


def _report(events, seconds):
    """Prints what was found; the number of chains that disagree."""
    results = [e for e in events if e["event"] == "result"]
    for event in (e for e in events if e["event"] == "failure"):
        print(f"--- chain {event['index']} {event['kind']}: {event['detail'].strip()[:600]}\n{event['snippet']}\n"
              f"# TensorFlow: {event['expected']}\n# oplink:     {event['actual']}\n")
    kinds = Counter(e["kind"] for e in results)
    ops = Counter(op for e in results for op in e["ops"])
    died = sum(e["event"] == "crash" for e in events)
    bad = sum(n for kind, n in kinds.items() if kind not in ("agree", "refused"))
    print(f"{len(results)} chains of {sum(ops.values())} ops ({len(ops)} different ones), {kinds['refused']} that TensorFlow "
          f"refuses as a whole, {died} skipped because it died, {bad} mismatches, {seconds:.0f} s")
    if not results:
        print("FAILED no chain was made")
    return bad or not results


def _arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", type=int, help="the number of one chain")
    return parser.parse_args()


if __name__ == "__main__":
    main()

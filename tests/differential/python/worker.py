"""Runs ops that no other worker has begun: a parent that loads TensorFlow once, and a child that works and may die with it.

usage: worker.py SERVER OUT SEED FACTOR [OP...]

Workers whose OUT are in one folder share the ops: each op is a file in `claims` there, of the worker that made it. OUT gets a line of JSON an event: `begin` before a case, `result` after it, `failure` with what a reader needs, `shrunk` with
the smallest case found, `crash` where TensorFlow took the process with it, `op` with what holds for the op as a whole.
"""
import pathlib
import sys

import numpy as np

import children
import declarations
import tensorflow_side
from cases import values_text
from children import survive
from draw import Draw
from generate import Generator
from judge import Judge, outcome_text
from oplink_side import Server
from shrink import shrink
from uncovered import PROPERTIES

# Failures of an op that are made smaller and shown, each of another kind or dtype.
SHOWN = 4


class Work:
    """The cases of those of some ops that nobody has begun, in order."""

    def __init__(self, server, out, seed, factor, ops, claims):
        self.judge, self.out = Judge(server), out
        self.seed, self.factor, self.ops, self.claims = seed, factor, ops, claims

    def claim(self, op):
        """Whether the op is this worker's from now on."""
        try:
            (self.claims / op).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def run(self, start):
        """Runs all cases from the place `start`, which is an op's position and a case's number."""
        for at, (op, kernels) in enumerate(self.ops):
            if at < start[0] or not (at == start[0] and start[1] > 0 or self.claim(op)):
                continue
            if declarations.get(op) is None:
                self.no_case(op, 0, ValueError("TensorFlow does not have the op, and declarations.py has no declaration of it"))
                continue
            generator = Generator(op, kernels, self.seed)
            if at > start[0] or start[1] == 0:
                missing, extra = generator.signatures.missing()
                self.write(event="op", op=op, missing=missing, extra=extra, recipe=generator.recipe is not None)
            shown = set()
            for index in range(start[1] if at == start[0] else 0, generator.count(self.factor)):
                self.write(event="begin", at=at, op=op, index=index)
                if op in PROPERTIES:
                    self.property(op, index)
                    continue
                try:
                    case = generator.case(index)
                except Exception as error:  # whatever a declaration without recipe leads to is reported, not raised
                    self.no_case(op, index, error)
                    break
                self.one(case, shown)

    def no_case(self, op, index, error):
        """The op's inputs cannot be made: it needs a recipe."""
        self.write(event="result", op=op, index=index, dtype="-", kind="no_case", error=0.0, same_code=True)
        self.write(event="failure", op=op, index=index, kind="no_case", dtype="-", detail=f"{type(error).__name__}: {error}",
                   snippet="# no inputs", expected="", actual="")

    def one(self, case, shown):
        """One case: its values, and for every other one the shapes that are inferred from parts of its inputs."""
        verdict, expected, actual = self.judge.judge(case)
        self.write(event="result", op=case.op, index=case.index, dtype=case.dtype(), kind=verdict.kind, error=_finite(verdict.error), same_code=verdict.same_code)
        if not verdict.agrees and not verdict.explained:
            self.failure(case, verdict, expected, actual, shown)
        if case.index % 2 == 0 and not getattr(case, "reference", None):
            self.shapes(case, shown, verdict.kind == "agree_error")

    def property(self, op, index):
        """Whether what must hold of oplink alone does."""
        case, wrong = PROPERTIES[op](Draw(self.seed, op, index))
        outcome = self.judge.server.run_steps(case)
        detail = wrong(outcome)
        kind = "property" if detail else "holds"
        self.write(event="result", op=op, index=index, dtype="-", kind=kind, error=0.0, same_code=True)
        if detail:
            self.write(event="failure", op=op, index=index, kind=kind, dtype="-", detail=detail, snippet=case.snippet(), expected="-",
                       actual=outcome_text(outcome, values_text))

    def shapes(self, case, shown, refused):
        random = np.random.default_rng([self.seed, case.index])
        verdict, graph, expected, actual = self.judge.judge_shapes(case, random, refused)
        self.write(event="shapes", op=case.op, index=case.index, kind=verdict.kind)
        key = (verdict.kind, verdict.detail[:20])
        if not verdict.agrees and not verdict.explained and key not in shown and len(shown) < SHOWN:
            shown.add(key)
            self.write(event="failure", op=case.op, index=case.index, kind=verdict.kind, dtype=case.dtype(), detail=verdict.detail,
                       snippet=str(graph), expected=outcome_text(expected, values_text), actual=outcome_text(actual, values_text))

    def failure(self, case, verdict, expected, actual, shown):
        key = (verdict.kind, case.dtype())
        if key in shown or len(shown) >= SHOWN:
            return
        shown.add(key)
        self.describe("failure", case, verdict, expected, actual)
        same = lambda candidate: self.judge.judge(candidate)[0].kind == verdict.kind
        smallest = shrink(case, same)
        self.describe("shrunk", smallest, *self.judge.judge(smallest))

    def describe(self, event, case, verdict, expected, actual):
        self.write(event=event, op=case.op, index=case.index, kind=verdict.kind, dtype=case.dtype(), detail=verdict.detail,
                   snippet=case.snippet(), expected=outcome_text(expected, values_text), actual=outcome_text(actual, values_text))

    def write(self, **event):
        children.write(self.out, **event)


def _finite(error):
    return error if np.isfinite(error) else 1e300


def work(program, path, seed, factor, ops):
    """Works in a child; where it dies, notes the case and goes on with the next in another child."""
    claims = pathlib.Path(path).with_name("claims")
    claims.mkdir(exist_ok=True)

    def share(out, start):
        tensorflow_side.start()
        Work(Server(program), out, seed, factor, ops, claims).run(start)

    survive(path, (0, 0), share, lambda begun: (begun["at"], begun["index"] + 1))


def main():
    program, path, seed, factor, *only = sys.argv[1:]
    server = Server(program)
    registered = server.ops()
    server.process.kill()
    wanted = [(op, kernels) for op, kernels in sorted(registered.items()) if not only or op in only]
    work(program, path, int(seed), float(factor), wanted)


if __name__ == "__main__":
    main()

"""Runs a case on both sides and judges the outcomes."""
import compare
import explained
import tensorflow_side
from cases import GraphCase
from compare import Verdict
from one_dnn import OneDnn
from outcome import Crash, Failure


class Judge:
    """Both sides, ready to run cases."""

    def __init__(self, server):
        self.server, self.one_dnn = server, OneDnn()

    def judge(self, case):
        """The verdict on a case, with both outcomes."""
        steps = isinstance(case, GraphCase)
        side = self.one_dnn if getattr(case, "one_dnn", False) else tensorflow_side
        expected = side.run_steps(case) if steps else side.run(case)
        actual = self.server.run_steps(case) if steps else self.server.run(case)
        verdict = self._steps(case, expected, actual) if steps else self._single(case, expected, actual)
        if not steps and verdict.kind == "only_oplink_fails" and self._shapes_refused(case):
            verdict = Verdict("agree_error")
        if not verdict.agrees and not verdict.explained:
            found = explained.find(explained.Seen(case, expected, actual, verdict))
            verdict = Verdict(f"explained {found.name}", detail=verdict.detail) if found else verdict
        return verdict, expected, actual

    @staticmethod
    def _single(case, expected, actual):
        valued = None
        if isinstance(expected, list):
            expected = explained.arranged(case, expected)
            valued = explained.compared(case, expected)
        if isinstance(actual, list):
            actual = explained.arranged(case, actual)
        return compare.outcomes(case.op, expected, actual, case.flat_inputs(), valued)

    def _steps(self, case, expected, actual):
        if isinstance(expected, Failure) or isinstance(actual, (Failure, Crash)):
            failing = lambda outcome: next((o for o in outcome if isinstance(o, Failure)), outcome) if isinstance(outcome, list) else outcome
            return compare.outcomes(case.op, failing(expected), failing(actual), [])
        worst = Verdict("agree_error")
        for step, want, have in zip(case.steps, expected, actual):
            if case.op in explained.UNIQUE or case.op in explained.ARRANGED:
                want, have = (explained.arranged(case, x) if isinstance(x, list) else x for x in (want, have))
            verdict = compare.outcomes(case.op, want, have, [tensor for _, tensor in step.feeds])
            if not verdict.agrees:
                return verdict
            worst = Verdict("agree" if "agree" in (verdict.kind, worst.kind) else "agree_error", max(worst.error, verdict.error))
        return worst

    def _shapes_refused(self, case):
        """Whether TensorFlow's shape function refuses what its kernel, called without it, lets pass."""
        graph = case.as_graph(constant=[True] * len(case.flat_inputs()))
        return isinstance(tensorflow_side.infer(graph), Failure)

    def judge_shapes(self, case, random, refused):
        """The verdict on the inferred shapes of an op, of whose inputs only a part is known, or of all nodes of a graph. Of
        inputs that the kernels of both sides refuse, either shape function may already say so."""
        graph = case.graph if isinstance(case, GraphCase) else self._partly_known(case, random)
        expected, actual = tensorflow_side.infer(graph), self.server.infer(graph)
        verdict = self._shape_verdict(expected, actual)
        if refused and verdict.kind == "shape_function" and (isinstance(expected, Failure) or isinstance(actual, Failure)):
            verdict = Verdict("agree_error")
        if not verdict.agrees:
            found = explained.find(explained.Seen(case, expected, actual, verdict, graph))
            verdict = Verdict(f"explained {found.name}", detail=verdict.detail) if found else verdict
        return verdict, graph, expected, actual

    @staticmethod
    def _partly_known(case, random):
        """The op in a graph with inputs that are constant, of known shape, of partly known shape or of unknown rank."""
        constant, shapes = [], []
        for tensor in case.flat_inputs():
            constant.append(random.random() < 0.4)
            how = random.random()
            partly = [None if random.random() < 0.4 else s for s in tensor.shape]
            shapes.append(None if how < 0.2 else partly if how < 0.6 else list(tensor.shape))
        return case.as_graph(constant, shapes)

    @staticmethod
    def _shape_verdict(expected, actual):
        if isinstance(actual, Crash):
            return Verdict("crash", detail=actual.how)
        if isinstance(actual, Failure) and actual.panicked:
            return Verdict("panic", detail=actual.message)
        if isinstance(expected, Failure) and isinstance(actual, Failure):
            return Verdict("agree_error")
        if isinstance(expected, Failure):
            return Verdict("shape_function", detail=f"TensorFlow refuses: {expected.message}")
        if isinstance(actual, Failure):
            return Verdict("shape_function", detail=f"oplink refuses: {actual.message}")
        for name, want in expected.items():
            if actual.get(name) != want:
                return Verdict("shape_function", detail=f"{name}: {actual.get(name)} for {want}")
        return Verdict("agree")


def outcome_text(outcome, text):
    """An outcome as one reads it."""
    if isinstance(outcome, Failure):
        return f"error {outcome.code}: {outcome.message.strip()[:600]}"
    if isinstance(outcome, Crash):
        return outcome.how
    if isinstance(outcome, dict):
        return ", ".join(f"{name} {dtype} {shape}" for name, (dtype, shape) in outcome.items())
    return "; ".join(outcome_text(o, text) if isinstance(o, (Failure, list)) else text(o) for o in outcome) or "no value"

"""What the workers wrote, gathered by op."""
import json
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class OpResult:
    """One op: cases by dtype and by verdict, the worst error by dtype, what TensorFlow crashed on, failures to show."""
    op: str
    missing: list = field(default_factory=list)
    extra: list = field(default_factory=list)
    recipe: bool = False
    cases: Counter = field(default_factory=Counter)
    kinds: Counter = field(default_factory=Counter)
    shapes: Counter = field(default_factory=Counter)
    worst: dict = field(default_factory=dict)
    other_codes: int = 0
    crashes: list = field(default_factory=list)
    failures: dict = field(default_factory=dict)

    @property
    def total(self):
        return sum(self.kinds.values())

    @property
    def explained(self):
        """Names of explained differences and how often they occurred."""
        return {k.removeprefix("explained "): n for k, n in (self.kinds + self.shapes).items() if k.startswith("explained ")}

    @property
    def mismatches(self):
        """Verdicts that are neither agreement nor explained."""
        fine = lambda kind: kind in ("agree", "agree_error", "holds") or kind.startswith("explained ")
        found = Counter({k: n for k, n in self.kinds.items() if not fine(k)})
        found.update({k: n for k, n in self.shapes.items() if not fine(k)})
        return found


def gather(paths):
    """Results of all ops, by name."""
    found = {}
    for path in paths:
        with open(path) as lines:
            for line in lines:
                event = json.loads(line)
                _add(found.setdefault(event["op"], OpResult(event["op"])), event)
    return dict(sorted(found.items()))


def _add(result, event):
    kind = event["event"]
    if kind == "op":
        result.missing, result.extra, result.recipe = event["missing"], event["extra"], event["recipe"]
    elif kind == "result":
        result.cases[event["dtype"]] += 1
        result.kinds[event["kind"]] += 1
        result.other_codes += not event["same_code"]
        if event["kind"] in ("agree", "value"):
            result.worst[event["dtype"]] = max(result.worst.get(event["dtype"], 0.0), event["error"])
    elif kind == "shapes":
        result.shapes[event["kind"]] += 1
    elif kind == "crash":
        result.crashes.append((event["index"], event["how"]))
    elif kind == "failure":
        result.failures.setdefault(event["index"], event)
    elif kind == "shrunk":
        result.failures[event["index"]] = event

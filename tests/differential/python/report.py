"""What a run found, for a reader of the terminal and as `docs/conformance.md`."""
import textwrap

import explained
import left_out
import tolerances
from dtypes import COMPLEX, FLOATS

_HEADER = """# Conformance

Every registered op against stock TensorFlow 2.21 (`tensorflow-cpu`, without oneDNN): the same inputs go to both, made from the
op's declaration; values, dtypes, shapes and whether it is an error must agree. `tests/differential/run full` writes this page;
`tests/differential/README.md` says how cases are made and how to look into one.

Errors of floating-point outputs are in ulps (numbers between the two) unless they carry a unit: `eps` is so many epsilons of the
largest magnitude among outputs and inputs, which is what a sum in another order differs by.

"""


def failures(results):
    """The text of every failure worth showing."""
    text = []
    for result in results.values():
        for event in result.failures.values():
            text.append(f"--- {result.op} #{event['index']} {event['kind']}: {event['detail'].strip()[:500]}\n{event['snippet']}\n"
                        f"# TensorFlow: {event['expected']}\n# oplink:     {event['actual']}\n")
    return "\n".join(text)


def problems(results, uncovered, whole, full):
    """One line for each thing that makes a run fail. A run is whole where no op was left out, and full where it has all cases."""
    lines = [f"{r.op}: {n} x {kind}" for r in results.values() for kind, n in sorted(r.mismatches.items())]
    for r in results.values():
        if r.kinds["agree"] == 0 and r.op not in uncovered:
            lines.append(f"{r.op}: no case of {r.total} gave values on both sides: it needs a recipe")
    if whole:
        lines += left_out.problems(results)
    if whole and full:
        seen = {name for r in results.values() for name in r.explained}
        lines += [f"the explained difference `{e.name}` did not occur" for e in explained.TABLE
                  if e.name not in seen and not e.rare]
    return lines


def summary(results, seconds):
    """One line on the whole run."""
    cases = sum(r.total for r in results.values())
    errors = sum(r.kinds["agree_error"] for r in results.values())
    crashes = sum(len(r.crashes) for r in results.values())
    shapes = sum(sum(r.shapes.values()) for r in results.values())
    known = sum(sum(r.explained.values()) for r in results.values())
    bad = sum(sum(r.mismatches.values()) for r in results.values())
    return (f"{len(results)} ops, {cases} cases ({errors} errors on both sides, {known} explained differences, {crashes} skipped because "
            f"TensorFlow died), {shapes} of shape inference, {bad} mismatches, {seconds:.0f} s")


# What stands on the page from here on is written by hand: the counts of other runs.
_BY_HAND = "## Graphs and hostile input"


def markdown(results, uncovered, page):
    """The page, with what the one before has at its end of other runs."""
    figures = summary(results, 0).rsplit(",", 1)[0] + "."
    lines = [_wrapped(_HEADER), _wrapped(figures) + "\n",
             "| op | dtypes | cases | errors agreed | worst error | explained |", "|---|---|---|---|---|---|"]
    for r in results.values():
        dtypes = ", ".join(sorted(d for d in r.cases if d != "-")) or "—"
        notes = [f"{name} ({n})" for name, n in sorted(r.explained.items())]
        notes += [f"TensorFlow dies ({len(r.crashes)})"] if r.crashes else []
        notes += [f"not yet: {', '.join(r.missing)}"] if r.missing else []
        notes += [uncovered[r.op]] if r.op in uncovered else []
        lines.append(f"| {r.op} | {dtypes} | {r.total} | {r.kinds['agree_error']} | {_worst(r)} | {'; '.join(notes) or '—'} |")
    lines += ["", "## Explained differences", "", "| name | ops | reason |", "|---|---|---|"]
    lines += [f"| {e.name} | {', '.join(e.ops)} | {e.reason} |" for e in explained.TABLE]
    lines += ["", "## Values that are not compared", "", "| ops | outputs | reason |", "|---|---|---|"]
    lines += [f"| {', '.join(e.ops)} | {', '.join(map(str, e.outputs))} | {e.reason} |" for e in explained.UNSPECIFIED]
    lines += ["", "## Tolerances", "", "All other outputs are the same bits.", "", "| ops | dtypes | within | reason |", "|---|---|---|---|"]
    lines += [f"| {', '.join(sorted(ops))} | {', '.join(dtypes)} | {_bound(policy)} | {policy.reason} |" for ops, dtypes, policy in tolerances.ROWS]
    lines += ["", *left_out.section(results)]
    _, heading, rest = page.partition(_BY_HAND)
    return "\n".join(lines) + "\n" + (f"\n{heading}{rest}" if heading else "")


def _wrapped(text):
    """Paragraphs as lines of at most 120 columns."""
    return "\n\n".join(textwrap.fill(p, 120, break_long_words=False, break_on_hyphens=False)
                       if not p.startswith("#") else p for p in text.split("\n\n"))


def _bound(policy):
    return f"{policy.bound:g} {'ulps' if policy.kind == 'ulps' else 'eps'}"


def _worst(result):
    by_dtype = []
    for dtype, error in sorted(result.worst.items()):
        if error and (dtype in FLOATS or dtype in COMPLEX):
            unit = " eps" if tolerances.policy(result.op, dtype).kind == "scale" else ""
            by_dtype.append(f"{dtype} {error:.3g}{unit}")
    return ", ".join(by_dtype) or "0"

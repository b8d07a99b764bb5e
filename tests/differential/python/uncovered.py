"""Ops of which no case can give values, with the reason; a run fails on any other op without such a case."""

UNCOVERED = {
    "Abort": "ends the process",
}

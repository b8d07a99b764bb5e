"""Checks of ops: kernels, shape functions and gradients against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from oplink import _oplink


@dataclass(frozen=True)
class Finding:
    """What is wrong with an op: the check that found it, a message, the inputs of a call that shows it, and a program in
    Rust that runs the call."""

    check: str
    message: str
    inputs: list[_oplink.Tensor]
    program: str


@dataclass(frozen=True)
class OpReport:
    """What was found about an op.

    `samples` are the calls that the kernel took, `combinations` how many combinations of dtypes were called and how many
    its kernels declare, `reason` why there are no samples. `checks` has `ok`, `failed` or `not checked: …` by name.
    """

    op: str
    samples: int
    combinations: tuple[int, int]
    reason: str | None
    checks: dict[str, str]
    findings: list[Finding]
    text: str

    @property
    def ok(self) -> bool:
        """Whether calls were checked and nothing was found."""
        return self.samples > 0 and not self.findings

    def __str__(self) -> str:
        return self.text


def opcheck(
    op: str,
    inputs: Sequence[Any] | None = None,
    attrs: dict[str, Any] | None = None,
    *,
    samples: int = 10,
    seed: int = 0,
    checks: Sequence[str] | None = None,
) -> OpReport:
    """Checks an op of this build or of a plugin that was loaded, on calls that are drawn from its declaration.

    `inputs` and `attrs` are one more call, for ops whose inputs belong together in a way that is not drawn; lists of
    tensors are given one after the other. `checks` names those to run: `shape`, `dtypes`, `aliasing`, `determinism`, `threads`,
    `empty`, `extremes`, `non-finite`, `gradient`, `second`; by default all.
    """
    given = None if inputs is None else list(inputs)
    names = None if checks is None else list(checks)
    told = _oplink.opcheck(op, given, attrs or {}, samples=samples, seed=seed, checks=names)
    found = [Finding(**finding) for finding in told.pop("findings")]
    return OpReport(findings=found, **told)

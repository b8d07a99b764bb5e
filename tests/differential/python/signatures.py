"""The combinations of dtypes that both sides have a CPU kernel for."""
import itertools

from tensorflow.python.framework import kernels

import declarations
from dtypes import COMMON, HANDLES, HOLDERS, QUANTIZED
from protos import NAMES

# Combinations listed for an op; an op of several free type attrs has many, of which the first ones stand for all.
MOST = 400


def type_attrs(op_def):
    """Names of the attrs that hold one dtype."""
    return [a.name for a in op_def.attr if a.type == "type"]


def allowed(op_def, name):
    """Dtypes that the op's declaration allows for an attr, of those that cases can hold."""
    a = next(a for a in op_def.attr if a.name == name)
    numbers = list(a.allowed_values.list.type)
    names = [NAMES[n] for n in numbers if n in NAMES] if numbers else [*COMMON, *QUANTIZED]
    return [n for n in names if n in HOLDERS or n in HANDLES]


class Signatures:
    """What one op's kernels serve."""

    def __init__(self, op, ours):
        self.op_def = declarations.get(op)
        self.ours = [(attrs, set(rows)) for device, label, attrs, rows in ours if device == "CPU" and label == ""]
        self.theirs = []
        for kernel in kernels.get_registered_kernels_for_op(op).kernel:
            if kernel.device_type in ("CPU", "DEFAULT") and not kernel.label:
                constraints = {c.name: {NAMES.get(t) for t in c.allowed_values.list.type} for c in kernel.constraint}
                self.theirs.append(constraints)
        self.attrs = type_attrs(self.op_def)

    def common(self):
        """Assignments of dtypes to type attrs that both sides serve."""
        plain = (c for c in self._all() if not any(dtype in HANDLES for dtype in c.values()))
        return [c for c in plain if self._serve(c) and self._tensorflow_serves(c)][:MOST]

    def missing(self):
        """Dtypes of the first type attr that TensorFlow alone serves, and those that oplink alone serves."""
        if not self.attrs:
            return [], []
        name = self.attrs[0]
        ours = {c[name] for c in self._all() if self._serve(c)}
        theirs = {c[name] for c in self._all() if self._tensorflow_serves(c)}
        order = [d for d in allowed(self.op_def, name)]
        return [d for d in order if d in theirs - ours], [d for d in order if d in ours - theirs]

    def list_types(self, name):
        """Dtypes that elements of a list(type) attr may have."""
        found = set(allowed(self.op_def, name)) if any(a.name == name for a in self.op_def.attr) else set(COMMON)
        for attrs, rows in self.ours:
            if name in attrs:
                found &= {row[attrs.index(name)] for row in rows}
        for constraints in self.theirs:
            if name in constraints:
                found &= constraints[name]
        return sorted(found)

    def _all(self):
        domains = [allowed(self.op_def, name) for name in self.attrs]
        product = itertools.islice(itertools.product(*domains), 200_000)
        return (dict(zip(self.attrs, types)) for types in product)

    def _serve(self, types):
        return any(tuple(types[a] for a in attrs if a in types) in rows if self._single(attrs) else True
                   for attrs, rows in self.ours)

    def _single(self, attrs):
        return bool(attrs) and all(a in self.attrs for a in attrs)

    def _tensorflow_serves(self, types):
        if not self.theirs:
            return True
        return any(all(types[n] in served for n, served in constraints.items() if n in types) for constraints in self.theirs)

    @property
    def only_in_graphs(self):
        """Whether TensorFlow runs the op in graphs alone: a pass replaces it, or it keeps state from run to run."""
        return not self.theirs or self.op_def.is_stateful

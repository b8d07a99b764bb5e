"""Makes the cases of an op: from its recipe where it has one, else from its declaration alone.

From the declaration: type attrs take the combinations that both sides serve in turn; other attrs take their default, the
values that the declaration allows, or small numbers; inputs of one type attr take equal, broadcasting or unrelated shapes.
"""
import recipes
from cases import Case, GraphCase
from draw import Draw
from dtypes import HANDLES, INTEGERS
from protos import NAMES
from signatures import Signatures, allowed
from uncovered import CASES, PROPERTIES, UNCOVERED


class Generator:
    """The cases of one op."""

    def __init__(self, op, ours, seed):
        self.op, self.seed = op, seed
        self.signatures = Signatures(op, ours)
        self.op_def = self.signatures.op_def
        self.combinations = self.signatures.common() or [{}]
        self.recipe = recipes.find(op)

    def count(self, factor):
        """The number of cases: more for ops of many dtypes, fewer for those that run as graphs."""
        if self.op in UNCOVERED:
            return CASES if self.op in PROPERTIES else 0
        least, most = (24, 60) if self.recipe and self.recipe.graph else (60, 180)
        return int(factor * min(max(6 * len(self.combinations), least), max(most, len(self.combinations))))

    def case(self, index):
        """The case of this number."""
        draw = Draw(self.seed, self.op, index)
        # A stride that is prime to most counts, so that the first few cases already differ in every type attr.
        types = dict(self.combinations[index * 7919 % len(self.combinations)])
        made = self.recipe.make(draw, types) if self.recipe else self._from_declaration(draw, types)
        if isinstance(made, GraphCase):
            made.index = index
            return made
        inputs, attrs = made if isinstance(made, tuple) else (made, {})
        case = Case(self.op, inputs, {**self._other_attrs(draw, {**types, **attrs}), **types, **attrs}, index)
        self._count_lists(case)
        return case.in_steps(2 if self.op_def.is_stateful else 1) if self.signatures.only_in_graphs or self.op_def.deprecation.version else case

    def _count_lists(self, case):
        """Sets attrs that follow from lists of inputs."""
        for arg, value in zip(self.op_def.input_arg, case.inputs):
            if arg.number_attr:
                case.attrs[arg.number_attr] = len(value)
            elif arg.type_list_attr:
                case.attrs[arg.type_list_attr] = [t.dtype for t in value]

    def _other_attrs(self, draw, known):
        derived = {a.number_attr for a in self.op_def.input_arg} | {a.type_list_attr for a in self.op_def.input_arg}
        attrs = {}
        for a in self.op_def.attr:
            if a.name in known or a.name in derived:
                continue
            value = self._attr(draw, a)
            if value is not None:
                attrs[a.name] = value
        return attrs

    def _attr(self, draw, a):
        """A value for an attr; `None` leaves it to its default."""
        choices = list(a.allowed_values.list.s)
        if a.type == "string" and choices:
            return draw.one(choices).decode()
        if a.type == "bool":
            return bool(draw.chance(0.5))
        if a.type == "type":
            return draw.one([n for n in allowed(self.op_def, a.name) if n not in HANDLES])
        if a.HasField("default_value"):
            if a.type == "int" and draw.chance(0.4) and not a.name.startswith("num_bits"):
                return draw.integer(max(a.minimum, 0) if a.has_minimum else 0, 4)
            if a.type == "float" and draw.chance(0.4):
                return draw.one([0.0, 1.0, -1.0, 0.5, 1e-3, 0.1])
            return None
        return self._required_attr(draw, a)

    def _required_attr(self, draw, a):
        least = a.minimum if a.has_minimum else 0
        if a.type == "int":
            return draw.integer(least, least + 3)
        if a.type == "float":
            return draw.one([0.0, 1.0, 0.5, -1.0])
        if a.type == "string":
            return draw.one(["", "a", "name"])
        if a.type == "shape":
            return draw.shape(0, 3)
        if a.type == "list(type)":
            types = self.signatures.list_types(a.name)
            return [draw.one(types) for _ in range(draw.integer(max(least, 1), 3))]
        if a.type.startswith("list("):
            element = {"int": draw.integer(0, 3), "float": 0.5, "string": "a", "bool": True, "shape": (2,)}.get(a.type[5:-1])
            return [element] * max(least, 1)
        return None

    def _from_declaration(self, draw, types):
        args = self.op_def.input_arg
        relation = draw.one(["same", "same", "broadcast", "any"])
        shapes = iter(self._shapes(draw, relation, 4 * len(args) + 4))
        inputs = []
        for arg in args:
            if arg.type_list_attr:
                allowed_types = self.signatures.list_types(arg.type_list_attr)
                inputs.append([draw.tensor(draw.one(allowed_types), next(shapes)) for _ in range(draw.integer(1, 3))])
                continue
            dtype = types.get(arg.type_attr) or NAMES[arg.type]
            if arg.number_attr:
                inputs.append([draw.tensor(dtype, next(shapes)) for _ in range(draw.integer(1, 4))])
            elif len(args) > 1 and dtype in INTEGERS and not self._is_main(arg):
                inputs.append(draw.tensor(dtype, draw.one([(), (1,), next(shapes)]), "small"))
            else:
                inputs.append(draw.tensor(dtype, next(shapes)))
        return inputs, {}

    def _is_main(self, arg):
        """Whether the argument has the op's first type attr, as the tensors that an op is about have."""
        return arg.type_attr and arg.type_attr == self.signatures.attrs[0]

    def _shapes(self, draw, relation, count):
        if relation == "same":
            return [draw.shape()] * count
        if relation == "broadcast":
            return draw.broadcast(count)
        return [draw.shape(0, 3) for _ in range(count)]

"""Gradients of ops: programs of nodes that a gradient function added once. The plugin's op for the gradient runs them
in one call; where it cannot, and for derivatives of gradients, the ops of the host run them one by one."""


def flat(made):
    """The tensors that a function gives, in one list."""
    if made is None:
        return []
    if isinstance(made, (tuple, list)):
        return [one for each in made for one in flat(each)]
    return [made]


#: The node that is the first that a gradient function added.
FIRST = 3


class Program:
    """What a gradient function added. Values are pairs: a node and an index; node 0 has the inputs of the
    differentiated op, 1 its outputs, 2 their gradients."""

    def __init__(self, answer):
        self.results = answer["results"]
        self.nodes = self._live(answer["nodes"])
        #: The function that computes the gradients in one call; None where a node has no kernel in the plugin, and where
        #: no node is to be run.
        self.function = answer["function"] if any(self.nodes) else None
        #: Which inputs and outputs that function has to be given.
        self.needed = answer["needed"]
        self.is_elementwise = answer["elementwise"]

    @staticmethod
    def of(answer):
        """The program of an answer, made once."""
        if "program" not in answer:
            answer["program"] = Program(answer)
        return answer["program"]

    def _live(self, nodes):
        """The nodes, None for one that no gradient depends on."""
        live, nodes = {result[0] for result in self.results if result is not None}, list(nodes)
        for at in reversed(range(len(nodes))):
            if at + FIRST not in live:
                nodes[at] = None
                continue
            for one in nodes[at].get("inputs", ()):
                live.update(of for of, _ in ([one["one"]] if "one" in one else one["list"]))
        return nodes

    def uses(self, node, count):
        """Which values of a node the program reads."""
        used = {index for of, index in self._read() if of == node}
        return [index in used for index in range(count)]

    def kept(self, num_inputs, num_outputs):
        """Which inputs and outputs are kept for the gradients."""
        return self.needed if self.function else [self.uses(0, num_inputs), self.uses(1, num_outputs)]

    def runs_with(self, host_ops):
        """Whether the host can run each node: an op of the plugin that it sees, or one of these."""
        ops = [node for node in self.nodes if node is not None and "constant" not in node]
        return all(node["function"] is not None or node["op"] in host_ops for node in ops)

    def _read(self):
        for node in filter(None, self.nodes):
            for one in node.get("inputs", ()):
                yield from [one["one"]] if "one" in one else one["list"]
        yield from (result for result in self.results if result is not None)

    def run(self, inputs, outputs, gradients, host):
        """The gradients of the inputs; `host` runs nodes: `own(function, inputs, attrs)`, `other(op, inputs, attrs)`,
        `constant(bytes, dtype, shape)`, each a list of values but the last, which is one."""
        values = [inputs, outputs, gradients]
        for node in self.nodes:
            if node is None:
                values.append(None)
                continue
            if "constant" in node:
                values.append([host.constant(bytes.fromhex(node["constant"]), node["dtype"], node["shape"])])
                continue
            arguments = [
                values[one["one"][0]][one["one"][1]] if "one" in one else [values[of][at] for of, at in one["list"]]
                for one in node["inputs"]
            ]
            run = host.other if node["function"] is None else host.own
            values.append(run(node["function"] or node["op"], arguments, node["attrs"]))
        return [None if result is None else values[result[0]][result[1]] for result in self.results]

    def run_at_once(self, call, lengths, inputs, outputs, gradients, wanted, empty):
        """The gradients of the inputs by one call of the plugin's op: `call(groups, wanted)` takes the tensors of each
        argument and gives a flat list, `empty(kind, index)` stands for an input or output that is not needed, and
        `lengths` tell how many tensors each input and each output covers."""
        wanted = [is_wanted and result is not None for is_wanted, result in zip(wanted, self.results)]
        if not any(wanted):
            return [None] * len(inputs)
        flat_values = [
            value if is_needed else empty(kind, at)
            for kind, values in enumerate((inputs, outputs))
            for at, (value, is_needed) in enumerate(zip(values, self.needed[kind]))
        ]
        of_inputs, of_outputs, differentiable = lengths
        made = iter(call([*flat_values, *gradients], [*of_inputs, *of_outputs, *of_outputs], wanted))
        found = []
        for length, has_gradient in zip(of_inputs, differentiable):
            found += [next(made) if has_gradient else None for _ in range(length)]
        return [one if is_wanted else None for one, is_wanted in zip(found, wanted)]


class Nodes:
    """What a gradient's program is made of: a base of what a host makes of an op, which says how it runs the plugin's
    own ops and what its constants are."""

    #: The host's name, and its functions for ops that are not the plugin's, by the names of these.
    host, host_ops = None, {}

    def other(self, name, inputs, attrs):
        function = self.host_ops.get(name)
        if function is None:
            raise NotImplementedError(
                f"the gradient of {self.op.name} adds {name}, which is neither an op of the plugin nor one that is "
                f"known in {self.host}"
            )
        return [function(*inputs)]

"""Gradients of ops: programs of nodes that a gradient function added once, run by the ops of the host."""


class Program:
    """What a gradient function added. Values are pairs: a node and an index; node 0 has the inputs of the
    differentiated op, 1 its outputs, 2 their gradients."""

    def __init__(self, answer):
        self.nodes, self.results = answer["nodes"], answer["results"]

    def uses(self, node, count):
        """Which values of a node the program reads."""
        used = {index for of, index in self._read() if of == node}
        return [index in used for index in range(count)]

    def _read(self):
        for node in self.nodes:
            for one in node.get("inputs", ()):
                yield from [one["one"]] if "one" in one else one["list"]
        yield from (result for result in self.results if result is not None)

    def run(self, inputs, outputs, gradients, host):
        """The gradients of the inputs; `host` runs nodes: `own(function, inputs, attrs)`, `other(op, inputs, attrs)`,
        `constant(bytes, dtype, shape)`, each a list of values but the last, which is one."""
        values = [inputs, outputs, gradients]
        for node in self.nodes:
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

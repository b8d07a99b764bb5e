"""Cases in which TensorFlow runs other ops than oplink, which must give the same."""
from cases import GraphBuilder


def beside(op, dtype, tensors, fused, plain, outputs=1):
    """A case in which oplink runs what `fused` builds and TensorFlow what `plain` does: functions of a builder and of the names
    of the fed tensors that give the names of outputs."""
    sides = []
    for build in (fused, plain):
        g = GraphBuilder()
        names = [g.feed(tensor) for tensor in tensors]
        for index, name in enumerate(build(g, names)):
            g.node("Identity", [name], name=f"out{index}", T=dtype if index == 0 else "float32")
        sides.append(g)
    return sides[0].case(op, [f"out{index}" for index in range(outputs)], dtype, reference=sides[1])

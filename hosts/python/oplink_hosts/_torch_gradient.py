"""Derivatives of a plugin's ops in PyTorch: reverse mode by the plugin's own ops for gradients, forward mode by
differentiating these, under `torch.autograd` and `torch.func`.

`torch.library.register_autograd` knows neither `torch.func` nor forward mode, where it gives zeros. So what it does is
done here, on the level that PyTorch's transforms give the call.
"""

import torch
from torch import _C
from torch._functorch.autograd_function import enable_single_level_autograd_function
from torch.autograd import forward_ad
from torch.autograd.function import _SingleLevelFunction

from . import _gradient
from ._gradient import Program, flat
from ._plugin import PluginError
from ._torch_dtypes import DTYPES, HOST_OPS, NAMES


class Call:
    """A call beside its tensors."""

    def __init__(self, keyset, lengths, keywords):
        self.keyset, self.lengths, self.keywords = keyset, lengths, keywords
        self.output_lengths = None


def kernel(torch_op):
    """The kernel of an op for the dispatch key `Autograd`."""
    op, overload = torch_op.op, torch_op.overload
    formula = (_OfOp if op.gradient_of is None else _OfGradient)(torch_op)

    redispatch, keys_below = overload.redispatch, _C._after_autograd_keyset
    is_grad_enabled, any_requires_grad, skip = _C.is_grad_enabled, _C._any_requires_grad, _C._AutoDispatchBelowAutograd

    def below(keyset, arguments, keywords):
        with skip():
            return redispatch(keyset & keys_below, *arguments, **keywords)

    class Derivative(_SingleLevelFunction):
        @staticmethod
        def forward(ctx, call, *tensors):
            made = _recorded_below(below, call.keyset, op.divided(tensors, call.lengths), call.keywords)
            groups = made if isinstance(made, tuple) else (made,)
            call.output_lengths = [len(one) if isinstance(one, (tuple, list)) else 1 for one in groups]
            outputs = flat(made)
            ctx.call = call
            ctx.set_materialize_grads(False)
            ctx.like = [[(tuple(one.shape), one.dtype, one.device) for one in of] for of in (tensors, outputs)]
            formula.keep(ctx, tensors, outputs)
            return tuple(outputs)

        @staticmethod
        def backward(ctx, *gradients):
            return None, *formula.backward(ctx, gradients)

        @staticmethod
        def jvp(ctx, _, *tangents):
            return tuple(_pushed_forward(ctx, formula, tangents))

    def autograd(keyset, *arguments, **keywords):
        # Most calls of programs that do not train: nothing is made for them.
        if forward_ad._current_level < 0 and not (is_grad_enabled() and any_requires_grad(*arguments)):
            with skip():
                return redispatch(keyset & keys_below, *arguments, **keywords)
        tensors, lengths = op.flatten(arguments)
        call = Call(keyset, lengths, keywords)
        with enable_single_level_autograd_function():
            made = Derivative.apply(call, *tensors)
        ranges, start = [], 0
        for length in call.output_lengths:
            ranges.append([start, start + length])
            start += length
        return op.grouped(made, ranges)

    return autograd


def _recorded_below(below, *call):
    """The call, where transforms further down record what it does: a forward function turns that off."""
    if not _C._are_functorch_transforms_active():
        return below(*call)
    with torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True):
        return below(*call)


def _pushed_forward(ctx, formula, tangents):
    """The outputs' tangents: gradients are linear in the gradients that come in, and what they are linear by is what
    pushes tangents forward."""
    like, create_graph = ctx.like[1], torch.is_grad_enabled()
    _check_level(formula.op)
    with torch.enable_grad():
        dys = [
            torch.zeros(shape, dtype=dtype, device=device, requires_grad=_varies(dtype))
            for shape, dtype, device in like
        ]
        gradients = formula.node_by_node(ctx, dys)
        pairs = [
            (gradient, tangent)
            for gradient, tangent in zip(gradients, tangents)
            if tangent is not None and gradient is not None and gradient.requires_grad
        ]
        leaves = [dy for dy in dys if dy.requires_grad]
        found = [None] * len(leaves)
        if pairs and leaves:
            outputs, cotangents = zip(*pairs)
            found = torch.autograd.grad(outputs, leaves, cotangents, create_graph=create_graph, allow_unused=True)
    found = iter(found)
    for dy in dys:
        one = next(found) if dy.requires_grad else None
        # Of what does not vary there is no tangent.
        yield torch.zeros_like(dy) if one is None and dy.requires_grad else one


def _check_level(op):
    """PyTorch runs the derivative of a function of Python with forward mode off, so that an outer one would be lost."""
    stack = _C._functorch.get_interpreter_stack() or ()
    if sum(one.key() == _C._functorch.TransformType.Jvp for one in stack) > 1:
        raise NotImplementedError(
            f"{op.name} is differentiated in forward mode twice, which PyTorch does not carry through functions of "
            "Python: take one of the derivatives in reverse mode"
        )


def _varies(dtype):
    return dtype.is_floating_point or dtype.is_complex


class _Formula:
    def __init__(self, torch_op):
        self.torch_op, self.op = torch_op, torch_op.op

    def wanted(self, tensors):
        if forward_ad._current_level >= 0:
            return [_varies(one.dtype) for one in tensors]
        return [one.requires_grad for one in tensors]

    @staticmethod
    def store(ctx, tensors):
        ctx.save_for_backward(*tensors)
        if forward_ad._current_level >= 0:
            ctx.save_for_forward(*tensors)

    @staticmethod
    def filled(dys, like):
        return [
            torch.zeros(shape, dtype=dtype, device=device) if dy is None else dy
            for dy, (shape, dtype, device) in zip(dys, like)
        ]


class _OfOp(_Formula):
    """The derivative of a declared op: by its op for gradients in one call, or by the nodes of its gradient."""

    def keep(self, ctx, tensors, outputs):
        call, op = ctx.call, self.op
        ctx.program, ctx.error = None, f"{op.name} has no gradient"
        if not op.has_gradient:
            return
        ctx.wanted = self.wanted(tensors)
        try:
            attrs = self.torch_op.attrs(call.keywords)
            ctx.program = self.torch_op.program(tensors, call.lengths, attrs, ctx.wanted)
        except PluginError as error:
            ctx.error = str(error)
            return
        ctx.kept = ctx.program.kept(len(tensors), len(outputs))
        both = zip((tensors, outputs), ctx.kept)
        self.store(ctx, [one for of, kept in both for one, is_kept in zip(of, kept) if is_kept])

    def values(self, ctx):
        kept = iter(ctx.saved_tensors)
        return [[next(kept) if is_kept else None for is_kept in of] for of in ctx.kept]

    def check(self, ctx):
        """Whether there is anything to compute."""
        if self.op.is_constant:
            return False
        if ctx.program is None:
            raise NotImplementedError(f"the gradient of {self.op.name} cannot be taken here: {ctx.error}")
        return True

    def backward(self, ctx, dys):
        if not self.check(ctx):
            return [None] * len(ctx.like[0])
        program, (inputs, outputs), dys = ctx.program, self.values(ctx), self.filled(dys, ctx.like[1])
        # Ops for gradients have no kernels for GPUs, and their nodes may.
        if program.function is None or device_of(dys).type == "cuda":
            return _run_nodes(program, inputs, outputs, dys, self.torch_op)
        call, gradient = ctx.call, self.torch_op.gradient
        lengths = call.lengths, call.output_lengths, gradient.op.differentiable

        def empty(kind, at):
            _, dtype, device = ctx.like[kind][at]
            return torch.empty(0, dtype=dtype, device=device)

        def run(tensors, lengths, wanted):
            known = {attr["name"] for attr in gradient.op.attrs}
            attrs = {name: value for name, value in call.keywords.items() if name in known and value is not None}
            attrs[gradient.op.attrs[-1]["name"]] = wanted
            arguments = gradient.op.divided(tensors, lengths)
            if _C.is_grad_enabled() or forward_ad._current_level >= 0 or _C._are_functorch_transforms_active():
                return flat(gradient.overload(*arguments, **attrs))
            # Nothing differentiates the gradient.
            with _C._AutoDispatchBelowAutograd():
                return flat(gradient.overload(*arguments, **attrs))

        return program.run_at_once(run, lengths, inputs, outputs, dys, ctx.wanted, empty)

    def node_by_node(self, ctx, dys):
        if not self.check(ctx):
            return [None] * len(ctx.like[0])
        inputs, outputs = self.values(ctx)
        return _run_nodes(ctx.program, inputs, outputs, dys, self.torch_op)


class _OfGradient(_Formula):
    """The derivative of an op for gradients: of the nodes that it runs."""

    def keep(self, ctx, tensors, _):
        ctx.wanted = self.wanted(tensors)
        self.store(ctx, tensors)

    def gradients(self, ctx, tensors):
        """The outputs of the op, by its nodes."""
        return gradients_by_nodes(self.torch_op, ctx.call.lengths, ctx.call.keywords, tensors)

    def backward(self, ctx, cotangents):
        create_graph = torch.is_grad_enabled()
        with torch.enable_grad():
            return self._pulled_back(ctx, cotangents, create_graph)

    def node_by_node(self, ctx, cotangents):
        return self._pulled_back(ctx, cotangents, True)

    def _pulled_back(self, ctx, cotangents, create_graph):
        # Views stand for what was given, so that derivatives of what is found here follow too.
        tensors = [_alias(one, wanted) for one, wanted in zip(ctx.saved_tensors, ctx.wanted)]
        pairs = [
            (made, cotangent)
            for made, cotangent in zip(self.gradients(ctx, tensors), cotangents)
            if made is not None and cotangent is not None and made.requires_grad
        ]
        leaves = [one for one in tensors if one.requires_grad]
        if not pairs or not leaves:
            return [None] * len(tensors)
        outputs, given = zip(*pairs)
        found = iter(torch.autograd.grad(outputs, leaves, given, create_graph=create_graph, allow_unused=True))
        return [next(found) if one.requires_grad else None for one in tensors]


def _alias(tensor, is_wanted):
    """A tensor of the same elements that gradients can be asked of."""
    # A view of what a transform left behind is of what is below that.
    tensor = tensor.view_as(tensor)
    if tensor.requires_grad or not is_wanted:
        return tensor
    # Transforms of `torch.func` do not let a tensor be told to require gradients.
    return tensor + torch.zeros((), dtype=tensor.dtype, device=tensor.device, requires_grad=True)


def gradients_by_nodes(gradient, lengths, keywords, tensors):
    """What a call of an op for gradients gives, by the nodes that it runs: None for one that there is not."""
    op, of = gradient.op, gradient.of
    program, wanted = program_of_gradient(gradient, lengths, keywords, tensors)
    of_inputs, of_outputs = map(sum, op.forward_lengths(lengths))
    inputs, outputs = tensors[:of_inputs], tensors[of_inputs : of_inputs + of_outputs]
    found = _run_nodes(program, list(inputs), list(outputs), list(tensors[of_inputs + of_outputs :]), of)
    found = [one if is_wanted else None for one, is_wanted in zip(found, wanted)]
    made, start = [], 0
    for length, has_gradient in zip(lengths, op.differentiable):
        made += found[start : start + length] if has_gradient else []
        start += length
    return made


def program_of_gradient(gradient, lengths, keywords, tensors):
    """The nodes that a call of an op for gradients runs, and which gradients are wanted."""
    op, of = gradient.op, gradient.of
    texts = op.forward_texts(gradient.attrs(keywords), lengths, [NAMES[one.dtype] for one in tensors])
    of_inputs, _ = op.forward_lengths(lengths)
    inputs = tensors[: sum(of_inputs)]
    wanted = list(keywords.get(op.attrs[-1]["name"]) or [True] * len(inputs))
    try:
        # An empty tensor may stand for one that is not needed, of another shape.
        known = [(NAMES[one.dtype], None if tuple(one.shape) == (0,) else tuple(one.shape)) for one in inputs]
        return of.program_for(known, of_inputs, texts, wanted), wanted
    except PluginError:
        return of.program(inputs, of_inputs, texts, wanted), wanted


def _run_nodes(program, inputs, outputs, dys, torch_op):
    """The gradients of the inputs, node by node, on the device of the gradients that come in."""
    return program.run(inputs, outputs, dys, _OnDevice(torch_op, device_of(dys)))


class _OnDevice:
    """What a gradient's program is made of, with its constants where the gradients are."""

    def __init__(self, nodes, device):
        self.own, self.other, self._constant, self.device = nodes.own, nodes.other, nodes.constant, device

    def constant(self, data, dtype, shape):
        return self._constant(data, dtype, shape).to(self.device)


def device_of(tensors):
    """Where an op of these tensors runs and gives its outputs: on a GPU if one of them is there."""
    devices = [tensor.device for tensor in tensors]
    return next((device for device in devices if device.type != "cpu"), torch.device("cpu"))


class Nodes(_gradient.Nodes):
    """What a gradient's program is made of: a base of an op's registration."""

    host, host_ops = "PyTorch", HOST_OPS

    def own(self, function, inputs, attrs):
        op = next(op for op in self.op.plugin.ops if op.function == function)
        kinds = {attr["name"]: attr for attr in op.attrs}
        given = {name: _attr_value(kinds[name], value) for name, value in attrs.items()}
        return flat(getattr(getattr(torch.ops, op.plugin.namespace), function)(*inputs, **given))

    def constant(self, data, dtype, shape):
        if not data:
            return torch.empty(shape, dtype=DTYPES[dtype])
        return torch.frombuffer(bytearray(data), dtype=DTYPES[dtype]).reshape(shape).clone()


def extents(shape):
    """A shape as schemas have it: -1 is an unknown extent, [-2] an unknown rank."""
    return [-2] if shape is None else [-1 if dim is None else dim for dim in shape]


def _attr_value(attr, value):
    if attr["kind"] == "type":
        return [DTYPES[one] for one in value] if attr["list"] else DTYPES[value]
    if attr["kind"] == "shape":
        return extents(value)
    return value

"""The example plugin in PyTorch: `python in_torch.py libmy_ops.so [calls.jsonl]`."""

import sys

import numpy as np
import torch
import torch._dynamo
import torch.utils._python_dispatch

from cases import CASES
from matrix import Matrix, NotCarried, as_in_oplink, refused, run_all, same
from oplink_hosts import torch as oplink_torch

matrix = Matrix("PyTorch")
ops = oplink_torch.load(sys.argv[1])
DTYPES = {
    "float16": torch.float16, "bfloat16": torch.bfloat16, "float32": torch.float32, "float64": torch.float64,
    "int8": torch.int8, "int32": torch.int32, "int64": torch.int64, "uint8": torch.uint8, "complex64": torch.complex64,
}


class Cast:
    """An array that becomes a tensor of a dtype that NumPy may not have."""

    def __init__(self, array, dtype):
        self.array, self.dtype = array, dtype


class Called(torch.utils._python_dispatch.TorchDispatchMode):
    """The names of the ops that are called."""

    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, function, _, arguments=(), keywords=None):
        self.names.append(function.name())
        return function(*arguments, **(keywords or {}))


def tensor(value):
    if isinstance(value, Cast):
        return torch.from_numpy(value.array).to(value.dtype)
    if value.dtype == object:
        raise NotCarried("PyTorch has no tensors of strings: " + refused(lambda: ops.join_texts([]), "PyTorch has no tensors"))
    return torch.from_numpy(np.ascontiguousarray(value))


def arguments(case, inputs):
    tensors = [tensor(value) for value in inputs]
    return [tensors] if case.lists else tensors


def flat(made):
    made = made if isinstance(made, (tuple, list)) else [made]
    return [one for each in made for one in (each if isinstance(each, (tuple, list)) else [each])]


def array(one):
    return one.to(torch.complex128).numpy() if one.is_complex() else one.to(torch.float64).numpy()


def attrs_of(attrs):
    return {name: getattr(torch, value) if name == "To" else value for name, value in attrs.items()}


def call(case, inputs, attrs):
    return [array(one) for one in flat(getattr(ops, case.op)(*arguments(case, inputs), **attrs_of(attrs)))]


def check_case(case):
    op = getattr(ops, case.op)
    if case.op == "join_texts":
        return
    attrs = attrs_of(case.attrs)

    def strided():
        inputs = case.inputs("float32")
        if not inputs:
            raise NotCarried("there are no inputs")
        made = []
        for value in arguments(case, inputs):
            for one in value if isinstance(value, list) else [value]:
                spread = torch.zeros([2 * size for size in one.shape], dtype=one.dtype)
                spread[tuple(slice(None, None, 2) for _ in one.shape)] = one
                made.append(spread[tuple(slice(None, None, 2) for _ in one.shape)])
        given = [made] if case.lists else made
        same([array(one) for one in flat(op(*given, **attrs))], case.expect(*inputs))
        if made[0].ndim == 2 and not case.lists and len(made) == 1:
            turned = made[0].t().contiguous().t()
            same([array(one) for one in flat(op(turned, **attrs))], case.expect(*inputs))

    def gradient():
        inputs = [tensor(value.astype("float64")).requires_grad_() for value in case.inputs("float64")]
        run = (lambda *x: op(list(x), **attrs)) if case.lists else (lambda *x: op(*x, **attrs))
        assert torch.autograd.gradcheck(run, inputs)
        try:
            assert torch.autograd.gradgradcheck(run, inputs)
            return "ok, second order too"
        except (RuntimeError, NotImplementedError) as error:
            if "no autograd formula" in str(error) or "derivative" in str(error) or "does not require grad" in str(error):
                return "ok, first order"
            raise

    def one_call():
        # The kernel of the gradient is called, and no other op, for values of any memory order.
        inputs = [tensor(value.astype("float64")).requires_grad_() for value in case.inputs("float64")]
        made = [one for one in flat(op(inputs, **attrs) if case.lists else op(*inputs, **attrs))]
        ones = [torch.ones_like(one) for one in made]
        with Called() as called:
            torch.autograd.grad(made, inputs, ones, allow_unused=True)
        ours = [name for name in called.names if name.startswith("my_ops::")]
        # The gradients of a sum are the sum's own: nothing is called.
        assert ours == ([] if case.op == "plain_add" else [f"my_ops::{case.op}_grad"]), f"{called.names}"
        others = [name for name in called.names if not name.startswith(("my_ops::", "aten::empty", "aten::detach"))]
        assert not others, f"{others}"

    def forward_mode():
        inputs = [tensor(value.astype("float64")).requires_grad_() for value in case.inputs("float64")]
        run = (lambda *x: op(list(x), **attrs)) if case.lists else (lambda *x: op(*x, **attrs))
        has_lists = bool(case.lists) or case.output_list
        assert torch.autograd.gradcheck(run, inputs, check_forward_ad=True, check_batched_grad=not has_lists)
        inputs = [one.detach() for one in inputs]
        tangents = [torch.rand_like(one) for one in inputs]
        expected = torch.autograd.functional.jvp(lambda *x: tuple(flat(run(*x))), tuple(inputs), tuple(tangents))[1]
        made = torch.func.jvp(lambda *x: tuple(flat(run(*x))), tuple(inputs), tuple(tangents))[1]
        torch.testing.assert_close(made, expected)
        # Of second order by `torch.func`, beside `torch.autograd`.
        total = lambda *x: sum((one ** 3).sum() for one in flat(run(*x)))  # noqa: E731
        made = torch.func.hessian(total)(*inputs)
        expected = torch.autograd.functional.hessian(lambda one: total(one, *inputs[1:]), inputs[0])
        torch.testing.assert_close(made, expected)

    def mapped():
        inputs = case.inputs("float32")
        if not inputs:
            raise NotCarried("there are no inputs")
        if case.op == "count_calls":
            made = torch.vmap(op)(torch.stack([tensor(inputs[0])] * 3), counter="mapped")
            return same([made.numpy()], [np.arange(3)])
        if case.op == "noise_like":
            stacked = torch.stack([tensor(inputs[0])] * 3)
            word = refused(lambda: torch.vmap(op)(stacked), "randomness")
            made = torch.vmap(op, randomness="different")(stacked)
            assert made.shape == (3, *inputs[0].shape) and (made[0] != made[1]).any()
            return f"ok {word}"
        if case.op == "non_zero_rows":
            stacked = torch.stack([tensor(inputs[0])] * 2)
            return same([torch.vmap(op)(stacked).numpy()], [np.stack([case.expect(*inputs)[0]] * 2)])
        calls = []
        for place in range(-1, len(inputs)):
            # All inputs have a batch, behind the last extent; then one of them has, in front.
            many = [place in (-1, at) for at in range(len(inputs))]
            dim = -1 if place < 0 else 0
            stacked = [
                torch.stack([tensor(one)] * 3, dim) if is_one else tensor(one) for one, is_one in zip(inputs, many)
            ]
            dims = tuple(dim if is_one else None for is_one in many)
            run = (lambda *x: op(list(x), **attrs)) if case.lists else (lambda *x: op(*x, **attrs))
            with Called() as called:
                made = flat(torch.vmap(run, in_dims=dims)(*stacked))
            same([array(one[2]) for one in made], case.expect(*inputs))
            assert all(len(one) == 3 for one in made)
            calls.append(sum(name == f"my_ops::{case.op}" for name in called.names))
        elementwise = case.op in ("plain_add", "scale_shift", "squash")
        assert all(count == (1 if elementwise else 3) for count in calls), f"{calls}"
        return "ok, one call" if elementwise else "ok, a call for each"

    def per_sample():
        inputs = [tensor(value.astype("float64")) for value in case.inputs("float64")]
        inputs = [torch.stack([value * (at + 1) for at in range(3)]) for value in inputs]
        run = (lambda *x: op(list(x), **attrs)) if case.lists else (lambda *x: op(*x, **attrs))
        total = lambda *x: sum((one ** 2).sum() for one in flat(run(*x)))  # noqa: E731
        places = tuple(range(len(inputs)))
        made = torch.vmap(torch.func.grad(total, argnums=places))(*inputs)
        each = [torch.func.grad(total, argnums=places)(*(one[at] for one in inputs)) for at in range(3)]
        torch.testing.assert_close(made, tuple(torch.stack(one) for one in zip(*each)))

    def autocast():
        inputs = arguments(case, case.inputs("float32"))
        if not inputs or case.op in ("describe_attrs", "count_calls", "noise_like", "fail_above", "look_up"):
            raise NotCarried("the op has no dtype that an attr tells")
        low = [[one.bfloat16() for one in value] if isinstance(value, list) else value.bfloat16() for value in inputs]
        with torch.autocast("cpu", torch.bfloat16):
            made = flat(op(*low, **attrs))
        # bfloat16 where a kernel serves it, as PyTorch's own ops that have no rule; else float32.
        wanted = torch.bfloat16 if case.op == "plain_add" else torch.float32
        varying = [one.dtype for one in made if one.dtype.is_floating_point]
        assert all(dtype == wanted for dtype in varying), f"{varying}"
        if len(flat(low)) > 1:
            mixed = [*low[:-1], inputs[-1]] if not case.lists else [[*low[0][:-1], inputs[0][-1]]]
            with torch.autocast("cpu", torch.bfloat16):
                made = flat(op(*mixed, **attrs))
            assert all(one.dtype == torch.float32 for one in made), f"{[one.dtype for one in made]}"
        return f"ok {wanted}"

    def compiled():
        if case.changing:
            raise NotCarried("each call differs")
        torch._dynamo.reset()
        run = torch.compile(lambda *x: op(*x, **attrs), fullgraph=True, backend="aot_eager")
        inputs = case.inputs("float32")
        same([array(one) for one in flat(run(*arguments(case, inputs)))], case.expect(*inputs))

    def dynamic():
        if case.changing or not case.inputs("float32"):
            raise NotCarried("each call differs" if case.changing else "there are no inputs")
        torch._dynamo.reset()
        counter = torch._dynamo.testing.CompileCounter()
        run = torch.compile(lambda *x: op(*x, **attrs), fullgraph=True, backend=counter, dynamic=True)
        sizes = [lambda v: v, lambda v: np.concatenate([v, v]), lambda v: np.concatenate([v] * 3)]
        for grow in sizes:
            inputs = [grow(value) for value in case.inputs("float32")]
            if case.op in ("mat_vec", "spread_rows"):
                inputs = [grow(case.inputs("float32")[0]), case.inputs("float32")[1]]
                if case.op == "spread_rows":
                    inputs[1] = grow(inputs[1])
            same([array(one) for one in flat(run(*arguments(case, inputs)))], case.expect(*inputs))
        return f"ok, {counter.frame_count} graph{'s' if counter.frame_count > 1 else ''} for 3 sizes"

    def opcheck():
        if case.changing:
            raise NotCarried("each call differs, which opcheck compares")
        inputs = arguments(case, case.inputs("float32"))
        tests = ("test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic")
        if case.gradient:
            inputs = [[one.requires_grad_() for one in value] if isinstance(value, list) else value.requires_grad_()
                      for value in inputs]
        torch.library.opcheck(op.default, tuple(inputs), attrs, test_utils=tests)

    if not case.changing:
        matrix.check(case.op, "strides", strided)
    if case.gradient:
        matrix.check(case.op, "gradient", gradient)
        matrix.check(case.op, "gradient in one call", one_call)
        matrix.check(case.op, "forward mode", forward_mode)
        matrix.check(case.op, "gradients of samples", per_sample)
    matrix.check(case.op, "vmap", mapped)
    matrix.check(case.op, "autocast", autocast)
    matrix.check(case.op, "compile", compiled)
    matrix.check(case.op, "dynamic", dynamic)
    matrix.check(case.op, "opcheck", opcheck)


run_all(matrix, call, DTYPES, lambda value, dtype: Cast(value, DTYPES[dtype]))
for case in CASES:
    check_case(case)


def export():
    class Model(torch.nn.Module):
        def forward(self, x):
            return ops.scale_shift(ops.row_sums(x), scale=2.0)

    program = torch.export.export(Model(), (torch.ones(3, 4),), dynamic_shapes={"x": {0: torch.export.Dim("rows")}})
    same([program.module()(torch.ones(5, 4)).numpy()], [np.full(5, 8.0)])


def inductor():
    torch._dynamo.reset()
    run = torch.compile(lambda x: (ops.scale_shift(x * 2.0, scale=3.0) + 1.0).sum(), fullgraph=True)
    x = torch.ones(4, requires_grad=True)
    run(x).backward()
    same([x.grad.numpy()], [np.full(4, 6.0)])


def train():
    torch.manual_seed(1)
    matrix_, vector = torch.randn(4, 3), torch.zeros(3, requires_grad=True)
    target = matrix_ @ torch.tensor([1.0, -2.0, 0.5])
    optimizer = torch.optim.SGD([vector], 0.1)
    for _ in range(400):
        optimizer.zero_grad()
        loss = ((ops.mat_vec(matrix_, vector) - target) ** 2).sum()
        loss.backward()
        optimizer.step()
    assert loss.item() < 1e-3, f"the loss is {loss.item()}"


def meta():
    made = ops.row_sums(torch.empty(3, 4, device="meta"))
    assert made.shape == (3,) and made.device.type == "meta"


def sparse():
    return "ok " + refused(lambda: ops.scale_shift(torch.eye(2).to_sparse()), "Sparse|sparse|to_dense")


def threads():
    from concurrent.futures import ThreadPoolExecutor

    x = torch.ones(1000)
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda at: ops.scale_shift(x, shift=at % 70).sum().item(), range(2000)))
    assert made == [1000.0 * (1 + at % 70) for at in range(2000)]


def conjugate():
    x = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex64)
    same([ops.plain_add(x.conj(), x).numpy()], [np.array([2, 6])])


def in_place():
    x = torch.ones(3)
    y = ops.scale_shift(x)
    assert y.data_ptr() != x.data_ptr()
    y += 1
    same([x.numpy()], [np.ones(3)])


def no_gradient():
    x = torch.ones(2, 2, requires_grad=True)
    refused(lambda: torch.func.jvp(ops.largest_of_rows, (x.detach(),), (x.detach(),)), "has no gradient")
    return "ok " + refused(lambda: ops.largest_of_rows(x).sum().backward(), "has no gradient")


def forward_twice():
    x = torch.ones(2)
    return "ok " + refused(lambda: torch.func.jacfwd(torch.func.jacfwd(ops.squash))(x), "forward mode twice")


def memory_of_gradient():
    """What gradients do not depend on is not kept."""
    import weakref

    x, y = torch.ones(1000, requires_grad=True), torch.ones(1000)
    with torch.no_grad():
        given = y * 2
    made, gone = ops.plain_add(x, given), weakref.ref(given)
    del given
    assert gone() is None, "the sum's gradient keeps an input"
    made.sum().backward()
    same([x.grad.numpy()], [np.ones(1000)])


def higher():
    x = torch.linspace(-1, 1, 5, dtype=torch.float64, requires_grad=True)
    ours, theirs = ops.squash(x), torch.tanh(x)
    for _ in range(4):
        ours, theirs = (torch.autograd.grad(one.sum(), x, create_graph=True)[0] for one in (ours, theirs))
        torch.testing.assert_close(ours, theirs)


def compiled_gradient():
    torch._dynamo.reset()
    x = torch.rand(4, 3, requires_grad=True)
    w = torch.rand(3, requires_grad=True)
    step = torch.compile(lambda x, w: ops.squash(ops.mat_vec(x, w)).sum(), fullgraph=True, backend="aot_eager")
    made = torch.autograd.grad(step(x, w), (x, w))
    torch.testing.assert_close(made, torch.autograd.grad(torch.tanh(x @ w).sum(), (x, w)))


for name, body in [("no gradient", no_gradient), ("forward mode twice", forward_twice),
                   ("kept for gradients", memory_of_gradient), ("fourth order", higher),
                   ("compiled gradient", compiled_gradient), ("export", export), ("inductor", inductor), ("train", train),
                   ("meta", meta), ("sparse", sparse),
                   ("threads", threads), ("conjugate view", conjugate), ("no alias", in_place)]:
    matrix.check("*", name, body)
as_in_oplink(matrix, "torch")
matrix.end()

"""Ops of a plugin under `torch.autocast`: inputs of one type attr get one dtype that a kernel serves.

PyTorch runs ops that it has no rule for in the dtype of their inputs, which under autocast may be several. Here an op
keeps the dtype of its inputs where they agree and a kernel serves it; where they differ they become the widest of them;
and where no kernel serves that, they become float32.
"""

import torch

from ._torch_dtypes import NAMES

#: Floating dtypes that autocast changes, from the narrowest; it leaves float64 as it is.
_ORDER = [torch.float16, torch.bfloat16, torch.float32]


def kernel(torch_op, key):
    """The kernel of an op for a dispatch key such as `AutocastCPU`."""
    op, overload = torch_op.op, torch_op.overload
    excluded = torch._C.DispatchKeySet(key)

    def autocast(_, *arguments, **keywords):
        tensors, lengths = op.flatten(arguments)
        owners = [arg["attr"] for arg, length in zip(op.inputs, lengths) for _ in range(length)]
        made = list(tensors)
        for attr in {one for one in owners if one is not None and one in op.dtypes}:
            places = [at for at, owner in enumerate(owners) if owner == attr and tensors[at].dtype in _ORDER]
            if not places:
                continue
            dtype = _chosen([tensors[at].dtype for at in places], op.dtypes[attr])
            for at in places:
                made[at] = tensors[at].to(dtype)
        with torch._C._ExcludeDispatchKeyGuard(excluded):
            return overload(*op.divided(made, lengths), **keywords)

    return autocast


def _chosen(dtypes, served):
    """The dtype of all inputs of one type attr."""
    both = {torch.float16, torch.bfloat16} <= set(dtypes)
    widest = torch.float32 if both else max(dtypes, key=_ORDER.index)
    if NAMES[widest] in served or "float" not in served:
        return widest
    return torch.float32

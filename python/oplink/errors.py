"""The exceptions of the runtime: a class for each kind of error, all of them `Error`."""

from __future__ import annotations

from collections.abc import Sequence


class Error(Exception):
    """An error of the runtime.

    `kind` is what went wrong, stable across releases; `code` the status code of TensorFlow; `message` the error alone,
    `context` what the layers above it know, the innermost first; `node` and `op` where it happened, as far as a node is
    involved.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: str = "Internal",
        code: str = "Internal",
        context: Sequence[str] = (),
        node: str | None = None,
        op: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.code = code
        self.context = list(context)
        self.node = node
        self.op = op

    def __str__(self) -> str:
        return "\n  ".join([self.message, *self.context])

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.message,), self.__dict__)


class InvalidArgumentError(Error, ValueError):
    """A value given by the caller is wrong: shape, dtype, attr or content."""


class SpecError(Error):
    """An op declaration does not parse or contradicts itself."""


class RegistryError(Error):
    """The registry found conflicting or incomplete registrations."""


class OpNotDeclaredError(Error):
    """No op of that name is declared in this process."""


class NoMatchingKernelError(Error):
    """The op is declared, but no kernel fits device, label and dtypes."""


class ExcludedError(Error):
    """The build's selection left the op or the kernel out."""


class NotLinkedError(Error):
    """The code that declares the op or the kernel is not part of this build."""


class PluginRejectedError(Error):
    """A plugin was refused."""


class InvalidGraphError(Error):
    """A graph is malformed."""


class ShapeInferenceError(Error):
    """A shape function refused its inputs."""


class AttrUnknownError(Error):
    """The value of an attr is asked for where nobody knows it."""


class KernelFailedError(Error):
    """A kernel returned an error."""


class KernelPanickedError(Error):
    """A kernel panicked; the process and the session stay usable."""


class ResourceError(Error):
    """Memory or another resource could not be had."""


class IoError(Error):
    """The system failed to read, write or find a file, or its content is damaged."""


class DeviceMemoryError(Error):
    """The host asked for the elements of a tensor that lies in a device's memory."""


class DeviceError(Error):
    """A device failed at a piece of its work."""


class CancelledError(Error):
    """The step was cancelled, or did not end before its deadline."""


class UnimplementedError(Error, NotImplementedError):
    """A feature this build does not have."""


class InternalError(Error):
    """A broken invariant inside the runtime."""

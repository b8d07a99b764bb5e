"""What running a case gave."""
from dataclasses import dataclass


@dataclass
class Failure:
    """An error: its status code as a word, its kind where there is one, its message."""
    code: str
    message: str
    kind: str = ""

    @property
    def left_out(self):
        """Whether TensorFlow says that it has no kernel, or that its kernel leaves this out."""
        return self.code == "Unimplemented" or "Could not find device for node" in self.message

    @property
    def panicked(self):
        """Whether a kernel or a shape function panicked."""
        return self.kind == "KernelPanicked" or "panicked" in self.message


@dataclass
class Crash:
    """The process died or hung."""
    how: str

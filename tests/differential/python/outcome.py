"""What running a case gave."""
from dataclasses import dataclass


# What TensorFlow says where it has no kernel, or where its CPU kernel leaves a dtype or a form out.
_LEFT_OUT = ("Could not find device for node", "No OpKernel was registered", "Unsupported data type", "not supported on CPU",
             "do not yet support dilation", "only supports dilated rates of 1", "Op does not support", "Dtype string not supported")


@dataclass
class Failure:
    """An error: its status code as a word, its kind where there is one, its message."""
    code: str
    message: str
    kind: str = ""

    @property
    def left_out(self):
        """Whether TensorFlow says that it has no kernel, or that its kernel leaves this out."""
        return self.code == "Unimplemented" or any(words in self.message for words in _LEFT_OUT)

    @property
    def panicked(self):
        """Whether a kernel or a shape function panicked."""
        return self.kind == "KernelPanicked" or "panicked" in self.message


@dataclass
class Crash:
    """The process died or hung."""
    how: str

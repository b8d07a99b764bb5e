"""What running a case gave."""
from dataclasses import dataclass


@dataclass
class Failure:
    """An error: its status code as a word, its kind where there is one, its message."""
    code: str
    message: str
    kind: str = ""

    @property
    def panicked(self):
        """Whether a kernel or a shape function panicked."""
        return self.kind == "KernelPanicked" or "panicked" in self.message


@dataclass
class Crash:
    """The process died or hung."""
    how: str

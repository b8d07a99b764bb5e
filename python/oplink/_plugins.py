"""Plugins: the extension module shows its C functions to the libraries that it loads.

These functions have TensorFlow's names. So a process either loads plugins into oplink or uses TensorFlow: both would find
the functions of the other.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType
from typing import Any

from oplink import _oplink
from oplink.errors import PluginRejectedError

_ONE_OF_BOTH = "a process either loads plugins into oplink or imports tensorflow, because both export the same C functions"


def load_plugin(path: str | os.PathLike[str], *, strict: bool | None = None) -> dict[str, Any]:
    """Loads a plugin by its path: its ops are then in `oplink.ops`, its devices may be named.

    Returns what the plugin declares. With `strict=True` a plugin of which not everything is valid is refused as a whole,
    with `strict=False` what is valid is loaded; by default plugins made with `plugin!` are strict. A process that has
    TensorFlow loaded loads no plugins, and one that loaded a plugin imports no TensorFlow.
    """
    _make_visible()
    return _oplink.load_plugin(os.fspath(path), strict=strict)


class _RefusesTensorFlow(MetaPathFinder):
    """Refuses the import of TensorFlow, which would call the functions of oplink instead of its own."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if name == "tensorflow":
            raise ImportError(f"oplink loaded plugins: {_ONE_OF_BOTH}", name=name)


_refuses_tensorflow = _RefusesTensorFlow()


def _make_visible() -> None:
    """Makes the C functions of the extension module, which is loaded already, those that plugins find."""
    if _refuses_tensorflow in sys.meta_path:
        return
    if _has_tensorflow():
        raise PluginRejectedError(
            f"TensorFlow is loaded: {_ONE_OF_BOTH}", kind="PluginRejected", code="FailedPrecondition"
        )
    sys.meta_path.insert(0, _refuses_tensorflow)
    no_load = getattr(os, "RTLD_NOLOAD", 0)
    ctypes.CDLL(_oplink.__file__, mode=ctypes.RTLD_GLOBAL | no_load)


def _has_tensorflow() -> bool:
    """Whether TensorFlow is imported, or a library of it is loaded otherwise."""
    if "tensorflow" in sys.modules:
        return True
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            return any("libtensorflow" in line.rpartition("/")[2] for line in maps)
    except OSError:
        return False

"""Plugins: the extension module shows its C functions to the libraries that it loads."""

from __future__ import annotations

import ctypes
import os
from typing import Any

from oplink import _oplink


def load_plugin(path: str | os.PathLike[str], *, strict: bool | None = None) -> dict[str, Any]:
    """Loads a plugin by its path: its ops are then in `oplink.ops`, its devices may be named.

    Returns what the plugin declares. With `strict=True` a plugin of which not everything is valid is refused as a whole,
    with `strict=False` what is valid is loaded; by default plugins made with `plugin!` are strict.
    """
    _make_visible()
    return _oplink.load_plugin(os.fspath(path), strict=strict)


def _make_visible() -> None:
    """Makes the C functions of the extension module, which is loaded already, those that plugins find."""
    no_load = getattr(os, "RTLD_NOLOAD", 0)
    ctypes.CDLL(_oplink.__file__, mode=ctypes.RTLD_GLOBAL | no_load)

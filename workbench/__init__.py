"""A math-design workbench for slot games: exact evaluation, search, and an independent witness.

For people at a prompt the commands are functions: ``workbench.load``, ``workbench.evaluate``, ... of
:mod:`workbench.api`. Some of them share their name with a part of the package, such as ``workbench.verify``: these parts
can be called.
"""

import sys
from types import ModuleType
from typing import Any

__version__: str

_FUNCTIONS = (
    *(
        "load",
        "save",
        "evaluate",
        "simulate",
        "law",
        "session",
        "sensitivity",
        "compare",
        "verify",
        "optimise",
    ),
)


def __getattr__(name: str) -> Any:
    """``__version__`` and the functions of the api, looked up when asked for: ``import workbench`` stays cheap."""
    if name == "__version__":
        from importlib.metadata import version

        return version("workbench")
    if name in _FUNCTIONS:
        return _function(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return ["__version__", *_FUNCTIONS]


def _function(name: str) -> Any:
    from workbench import api

    return getattr(api, name)


class _Part(ModuleType):
    """A part of the package that can be called as the function of its name."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        return _function(self.__name__.rpartition(".")[2])(*given, **named)


class _Package(ModuleType):
    def __setattr__(self, name: str, value: Any) -> None:
        """Importing a part sets it here: one that shares its name with a function learns to be called."""
        if name in _FUNCTIONS and isinstance(value, ModuleType):
            value.__class__ = _Part
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package

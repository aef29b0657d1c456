"""Are all packages that run ours?

Recoup's packages carry plain names (`events`, `games`). A foreign distribution of the same name that stands
earlier on the path would be imported in the place of ours without a word, and half of the program would be
another. So the entry point asks first where each comes from: with the standard library only, and importing
nothing to find out.
"""

import sys
from collections.abc import Iterable
from importlib.machinery import PathFinder
from pathlib import Path

PACKAGES = ("events", "games", "projections", "replay", "cli")
COULD_NOT = 3


def shadowed(packages: Iterable[str] = PACKAGES) -> str | None:
    """What is wrong with where our packages come from, in words for the user; None if all is well.

    The yardstick is the folder of `cli` that is running: whoever stands elsewhere is the stranger.
    """
    home = Path(__file__).resolve().parent
    for package in packages:
        ours = home.parent / package
        found = _folder(package)
        if found is None:
            return (
                f"error: found no package `{package}`, expected it in {ours}\n\n"
                "hint: the installation is incomplete; install Recoup again, in an environment of its own"
            )
        if found != ours:
            return (
                f"error: the package `{package}` comes from {found}, but `{home.name}` from {home}; "
                "all of Recoup's packages must come from one place\n\n"
                f"hint: something else named `{package}` stands in the way; uninstall it, take it off "
                "PYTHONPATH, or give Recoup an environment of its own"
            )
    return None


def refuse_if_shadowed() -> None:
    """Raises:
    SystemExit: with 3, after saying on stderr which package stands where.
    """
    if message := shadowed():
        print(message, file=sys.stderr)
        raise SystemExit(COULD_NOT)


def _folder(package: str) -> Path | None:
    """Where an import of `package` would find it. A folder without `__init__.py` is nobody's package."""
    spec = PathFinder.find_spec(package)
    if spec is None or spec.origin is None:
        return None
    origin = Path(spec.origin).resolve()
    return origin.parent if spec.submodule_search_locations else origin

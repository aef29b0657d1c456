"""`python -m benchmarks [NAME …]`: every module here that has `run() -> list[str]`, or those named."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from time import perf_counter

import benchmarks


def discovered() -> dict[str, object]:
    """Modules with a `run`, by name."""
    names = (module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name != "__main__")
    modules = {name: importlib.import_module(f"benchmarks.{name}") for name in sorted(names)}
    return {name: module.run for name, module in modules.items() if hasattr(module, "run")}


def printed(name: str) -> Iterator[str]:
    """One benchmark's lines, and how long it took."""
    start = perf_counter()
    run = discovered()[name]
    assert callable(run)
    yield from run()
    yield f"  ({name}: {perf_counter() - start:.0f} s)"


def main(wanted: list[str]) -> int:
    """Runs them one after another; 2 if a name is unknown."""
    found = discovered()
    if unknown := [name for name in wanted if name not in found]:
        print(f"error: no benchmark {', '.join(unknown)}; there are {', '.join(found)}", file=sys.stderr)
        return 2
    if len(wanted) != 1:  # each in a process of its own: what one leaves in memory is not the next one's business
        for name in wanted or found:
            if code := subprocess.run([sys.executable, "-m", "benchmarks", name], check=False).returncode:
                return code
        return 0
    for line in printed(wanted[0]):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The command `recoup`, also `python -m cli`."""

import sys

from cli import guard

INTERRUPTED = 130


def run() -> None:
    """Check that every package is ours; only then import what the command line is made of."""
    guard.refuse_if_shadowed()

    try:
        from cli.app import main

        main()
    except KeyboardInterrupt:  # while all is still being imported, or as it ends
        print("stopped", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":
    run()

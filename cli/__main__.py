"""The command `recoup`, also `python -m cli`."""

from cli import guard


def run() -> None:
    """Check that every package is ours; only then import what the command line is made of."""
    guard.refuse_if_shadowed()

    from cli.app import main

    main()


if __name__ == "__main__":
    run()

"""Rights of the application's role on PostgreSQL (17 or later): it adds evidence, and changes bookkeeping only.

`MAINTAIN` is what `LOCK TABLE … IN EXCLUSIVE MODE` takes of a role that may neither update nor delete. It allows
CLUSTER and ACCESS EXCLUSIVE too, which cost time but no evidence.
"""

from __future__ import annotations

from psycopg.sql import SQL, Composed, Identifier

EVIDENCE = ("stored_events", "tiles", "quarantine", "quarantine_acts")


def grants(role: str) -> list[Composed]:
    """Statements, to be run by the owner of the tables, that let `role` write the log and nothing else."""
    name = Identifier(role)
    found = [
        SQL("GRANT USAGE ON SCHEMA evidence, bookkeeping TO {}").format(name),
        SQL("GRANT SELECT ON evidence.recoup_store TO {}").format(name),
        SQL("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA bookkeeping TO {}").format(name),
    ]
    for table in EVIDENCE:
        found.append(SQL("GRANT SELECT, INSERT ON {} TO {}").format(Identifier("evidence", table), name))
    found.append(SQL("GRANT MAINTAIN ON evidence.stored_events TO {}").format(name))
    return found

"""Read models in DuckDB, fed from the log and deleted at will (`README.md`)."""

from projections.layers import ViewInfo
from projections.views import CatchUp, Table, Views, default_path

__all__ = ["CatchUp", "Table", "ViewInfo", "Views", "default_path"]

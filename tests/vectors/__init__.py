"""The catalogues' test vectors: copies, the runner (`python -m tests.vectors ROOM FILE`), an adapter a room."""

"""How fast, against stated goals. Printed, never asserted: a shared machine's minute proves nothing."""

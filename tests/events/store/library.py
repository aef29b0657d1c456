"""The library's own test cases.

Their module imports the library's cipher on pycryptodome; its twin on cryptography, which is locked, will do.
"""

from __future__ import annotations

import importlib
import sys

import eventsourcing.cryptography

sys.modules.setdefault("eventsourcing.cipher", eventsourcing.cryptography)
_cases = importlib.import_module("eventsourcing.tests.persistence")
APPLICATION_RECORDER: type = _cases.ApplicationRecorderTestCase
NON_INTERLEAVING: type = _cases.NonInterleavingNotificationIDsBaseCase

"""What games with a wheel share: the ring of its fields, the direction in which it turns, and whole laps."""

from games.shared.wheel.ring import DIRECTIONS, Direction, arc, arc_at, is_same_ring, opposite, whole_laps

__all__ = ["DIRECTIONS", "Direction", "arc", "arc_at", "is_same_ring", "opposite", "whole_laps"]

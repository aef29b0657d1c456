"""Money, cards, places, clock and names: pure values that everything above is written in."""

"""What all poker games share: their events, betting, pots, showdown and hand ranks. It knows no rule book."""

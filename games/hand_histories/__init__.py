"""Hand histories of other programs and houses, read into poker events and written back.

`formats`: how a file's format is known; a new one is an entry there. `sections`, `objects`: files of TOML and of JSON
cut into hands by text, streamed. `names`: players' names replaced. `draft`: one hand in the words of the poker events,
whatever format told it, and its envelopes. `phh`, `phh_in`, `phh_out`: the Poker Hand History format read, told,
written; `ohh`, `ohh_in`, `ohh_out`: Open Hand History. `pokernow`: the language of PokerNow's logs; `pokernow_log`:
such a log cut into hands; `pokernow_piece`, `pokernow_in`: a hand's piece of it read, proved and told. `retold`: the
facts of a hand gathered for any writer. `imports`: files into the log, with a report.

A reader decides nothing about rules: what a history tells is recorded, odd or not, and the room judges it. It proves a
hand's money by the file's own sums; where they do not add up the hand is taken over as it is told, and the report names
it. What a reader had to choose stands in `HandImported.notes`.
"""

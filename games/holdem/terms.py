"""What people on the floor call the things that rules are about, in Czech and English, rule by rule.

An edition words a rule once; a complaint words it otherwise (`string bet`, `jeden žeton`). Written without the words
that the rule's own title and text have.
"""

from __future__ import annotations

_SEAT_CHANGE = "přesedl přesednutí posadil se vedle sedadlo židle změna místa seat change"

TERMS: dict[str, str] = {
    "NL-01": "balíček počet hráčů cizí karta dvojí karta chybějící karta fouled deck duplicate foreign missing joker",
    "NL-02": "provize nesedí pot chybí žetony míchání zamíchat shuffle wash riffle not shuffled chips missing",
    "NL-03": "limit stolu minimum maximum straddle ohlášené blindy ante",
    "NL-04": "žetony ze stolu schoval odnesl do kapsy dokoupil rebuy top-up buy-in ratholing pocketed stack",
    "NL-05": "počet navýšení kolikrát raise cap",
    "NL-06": "losování buttonu draw for the button",
    "NL-07": "knoflík button nesprávně posun wrong button moved dead button " + _SEAT_CHANGE,
    "NL-08": "slepá sázka malý velký blind špatný blind wrong blind heads-up dva hráči " + _SEAT_CHANGE,
    "NL-09": "chybí malý blind jen velký odešel z blindu missing small blind dead small blind vacated seat",
    "NL-10": "rozdání přeskočil hráče špatné místo nezačal skipped player dealt wrong seat misdeal",
    "NL-11": "mimo pořadí nebyl na řadě předběhl out of turn acted early skipped před flopem preflop clock čas",
    "NL-12": "mimo pořadí nebyl na řadě předběhl out of turn acted early skipped bet before me clock čas",
    "NL-13": "spálená karta nespálil burn card missing burn double burn",
    "NL-14": "odhalená karta otočil překlopil nové rozdání exposed card misdeal flipped showed a card while dealing",
    "NL-15": "odhalená karta otočil překlopil výměna exposed card replaced flipped burn showed a card while dealing",
    "NL-16": "dvě odhalené karty nové rozdání two cards exposed misdeal flipped",
    "NL-17": "předčasný flop too early before everybody acted",
    "NL-18": "flop pět karet too many cards on the flop",
    "NL-19": "flop čtyři karty four cards on the flop",
    "NL-20": "předčasný turn předčasný river too early premature river before everybody acted",
    "NL-21": "karta navíc třetí karta extra card third card misdeal",
    "NL-22": "minimální navýšení málo navýšil doplnit sázku under-raise too small raise re-raise below the blind",
    "NL-23": "nadvakrát přihodil druhý pohyb string bet string raise half polovina two motions went back for more",
    "NL-24": "vedlejší pot hlavní pot krátký stack main pot side pot short stack all in",
    "NL-25": "krátký all-in nesmí navýšit re-raise reopen betting underraise all in",
    "NL-26": "jeden žeton velký žeton řekl pozdě pozdní slovo single chip oversized chip late word said raise too late",
    "NL-27": "pořadí ukazování kdo ukazuje první who shows first slow roll",
    "NL-28": "zahodil karty nemusel ukázat muck mucked did not show must show",
    "NL-29": "dělení remíza kicker stejná kombinace chop tie same hand split pot straight flush kdo vyhrál who won",
    "NL-30": "hraje stůl board plays on the board",
    "NL-31": "lichý žeton zbytek dělení extra chip odd chip remainder split",
    "NL-32": "výplata potu vyplacení komu patří award winner pot pushed wrong pot paid",
    "NL-33": "poplatek provize strop rake cap commission too much rake",
    "NL-34": "jazyk cizí řeč německy anglicky slovensky language german foreign",
    "NL-35": "co by přišlo další karty rabbit cards after the hand",
    "NL-36": "ukázal karty během hry otočil své karty showed his cards exposed own hand",
    "NL-37": "špatný vítěz vzal výherní karty hodinu později stížnost wrong winner killed hand wrong award complaint",
    "NL-38": "trest pauza varování vyloučen na čas warning sit-out suspension",
    "NL-39": "urážka hodil karty nadávky insult threw cards one player to a hand",
    "NL-40": "šetřil kamaráda neporazitelné karty checknul nuts friends spared checked the nuts",
    "NL-41": "rada komentář mluvil do hry napověděl advice talking about the hand coaching",
    "NL-42": "dohoda spolupráce předal žetony sázeli spolu collusion chip dumping passed chips friends team",
    "NL-43": "vyhozen vykázán výplata expelled thrown out",
    "NL-44": "opakovaně etiketa repeated",
    "NL-45": "zmeškaný blind vrátil se nový hráč missed blind came back returned new player posts",
    "NL-46": "nechráněné karty dealer sebral schované žetony unprotected hand hidden chips mucked by dealer",
}

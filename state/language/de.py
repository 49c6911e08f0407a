"""German."""

from state.language.language import Claims, Commands, Corrections, Language, Offers, Purchases

LANGUAGE = Language(
    # How the language is written and shown
    code="de",
    example="de-DE",
    elides=False,
    ordinal_point=True,
    written_day="dd.MM.y",
    written_money="{amount} {symbol}",
    legal_forms=("gmbh", "kg", "ohg", "ug"),
    no_tickers=(
        "AB", "AM", "AN", "AUF", "BIS", "DA", "DAS", "DER", "DIE", "EUR", "FÜR", "IM", "IN", "JA", "MFG", "MIT",
        "NEIN", "UND", "VON", "ZU",
    ),
    # Yes, no, and what makes either uncertain
    yes_label="Ja",
    no_label="Nein",
    yes=(
        "ja", "jawohl", "jo", "jep", "jup", "yes", "klar", "na klar", "natürlich", "selbstverständlich", "sicher",
        "gewiss", "genau",
        "richtig", "korrekt", "stimmt", "das stimmt", "auf jeden fall", "unbedingt", "freilich", "doch", "wahr", "j",
    ),
    no=(
        "nein", "nee", "nö", "ne", "no", "n", "keineswegs", "auf keinen fall", "ganz und gar nicht", "gar nicht",
        "überhaupt nicht",
        "sicher nicht", "natürlich nicht", "bestimmt nicht", "niemals", "nie", "negativ", "falsch", "keinesfalls",
        "stimmt nicht", "das stimmt nicht", "selbstverständlich nicht", "trifft nicht zu",
    ),
    bare_no="nein",
    no_negates=False,
    concord=False,
    negators=(
        "nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines", "keinerlei", "ohne", "nie", "niemals",
        "niemand", "nichts",
        "weder", "noch", "nein", "nicht mehr", "kein mehr", "keineswegs",
    ),
    be=(
        "ist", "sind", "bin", "es gibt", "gibt es", "handelt es sich", "es handelt sich", "wird", "wäre", "besteht",
        "bestehen", "liegt vor",
    ),
    have=(
        "habe", "hab", "haben", "hat", "besitze", "besitzen", "halte", "halten", "verfüge", "stimme zu", "brauche",
        "benötige", "nutze", "verwende", "kenne",
    ),
    subjects=("ich", "wir", "es", "das", "dies", "dieses", "diese", "dieser", "sie", "er", "man", "mir"),
    other_subjects=("du", "ihr"),
    links=(
        "ein", "eine", "einen", "einem", "einer", "eines", "der", "die", "das", "den", "dem", "des", "mein", "meine",
        "meinen", "meiner",
        "irgendein", "irgendeine", "irgendwelche", "solche", "wirklich", "tatsächlich", "auch", "jetzt", "davon",
        "dazu", "darüber",
        "sich", "um", "bei", "zu", "über", "von", "in", "im", "mit", "es", "und", "eigentlich", "hier", "da", "dabei",
        "so",
    ),
    acknowledging=(
        "verstanden", "ich verstehe", "habe verstanden", "zur kenntnis genommen", "ich nehme zur kenntnis",
        "einverstanden", "ich stimme zu",
        "stimme zu", "zugestimmt", "akzeptiert", "ich akzeptiere", "akzeptiere", "bestätigt", "ich bestätige",
        "bestätige", "in ordnung",
        "geht in ordnung", "ok", "okay", "alles klar", "gelesen", "gut", "passt",
    ),
    doubts=(
        "nicht sicher", "unsicher", "bin mir nicht sicher", "weiß nicht", "weiss nicht", "weiß ich nicht",
        "weiss ich nicht", "keine ahnung",
        "vielleicht", "eventuell", "möglicherweise", "wahrscheinlich", "vermutlich", "wohl", "glaube", "denke",
        "meine ich", "schätze",
        "vermute", "nehme an", "hoffe", "bezweifle", "anscheinend", "scheinbar", "offenbar", "soweit ich weiß",
        "soweit ich weiss",
        "meines wissens", "nicht dass ich wüsste", "nicht wirklich", "nicht genau", "nicht ganz", "womöglich", "jein",
    ),
    hedges=(
        "könnte", "könnten", "dürfte", "würde", "sollte", "müsste", "falls", "wenn", "ob", "sofern", "nicht nur",
        "kaum", "fast", "beinahe",
        "scheint", "klingt", "sagte", "sagt", "gesagt", "behauptet", "war", "waren", "hatte", "hatten", "früher",
        "beispiel", "angeblich",
    ),
    conditions=("wenn", "falls", "ob", "sofern", "sollte ich", "es sei denn"),
    exceptions=(
        "außer", "ausser", "abgesehen", "bis auf", "mehr als", "noch nicht", "genug", "nur", "aber", "jedoch",
        "allerdings", "obwohl",
        "es sei denn", "ausgenommen",
    ),
    # What joins clauses and what asks
    conjunctions=(
        "und", "aber", "jedoch", "doch", "sondern", "obwohl", "weil", "denn", "also", "während", "dann", "da",
    ),
    and_words=("und",),
    but_words=("aber", "sondern"),
    or_words=("oder", "noch"),
    question_words=(
        "was", "welche", "welcher", "welches", "welchen", "warum", "wieso", "weshalb", "wozu", "wie", "wer", "wessen",
        "wem", "wen", "wann",
        "wo", "woher", "wohin", "wieviel", "erklär", "erkläre", "erklären sie", "bedeutet", "heißt", "heisst",
        "können sie", "kannst du",
    ),
    question_verbs=(
        "ist", "sind", "bin", "habe", "haben", "hat", "kann", "können", "soll", "sollte", "muss", "müssen", "darf",
        "wird", "gibt", "zählt",
    ),
    asking_meaning=(
        "was bedeutet", "was heißt", "was heisst", "was ist damit gemeint", "was meinen sie", "was ist gemeint",
        "was zählt", "was gilt als",
        "was ist das", "was soll das", "wozu brauchen sie", "warum fragen sie", "wozu ist das", "verstehe ich nicht",
        "ich verstehe nicht",
        "ich verstehe die frage nicht", "unklar", "nicht klar", "erklären sie", "erklär", "erkläre", "beispiel",
        "wie bitte", "hä",
        "was ist der unterschied", "bedeutung von",
    ),
    # Words around a value: those that add nothing, name it, end it, or make something else of it
    polite=(
        "bitte", "danke", "vielen dank", "dankeschön", "bitteschön", "hallo", "guten tag", "guten morgen",
        "guten abend", "moin", "servus", "dank", "vielen",
    ),
    filler=(
        "bitte", "danke", "nur", "es", "ist", "sind", "ich", "möchte", "will", "hätte", "gerne", "gern", "ein", "eine",
        "einen", "einem",
        "einer", "der", "die", "das", "den", "dem", "für", "über", "von", "zu", "zum", "zur", "etwa", "ungefähr",
        "circa", "ca", "rund", "um",
        "genau", "mein", "meine", "meinen", "dies", "wird", "werden", "in", "im", "am", "an", "auf", "bei", "mit",
        "also", "dann", "ok",
        "okay", "insgesamt", "zusammen", "macht", "wäre", "wären", "nehme", "uhr", "sein", "soll", "sollen", "lautet",
        "heißt", "heisst",
    ),
    naming=(
        "ist", "sind", "auf", "von", "zu", "jetzt", "nun", "als", "bei", "beträgt", "lautet", "heißt", "heisst",
        "soll", "sein", "es", "etwa",
        "rund", "ungefähr", "circa", "ein", "eine", "der", "die", "das", "wäre", "am", "um", "im",
    ),
    breaks=(
        "für", "zu", "zum", "zur", "um", "in", "im", "an", "am", "auf", "mit", "weil", "und", "von", "vom", "bei",
        "als", "im wert", "etwa",
        "rund", "aber", "oder", "wenn", "falls", "durch", "über", "via", "per", "heute", "morgen", "bitte", "wann",
        "seit", "also", "dass",
        "dann", "ist", "sind", "war", "wird", "ungefähr", "circa", "unter", "ab", "vor", "nach", "der", "statt",
        "jetzt", "während", "bis",
        "pro", "je", "denn", "da", "kaufen", "verkaufen", "kauf", "verkauf", "erwerben",
    ),
    articles=(
        "ein", "eine", "einen", "einem", "einer", "eines", "der", "die", "das", "den", "dem", "des", "mein", "meine",
        "meinen", "meiner",
        "meines", "unser", "unsere", "einige", "mehr", "von", "vom", "in", "im", "diese", "dieser", "dieses", "diesen",
        "weitere",
    ),
    units=(
        "aktien", "aktie", "stück", "stücke", "anteile", "anteil", "einheiten", "einheit", "papiere", "wertpapiere",
        "lose",
    ),
    durations=(
        "jahr", "jahre", "jahren", "monat", "monate", "monaten", "woche", "wochen", "tag", "tage", "tagen", "stunde",
        "stunden", "minute",
        "minuten", "mal", "prozent",
    ),
    bounds=(
        "mindestens", "höchstens", "bis zu", "unter", "über", "weniger als", "mehr als", "minimal", "maximal",
        "minimum", "maximum", "max",
        "min", "nicht mehr als", "fast", "beinahe", "knapp", "wenigstens", "pro",
    ),
    rejected=("nicht", "statt", "anstatt", "anstelle von", "war", "waren", "nicht mehr", "kein", "keine"),
    year_words=("im jahr", "in", "seit", "von", "bis", "ab", "jahr", "des jahres", "anno"),
    price_words=("zu", "für"),
    each=("je", "jeweils", "pro stück", "das stück", "pro aktie", "je aktie", "pro", "à"),
    # Numbers in words, places in a list, and money
    numbers={
        "eins": 1, "ein": 1, "eine": 1, "einen": 1, "einem": 1, "einer": 1, "zwei": 2, "zwo": 2, "drei": 3, "vier": 4,
        "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9,
        "zehn": 10, "elf": 11, "zwölf": 12, "dreizehn": 13, "vierzehn": 14, "fünfzehn": 15, "sechzehn": 16,
        "siebzehn": 17, "achtzehn": 18,
        "neunzehn": 19, "zwanzig": 20,
    },
    more_numbers=(
        "dreißig", "dreissig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig", "hundert", "hunderte",
        "dutzend", "halb",
        "halbe", "halber", "komma", "anderthalb", "eineinhalb",
    ),
    one_article=("ein", "eine", "einen", "einem", "einer"),
    ordinals={
        "erste": 1, "erster": 1, "erstes": 1, "ersten": 1, "zweite": 2, "zweiter": 2, "zweites": 2, "zweiten": 2,
        "dritte": 3, "dritter": 3,
        "drittes": 3, "dritten": 3, "vierte": 4, "vierter": 4, "viertes": 4, "vierten": 4, "fünfte": 5, "fünfter": 5,
        "fünftes": 5,
        "fünften": 5, "sechste": 6, "sechsten": 6, "siebte": 7, "siebten": 7, "achte": 8, "achten": 8, "neunte": 9,
        "neunten": 9,
        "zehnte": 10, "zehnten": 10,
    },
    last=("letzte", "letzter", "letztes", "letzten"),
    option_words=("option", "nummer", "nr", "ergebnis", "auswahl", "antwort", "möglichkeit"),
    multiples={
        "k": 1000, "t": 1000, "tsd": 1000, "tausend": 1000, "mio": 10**6, "m": 10**6, "million": 10**6,
        "millionen": 10**6, "mrd": 10**9,
        "milliarde": 10**9, "milliarden": 10**9,
    },
    currencies={
        "euro": "EUR", "euros": "EUR", "pfund": "GBP", "pfund sterling": "GBP", "britische pfund": "GBP",
        "schweizer franken": "CHF",
        "franken": "CHF", "yen": "JPY", "dollar": "", "us-dollar": "USD", "us dollar": "USD",
        "amerikanische dollar": "USD",
    },
    percent=("prozent", "vom hundert"),
    # Days, and stretches of them
    days={"heute": 0, "gestern": -1, "morgen": 1, "übermorgen": 2, "vorgestern": -2},
    not_days=("guten morgen", "morgen früh um", "am morgen"),
    coming=(
        "nächsten", "nächste", "nächster", "nächstes", "kommenden", "kommende", "kommender", "diesen", "diese",
        "dieser", "am nächsten", "am kommenden",
    ),
    gone=("letzten", "letzte", "letzter", "vergangenen", "vergangene", "vorigen", "vorige"),
    this_week=("diese woche", "dieser woche"),
    next_week=("nächste woche", "nächster woche", "kommende woche", "kommender woche"),
    this_month=("dieses monats", "diesen monat", "diesem monat"),
    day_leads=("am", "der", "den", "dem", "vom", "zum"),
    day_endings=("ten", "te"),
    units_of_days={"tag": 1, "tage": 1, "tagen": 1, "woche": 7, "wochen": 7},
    ahead_before=("in",),
    ahead_after=("ab heute", "von heute an"),
    ago_before=("vor",),
    ago_after=("zuvor",),
    months={"mrz": 3, "sept": 9, "jänner": 1, "feber": 2},
    of_words=("im", "des", "vom", "der"),
    periods={
        "diesen monat": "month 0", "dieser monat": "month 0", "diesem monat": "month 0",
        "letzten monat": "month -1", "letzter monat": "month -1",
        "im letzten monat": "month -1", "vorigen monat": "month -1", "diese woche": "week 0", "letzte woche": "week -1",
        "dieses jahr": "year 0", "letztes jahr": "year -1", "voriges jahr": "year -1",
    },
    between=("bis", "bis zum", "und", "bis einschließlich"),
    since=("seit", "seit dem", "ab", "ab dem"),
    # Times of day
    clock24=True,
    noon=("mittag", "zwölf uhr mittags"),
    midnight=("mitternacht",),
    hour_parts={"halb": -30, "viertel nach": 15, "viertel vor": -15, "dreiviertel": -15},
    hour_parts_lead=True,
    morning=("uhr morgens", "morgens", "uhr früh", "früh", "uhr vormittags", "vormittags", "am morgen", "am vormittag"),
    afternoon=(
        "uhr nachmittags", "nachmittags", "uhr abends", "abends", "uhr nachts", "am nachmittag", "am abend",
        "uhr am nachmittag", "uhr am abend",
    ),
    hour_marks=("um", "gegen", "ab"),
    hour_marks_after=("uhr", "h"),
    commands=Commands(
        orders={
            "cancel": (
                "abbrechen", "abbruch", "brich ab", "brechen sie ab", "stornieren", "antrag abbrechen",
                "den antrag abbrechen", "stopp", "stop",
                "beenden", "aufhören", "vergiss es", "vergessen sie es", "egal", "lass gut sein", "verwerfen",
                "zurückziehen",
            ),
            "restart": (
                "von vorne", "von vorn", "neu anfangen", "neu beginnen", "noch einmal von vorne", "nochmal von vorne",
                "von vorne anfangen",
                "von vorne beginnen", "neustart", "zurücksetzen", "von anfang an", "alles neu",
            ),
            "help": (
                "hilfe", "hilf mir", "helfen sie mir", "ich brauche hilfe", "wie funktioniert das", "was können sie",
                "was kannst du", "befehle",
            ),
            "missing": (
                "was fehlt", "was fehlt noch", "was fehlt denn noch", "was ist noch offen", "was noch",
                "was brauchen sie noch", "was ist übrig",
                "wie viel fehlt noch", "wo waren wir", "wo sind wir", "wo stehen wir", "stand", "fortschritt", "status",
            ),
            "person": (
                "mit einem menschen sprechen", "mit einem menschen reden", "mit jemandem sprechen",
                "mit jemandem reden", "mensch", "ein mensch",
                "einen menschen", "ein echter mensch", "mitarbeiter", "mit einem mitarbeiter sprechen",
                "mit einer person sprechen",
                "ich will einen menschen", "mit compliance sprechen", "berater", "mit einem berater sprechen",
            ),
            "undo": (
                "rückgängig", "rückgängig machen", "mach das rückgängig", "machen sie das rückgängig",
                "nimm das zurück", "nehmen sie das zurück",
                "zurücknehmen", "letzte änderung rückgängig machen", "wie vorher",
            ),
            "submit": (
                "einreichen", "reich ein", "reichen sie ein", "antrag einreichen", "den antrag einreichen", "absenden",
                "abschicken", "senden",
                "schick es ab", "schicken sie es ab", "fertig", "ich bin fertig", "das war alles", "das ist alles",
                "das wär's", "übersicht",
            ),
            "my_requests": (
                "meine anträge", "zeig meine anträge", "zeigen sie meine anträge", "meine anfragen", "meine entwürfe",
                "liste meiner anträge",
            ),
            "my_data": (
                "meine daten", "zeig mir meine daten", "zeigen sie mir meine daten", "was wissen sie über mich",
                "welche daten haben sie über mich",
                "alle meine daten", "eine kopie meiner daten",
            ),
            "erase": (
                "meine daten löschen", "lösch meine daten", "lösche meine daten", "löschen sie meine daten",
                "alle meine daten löschen",
                "alles über mich löschen", "vergessen sie mich",
            ),
        },
        leads=(
            "bitte", "kann ich", "könnte ich", "darf ich", "kannst du", "können sie", "könnten sie", "ich möchte",
            "ich will", "ich würde gerne",
            "ich würde gern", "ich muss", "lass uns", "ok", "okay", "also", "hallo", "hey", "entschuldigung",
            "eigentlich", "jetzt", "dann",
            "ja", "gut", "na gut",
        ),
        tails=("bitte", "jetzt", "danke", "vielen dank", "dann", "für mich", "noch einmal", "nochmal", "sofort"),
        person=(
            "mit einem menschen sprechen", "mit einem menschen reden", "mit jemandem sprechen", "mit jemandem reden",
            "echter mensch",
            "mit einem mitarbeiter sprechen",
        ),
    ),
    corrections=Corrections(
        cues=(
            "eigentlich", "doch lieber", "lieber", "ändere", "ändern", "ändern sie", "sollte sein", "statt",
            "stattdessen", "entschuldigung",
            "sorry", "ich meinte", "meinte", "ich meine", "korrektur", "korrigiere", "korrigieren", "korrigieren sie",
            "vielmehr", "warte",
            "warten sie", "moment", "falsch", "mein fehler", "irrtum", "ich habe mich geirrt", "vertippt", "setze",
            "setzen sie", "mach daraus",
            "machen sie daraus", "machen wir", "muss heißen", "doch nicht",
        ),
        changes=(
            "ändere", "ändern", "ändern sie", "korrigiere", "korrigieren", "korrigieren sie", "setze", "setzen sie",
            "aktualisiere", "bearbeite", "bearbeiten",
        ),
    ),
    offers=Offers(
        accepting=(
            "ok", "okay", "in ordnung", "geht in ordnung", "gut", "sehr gut", "prima", "perfekt", "super", "passt",
            "passt mir", "das passt",
            "einverstanden", "gerne", "gern", "ja gerne", "klingt gut", "das klingt gut", "nehme ich", "ich nehme es",
            "ich nehme das",
            "das nehme ich", "dieses", "das da", "so machen wir es", "machen wir so", "kein problem", "warum nicht",
            "alles klar", "gefällt mir",
            "soll mir recht sein", "von mir aus",
        ),
        wanting=(
            "ich möchte", "möchte", "ich will", "ich hätte gern", "ich hätte gerne", "ich brauche", "wir brauchen",
            "ich wünsche",
        ),
        beside=("für mich", "sehr", "auch", "dann", "ja", "mir", "doch", "wirklich"),
        refusing=(
            "lieber", "stattdessen", "sondern", "andere", "anderen", "anderer", "anderes", "falsch", "ändern",
            "ändere", "warte", "warten sie",
            "doch nicht",
        ),
        picking=("das da", "dieses", "das nehmen", "genau das", "das ist es"),
        pointing=("es", "ist", "das", "nehmen", "nehme"),
    ),
    claims=Claims(
        filed=(
            "eingereicht", "abgeschickt", "abgesendet", "übermittelt", "genehmigt", "freigegeben", "gespeichert",
            "erfasst",
        ),
        saved=("gespeichert",),
        cancelled=("abgebrochen", "storniert"),
        done=(
            "hinzugefügt", "gelöscht", "entfernt", "aktualisiert", "geändert", "erfasst", "gebucht", "gespeichert",
            "eingetragen", "bestätigt",
            "erledigt", "rückgängig gemacht",
        ),
        pending=("bevor", "sobald", "bis", "wenn", "falls", "kann", "können", "wird", "werden", "bereit"),
        denied=("nicht", "kein", "keine", "nichts", "noch nicht"),
        machinery=("werkzeuge?", "tools?", "funktionsaufruf", "systemprompt", "schema"),
        requests=(
            "bestätigen sie", "sagen sie mir", "nennen sie", "geben sie", "teilen sie mir mit", "bestätige", "nenne",
            "sag mir",
        ),
        request_leads=("bitte", "könnten sie", "können sie"),
        joining=(
            "ab aber alles-klar als also am an auch auf aus bei beim bis da dabei dafür damit dann daran darauf",
            "darum das dass davon dazu dein dem den denn der des die dies diese diesem diesen dieser dieses doch",
            "dort du durch ein eine einem einen einer eines er es etwas für ganz gern gerne habe hat hier ich ihm",
            "ihn ihnen ihr ihre ihrem ihren ihrer ihres im in ist ja je jede jeder jedes jemand jetzt kann können",
            "kein keine man mein meine mehr mich mir mit mal nach nein nicht noch nun nur ob oder ohne schon sehr",
            "sein seine sich sie sind so über um und uns unser unsere unter vielleicht viel viele vom von vor",
            "wann war warum was weil welche welchem welchen welcher welches wem wen wenn wer weshalb wie wieso",
            "wir wo wobei wofür woher wohin womit woran worum würde würden zu zum zur zuerst zunächst zwischen",
        ),
        harmless=(
            "danke dank vielen besten herzlichen bitte hallo guten tag morgen-gruß abend willkommen",
            "entschuldigung entschuldigen tut leid verstehe verstanden verständlich klar natürlich",
            "selbstverständlich gern ruhe ruhig zeit eile sorge sorgen keine hilft hilfreich nützlich wichtig",
            "schwer schwierig leicht einfach normal mühsam situation moment mensch menschen wort worte worten",
            "schritt punkt frage fragen antwort antworten nächste nächsten weiter gehen machen kommen sprechen",
            "sagen sagen-sie erzählen nennen beschreiben erklären schreiben wählen klicken drücken lassen nehmen",
            "schauen sehen beispiel einzelheit einzelheiten fall art teil thema heute tage woche monat jahr",
            "arbeit problem passiert geschieht kommt gibt geht zuletzt mal oft manchmal meistens",
        ),
        sure=(
            r"ja(?=\s*[,.!:]|\s*$)",
            r"(?:ich|wir) (?:habe|haben|hab|hatte|hatten|werde|werden|will|wollen) (?!verstanden|eine frage|"
            r"keine antwort)",
            r"(?:habe|haben|hat|wurde|wurden|worden|wird|werden) ",
            r"(?:ist|sind|war|waren|bleibt|steht|liegt|lauft) (?:jetzt |nun |schon |alles |bereits |so |ganz |"
            r"fast )*(?:alles|in ordnung|gut|ok|okay|richtig|fertig|durch|klar|da|drin|an|ge\w+t|ge\w+en|"
            r"ver\w+t|be\w+t|er\w+t|ein\w+t)",
            r"(?:durfen|darf|durfte|konnen|kann|mussen|muss|sollen|sollte|sollten|mochte) (?!sie (?:das |mir |"
            r"es |gern |gerne |auch |bitte )*(?:sagen|beschreiben|erklaren|nennen|erzahlen|antworten|"
            r"schreiben|wahlen)|gern|ich (?:fragen|helfen))",
            r"genehmig\w*|freigegeben|freigabe|frei\b|erlaub\w*|gestatt\w*|bewillig\w*|zugelassen|zulassig",
            r"anspruch|recht auf|abgelehnt|ablehn\w*|akzept\w*|angenommen|garant\w*|versprech\w*",
            r"versicher\w*|sicher|grunes licht|verbot\w*|untersag\w*|pflicht\w*|bestatig\w*|berechtigt\w*",
            r"eingereicht|abgeschickt|gesendet|geschickt|ubermittelt|weitergeleitet|gespeichert|erfasst",
            r"eingetragen|notiert|aufgenommen|registriert|vermerkt|abgeschlossen|beendet|fertig|erledigt",
            r"vollstandig|komplett|abgebrochen|storniert|geloscht|geandert|aktualisiert|korrigiert|gesetzt",
            r"gebucht|hinzugefugt|ausgefullt|hinterlegt|ubernommen|gepruft|kontaktiert|benachrichtigt",
            r"vereinbart",
            r"gesetz\w*|vorschrift\w*|regel\w*|richtlinie\w*|steuer\w*|rechtlich\w*|legal\w*|illegal\w*",
            r"anwalt\w*|frist\w*|ablauf\w*|morgen|ubermorgen|bald|sofort|gleich|umgehend|spatestens",
            r"innerhalb|binnen|in (?:einer|einem|zwei|drei|wenigen|kurze|\d+)\w* \w*|montag|dienstag",
            r"mittwoch|donnerstag|freitag|samstag|sonntag|(?:nachste|diese)[nr]? (?:woche|monat|tage|jahr)",
            r"aktenzeichen|referenz\w*|vorgangsnummer|prozent|euro",
            r"(?:der|die|das|ein|eine|ihr|ihre|unser|unsere|den|dem) (?:chef\w*|team|kolleg\w*|abteilung|bank|"
            r"berater\w*|kund\w*|vorgesetzt\w*|mitarbeiter\w*|mensch|person|firma|amt|prufer\w*)s? (?:hat|"
            r"haben|ist|sind|wird|werden|sagt\w*|meint\w*|will|wollen|pruft\w*|ruft|meldet|weiss|kennt)",
            r"nicht (?:notig|erforderlich|wichtig|mehr)|nichts|niemand|alles|alle|null|halfte|doppelt",
            r"hundert\w*|tausend\w*|million\w*|zwanzig|dreissig|vierzig|funfzig",
            r"(?:gute|guter|gutes|tolle|beste|bessere|schlechte|kurze|lange|schone|kluge)[rsn]? (?:idee|wahl|"
            r"antwort|grund|beispiel|entscheidung|losung|beschreibung)",
            r"empfehl\w*|rate ihnen|besser",
        ),
        personal=(
            r"sie (?:sind|haben|hatten|wollen|arbeiten|verdienen|wohnen|sagten|meinen|schrieben|mochten|"
            r"brauchen|nutzen|wissen|durfen|mussen|scheinen)",
            r"(?:ihr|ihre) \w+ (?:ist|sind|hat|war|wurde|scheint|bleibt|betragt|lautet)",
            r"(?:ich sehe|ich merke|ich lese|ich weiss|mir fallt auf|ich verstehe),? dass",
            r"(?:die antwort|der grund|die beschreibung|das|dies) (?:ist|klingt|scheint|wirkt) (?:etwas |"
            r"ein wenig |sehr |zu |recht |ziemlich )*(?:kurz|vage|lang|knapp|klar|gut|schlecht|einfach|"
            r"wichtig|schwierig|normal)(?! schwierig)",
        ),
        complete=(
            r"das (?:ist|war|ware) alles|letzte[sn]? (?:frage|punkt|schritt|angabe)|nichts mehr",
            r"keine (?:weiteren )?fragen|nur (?:noch )?(?:eine|das|dies)|wir sind (?:durch|am ende)",
        ),
        lacking=(
            r"fehl(?:t|en|end\w*)|brauch\w*|benotig\w*|offen\w*|ausstehend\w*|steht (?:noch )?aus",
            r"unbeantwortet|noch (?:nicht|keine?n?|der|die|das|ihr\w*)|nennen sie|sagen sie mir",
            r"nachste[srn]?|weiter mit|kommen wir|nun zu|jetzt zu\w*|sprechen wir",
        ),
        leading=(
            r"nicht wahr|oder ?\?$|richtig ?\?|wussten sie|warum nicht|wie ware|meinen sie nicht|da sie",
            r"weil sie",
            r"(?:was|wer|wen|wem|welche\w*|wie|wann|wo|warum)\b.*(?:,| und| oder)\s+(?:was|wer|wen|wem|"
            r"welche\w*|wie|wann|wo|warum)\b",
            r"\?.*\?",
        ),
        leads_over=(
            r"(?:frage|fragen) (?:zu|zum|zur|uber)",
        ),
        leaning=(
            "aber", "also", "das", "dies", "dann", "auch", "daher", "deshalb", "und", "oder", "weil", "diese", "dieser", "sonst", "so",
        ),
    ),
    purchases=Purchases(
        each=("je", "zu", "à", "jeweils"),
        edges=(
            "ein", "eine", "einen", "der", "die", "das", "den", "für", "am", "im", "in", "von", "zu", "mein", "meine",
            "und", "ich", "habe",
            "ausgegeben", "bezahlt", "gekauft",
        ),
        naming=("auf", "in", "zu"),
    ),
)  # fmt: skip

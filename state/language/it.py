"""Italian."""

from state.language.language import Claims, Commands, Corrections, Language, Offers, Purchases

LANGUAGE = Language(
    # How the language is written and shown
    code="it",
    example="it-IT",
    elides=True,
    accented=("è", "sì", "né"),
    apostrophe_accents={"e": "è"},
    written_day="dd/MM/y",
    no_tickers=("AIF", "DM", "IVA", "MIB", "NON", "PA", "PER", "SI", "SPA", "SRL", "TFR"),
    # Yes, no, and what makes either uncertain
    yes_label="Sì",
    no_label="No",
    yes=(
        "sì", "si", "yes", "certo", "certamente", "esatto", "giusto", "corretto", "assolutamente sì", "vero",
        "senz'altro", "sicuro", "sissignore", "s",
    ),
    no=(
        "no", "nope", "assolutamente no", "certo che no", "per niente", "affatto", "mai", "falso", "negativo", "n",
        "certamente no",
    ),
    bare_no="no",
    no_negates=False,
    concord=True,
    negators=(
        "non", "nessun", "nessuno", "nessuna", "niente", "nulla", "senza", "né", "neanche", "nemmeno", "mai", "no",
    ),
    be=("è", "sono", "c'è", "ci sono", "si tratta", "sarà"),
    have=("ho", "abbiamo", "possiedo", "detengo", "ha", "acconsento", "autorizzo"),
    subjects=("io", "noi", "lo", "la", "questo", "questa", "esso", "essa", "ciò", "ne", "ce", "li", "le", "il", "ci"),
    links=(
        "un", "uno", "una", "il", "lo", "la", "le", "i", "gli", "l", "dei", "delle", "degli", "di", "alcun", "alcuna",
        "alcuno", "proprio", "davvero", "effettivamente", "anche", "ora", "ne", "più", "a", "da", "si", "tratta", "in",
        "realtà", "d", "del", "della", "con", "mi",
    ),
    acknowledging=(
        "ho capito", "capito", "accetto", "confermo", "d'accordo", "va bene", "ok", "okay", "ho letto", "prendo atto",
        "letto", "compreso", "acconsento", "concordo",
    ),
    doubts=(
        "non so", "non lo so", "non saprei", "non sono sicuro", "non sono sicura", "non sono certo", "non sono certa",
        "nessuna idea", "forse", "magari", "credo", "penso", "probabilmente", "possibilmente", "spero", "dubito",
        "suppongo", "immagino", "mi sembra", "sembra", "pare", "per quanto ne so", "che io sappia", "boh",
        "non proprio", "non esattamente",
    ),
    hedges=(
        "dovrebbe", "potrebbe", "se", "qualora", "ha detto", "dice", "detto", "dicono", "non solo", "quasi", "era",
        "erano", "aveva", "avevo", "fosse", "sarebbe", "sia", "esempio",
    ),
    conditions=("se", "qualora", "nel caso"),
    exceptions=(
        "tranne", "eccetto", "salvo", "a parte", "più di", "ancora", "abbastanza", "solo", "oltre", "anche se", "ma",
        "però", "tuttavia",
    ),
    # What joins clauses and what asks
    conjunctions=("e", "ed", "ma", "però", "tuttavia", "perché", "quindi", "mentre", "anzi", "poi"),
    and_words=("e", "ed"),
    but_words=("ma",),
    or_words=("o", "oppure", "né"),
    question_words=(
        "che cosa", "cosa significa", "cosa vuol", "cosa conta", "cosa sono", "cosa è", "cosa si", "cosa intende",
        "cos'è", "a cosa", "perché", "come", "chi", "quando", "dove", "quale", "quali", "quanto", "spiega", "spiegami",
        "significa", "vuol dire", "mi dica", "puoi", "può", "potrebbe",
    ),
    asking_meaning=(
        "che cosa significa", "cosa significa", "che significa", "cosa vuol dire", "che vuol dire", "cosa intende",
        "cosa si intende", "cosa intendi", "perché lo chiede", "perché lo chiedi", "perché me lo chiede",
        "a cosa serve", "non capisco", "non ho capito", "può spiegare", "spieghi", "spiega", "spiegami", "cos'è",
        "che cos'è", "che cosa conta", "cosa conta", "esempio",
    ),
    # Words around a value: those that add nothing, name it, end it, or make something else of it
    polite=("per favore", "grazie", "prego", "per cortesia", "buongiorno", "salve", "ciao"),
    filler=(
        "per favore", "favore", "per", "grazie", "prego", "vorrei", "voglio", "di", "circa", "più", "meno", "un", "una",
        "uno", "il", "lo", "la", "le", "i", "gli", "l", "è", "sono", "mio", "mia", "con", "in", "alle", "all", "del",
        "della", "ok", "esattamente", "intorno", "a", "ai", "allora", "solo", "da", "e", "totale", "direi", "ore",
    ),
    value_fillers=("ne", "sarebbe", "sarebbero", "facciamo", "fai", "fate", "mettiamo", "metti", "metta", "dica", "diciamo", "direi", "prendo", "guadagno", "percepisco", "ho", "abbiamo", "costa", "costano", "vale", "valgono", "fa", "fanno", "cioè", "ecco", "beh", "mah", "eh", "dunque", "sì", "si", "certo", "va", "bene", "ok", "okay", "esatti", "precisi", "tondi", "giusti", "tutto", "tutti", "tutte", "sarà", "saranno", "comprare", "acquistare", "compro", "mi", "servono", "serve", "bastano", "basta", "posso", "possiamo", "ci", "vediamo", "vedrei", "parto", "partiamo", "partire", "comincio", "cominciare", "inizio", "iniziare", "dal", "dalle", "dai", "al", "agli", "alla", "lei", "signora", "signore", "salve", "buongiorno", "buonasera", "cordiali", "saluti", "nel", "quello", "quella", "che", "ora", "anche", "netto", "fisso",),
    naming=("è", "a", "di", "sono", "ora", "pari", "circa", "al", "alla", "in", "da", "del", "della"),
    breaks=(
        "per", "a", "ad", "con", "su", "perché", "e", "ed", "da", "circa", "ma", "o", "se", "tramite", "oggi", "domani",
        "nel", "nella", "sul", "sulla", "al", "alla", "che", "poi", "quando", "è", "intorno", "mentre", "entro",
        "sotto", "sopra", "dopo", "prima", "ora", "adesso", "fino",
    ),
    articles=(
        "un", "uno", "una", "il", "lo", "la", "le", "i", "gli", "l", "di", "delle", "dei", "della", "del", "dell", "in",
        "mie", "miei", "mia", "mio", "altre", "queste", "queste", "d",
    ),
    units=("azioni", "azione", "titoli", "titolo", "quote", "quota", "unità", "pezzi", "lotti"),
    durations=(
        "anno", "anni", "mese", "mesi", "settimana", "settimane", "giorno", "giorni", "ora", "ore", "minuti", "volte",
        "percento",
    ),
    bounds=(
        "almeno", "al massimo", "al minimo", "fino a", "meno di", "più di", "oltre", "sotto", "sopra", "massimo",
        "minimo", "non più di", "quasi", "sotto i", "sopra i", "oltre i",
    ),
    rejected=("non", "invece di", "anziché", "piuttosto che", "era", "erano", "non più"),
    year_words=("nel", "dal", "del", "anno", "in", "dell", "entro il"),
    each=("l'una", "l'uno", "ciascuna", "ciascuno", "cadauna", "cad", "per azione", "ad azione", "a testa"),
    # Numbers in words, places in a list, and money
    numbers={
        "uno": 1, "una": 1, "un": 1, "due": 2, "tre": 3, "quattro": 4, "cinque": 5, "sei": 6, "sette": 7, "otto": 8,
        "nove": 9, "dieci": 10, "undici": 11, "dodici": 12, "tredici": 13, "quattordici": 14, "quindici": 15,
        "sedici": 16, "diciassette": 17, "diciotto": 18, "diciannove": 19, "venti": 20,
    },
    more_numbers=(
        "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta", "cento", "centinaia",
        "dozzina", "mezzo", "mezza", "virgola",
    ),
    number_words={
        "zero": 0, "uno": 1, "un": 1, "una": 1, "due": 2, "tre": 3, "quattro": 4, "cinque": 5, "sei": 6, "sette": 7,
        "otto": 8, "nove": 9, "dieci": 10, "undici": 11, "dodici": 12, "tredici": 13, "quattordici": 14, "quindici": 15,
        "sedici": 16, "diciassette": 17, "diciotto": 18, "diciannove": 19, "venti": 20, "trenta": 30, "quaranta": 40,
        "cinquanta": 50, "sessanta": 60, "settanta": 70, "ottanta": 80, "novanta": 90,
    },
    scales={
        "cento": 100, "mille": 1000, "mila": 1000, "milione": 10**6, "milioni": 10**6, "miliardo": 10**9,
        "miliardi": 10**9,
    },
    elided_numbers={
        "vent": 20, "trent": 30, "quarant": 40, "cinquant": 50, "sessant": 60, "settant": 70, "ottant": 80,
        "novant": 90, "cent": 100,
    },
    and_after_tens=True,
    number_courtesies=("grazie mille", "mille grazie", "grazie mille volte"),
    fractions={"mezzo": 50, "un mezzo": 50, "un quarto di": 25, "mezza": 50},
    halves_after=("e mezzo", "e mezza"),
    point_words=("virgola",),
    collectives={"dozzina": 12, "una dozzina": 12, "dozzine": 12},
    rough_collectives={
        "un paio": 2, "paio": 2, "una decina": 10, "decina": 10, "una quindicina": 15, "una ventina": 20, "una trentina": 30,
        "una quarantina": 40, "una cinquantina": 50, "una sessantina": 60, "una settantina": 70, "un'ottantina": 80,
        "una novantina": 90, "un centinaio": 100, "centinaio": 100, "un migliaio": 1000, "migliaio": 1000,
    },
    of_many=("di",),
    vague=("qualche", "alcune", "alcuni", "varie", "vari", "poche", "pochi", "parecchie", "tante", "molte"),
    range_words=("a", "ai", "fino"),
    approximations=(
        "circa", "ca", "intorno", "intorno a", "intorno ai", "intorno alle", "attorno a", "attorno ai", "attorno alle", "sui", "sulle", "sugli",
        "sul", "sulla", "più o meno", "suppergiù", "pressappoco", "all'incirca", "quasi", "verso", "verso le", "verso il", "verso la",
        "approssimativamente", "grosso modo", "poco più di", "poco meno di", "un po' più di", "qualcosa come", "tipo", "approx",
        "a occhio", "dalle parti di", "attorno al", "intorno al", "saranno",
    ),
    approximations_after=(
        "circa", "ca", "più o meno", "e qualcosa", "e rotti", "e passa", "o giù di lì", "all'incirca", "grosso modo", "suppergiù",
        "pressappoco", "abbondanti", "scarsi", "o poco più", "o poco meno", "e spicci", "o quasi", "a occhio",
    ),
    qualifiers={
        "al mese": "per month", "mensili": "per month", "mensile": "per month", "ogni mese": "per month",
        "mensilmente": "per month", "all'anno": "per year", "l'anno": "per year", "annui": "per year", "annuo": "per year",
        "annuali": "per year", "annua": "per year", "ogni anno": "per year", "a settimana": "per week",
        "settimanali": "per week", "all'ora": "per hour", "al giorno": "per day", "netti": "tax net", "netto": "tax net",
        "nette": "tax net", "netta": "tax net", "al netto": "tax net", "puliti": "tax net", "in busta": "tax net",
        "lordi": "tax gross", "lordo": "tax gross", "lorde": "tax gross", "al lordo": "tax gross", "lorda": "tax gross",
    },
    ordinals={
        "primo": 1, "prima": 1, "secondo": 2, "seconda": 2, "terzo": 3, "terza": 3, "quarto": 4, "quarta": 4,
        "quinto": 5, "quinta": 5, "sesto": 6, "sesta": 6, "settimo": 7, "settima": 7, "ottavo": 8, "ottava": 8,
        "nono": 9, "nona": 9, "decimo": 10, "decima": 10,
    },
    last=("ultimo", "ultima"),
    option_words=("opzione", "numero", "risultato", "scelta", "risposta"),
    multiples={
        "k": 1000, "cento": 100, "dozzine": 12, "mila": 1000, "mille": 1000, "m": 10**6, "mln": 10**6, "mio": 10**6, "milione": 10**6,
        "milioni": 10**6, "mld": 10**9, "miliardo": 10**9, "miliardi": 10**9,
    },
    currencies={
        "euro": "EUR", "sterlina": "GBP", "sterline": "GBP", "yen": "JPY", "dollaro": "", "dollari": "", "franchi": "",
        "franco": "", "dollari americani": "USD", "dollari usa": "USD",
    },
    money_links=("di",),
    percent=("per cento", "percento"),
    # Days, and stretches of them
    days={"oggi": 0, "ieri": -1, "domani": 1, "dopodomani": 2, "l'altro ieri": -2, "altro ieri": -2, "avantieri": -2},
    coming=("prossimo", "prossima", "questo", "questa", "il prossimo", "la prossima", "che viene"),
    gone=("scorso", "scorsa", "passato", "passata", "lo scorso", "la scorsa"),
    this_week=("di questa settimana", "questa settimana"),
    next_week=("della prossima settimana", "la prossima settimana", "della settimana prossima"),
    this_month=("di questo mese", "del mese", "questo mese"),
    day_leads=("il giorno", "giorno"),
    day_endings=("º", "ª"),
    units_of_days={"giorno": 1, "giorni": 1, "settimana": 7, "settimane": 7},
    ahead_before=("fra", "tra"),
    ago_after=("fa",),
    of_words=("di", "del", "dell", "il", "l"),
    begin_words=("dal", "dalle", "dallo", "dalla", "dai", "dall", "da", "inizio", "inizia", "comincia", "cominciando", "partenza", "partendo", "parto", "partiamo", "a partire dal", "prima notte", "andata", "arrivo", "decorrenza", "primo giorno", "ritiro", "a partire",),
    end_words=("fino al", "fino alle", "fino a", "fino alla", "fine", "finisce", "termine", "termina", "ritorno", "rientro", "torno", "torniamo", "rientro", "rientriamo", "ultimo giorno", "riconsegna", "scadenza", "sino al", "entro", "partiamo via",),
    end_prepositions=("fino al", "fino alle", "fino a", "sino al",),
    between_words=("tra", "fra"),
    to_words=("al", "alle", "a", "all", "ai",),
    direction_links=("il", "giorno", "mattina", "sera", "del", "data", "di", "è", "lo", "la",),
    week_after=("tra una settimana", "fra una settimana", "a otto", "tra 1 settimana", "della settimana dopo"),
    periods={
        "questo mese": "month 0", "mese scorso": "month -1", "lo scorso mese": "month -1", "scorso mese": "month -1",
        "questa settimana": "week 0", "settimana scorsa": "week -1", "scorsa settimana": "week -1",
        "quest'anno": "year 0", "anno scorso": "year -1", "l'anno scorso": "year -1",
    },
    between=("a", "al", "e", "fino a", "fino al"),
    since=("dal", "da", "dall'"),
    # Times of day
    clock24=True,
    noon=("mezzogiorno",),
    midnight=("mezzanotte",),
    hour_parts={"e tre quarti": 45, "e mezza": 30, "e mezzo": 30, "e un quarto": 15, "meno un quarto": -15},
    hour_parts_lead=False,
    minutes_past=("e",),
    minutes_to=("meno",),
    morning=("di mattina", "del mattino", "della mattina"),
    afternoon=("del pomeriggio", "di pomeriggio", "di sera", "della sera"),
    hour_marks=("alle", "all", "ore", "le"),
    commands=Commands(
        orders={
            "cancel": (
                "annulla", "annullare", "annulla tutto", "annulla la richiesta", "annullare la richiesta",
                "annulla richiesta", "cancella", "cancella tutto", "lascia perdere", "lasci perdere", "esci", "ferma",
                "basta",
            ),
            "restart": (
                "ricomincia", "ricominciare", "ricomincia da capo", "ricominciare da capo", "ricominciamo", "da capo",
                "riparti", "ricomincia dall'inizio",
            ),
            "help": (
                "aiuto", "aiutami", "mi aiuti", "ho bisogno di aiuto", "come funziona", "cosa puoi fare",
                "cosa può fare",
            ),
            "missing": (
                "cosa manca", "che cosa manca", "che manca", "quanto manca", "cosa resta", "cos'altro serve",
                "a che punto siamo", "cos'altro",
            ),
            "person": (
                "operatore", "un operatore", "parlare con una persona", "parlare con un operatore",
                "parlare con qualcuno", "parlare con un umano", "voglio una persona", "una persona vera", "consulente",
                "parlare con un consulente", "umano",
            ),
            "undo": ("annulla l'ultima modifica", "annulla modifica", "torna indietro", "ripristina", "come prima"),
            "submit": (
                "invia", "inviare", "invia la richiesta", "invialo", "manda", "mandala", "ho finito", "fatto",
                "è tutto", "procedi con l'invio", "inoltra",
            ),
            "my_requests": (
                "le mie richieste", "mie richieste", "mostra le mie richieste", "le mie pratiche",
                "elenca le mie richieste",
            ),
            "my_data": (
                "i miei dati", "miei dati", "mostra i miei dati", "mi mostri i miei dati", "che dati avete su di me",
                "quali dati avete su di me", "una copia dei miei dati", "copia dei miei dati",
            ),
            "erase": (
                "elimina dati", "elimina i miei dati", "elimini i miei dati", "cancella i miei dati",
                "cancelli i miei dati", "eliminare i miei dati", "cancellare i miei dati", "elimina tutti i miei dati",
            ),
        },
        leads=(
            "per favore", "per cortesia", "posso", "potrei", "può", "puoi", "vorrei", "voglio", "ok", "allora", "scusi",
            "scusa", "salve", "buongiorno", "ciao", "desidero", "adesso", "ora", "sì",
        ),
        tails=("per favore", "per cortesia", "grazie", "adesso", "ora", "subito", "prego"),
        person=(
            "parlare con una persona", "parlare con un operatore", "parlare con qualcuno", "parlare con un umano",
            "una persona vera",
        ),
        slash={"my_data": "/i_miei_dati", "erase": "/elimina_dati", "help": "/aiuto", "person": "/operatore"},
    ),
    corrections=Corrections(
        cues=(
            "in realtà", "anzi", "cambia", "cambi", "cambiare", "correggi", "corregga", "correzione", "modifica",
            "modifichi", "scusi", "scusa", "volevo dire", "intendevo", "invece", "facciamo", "faccia",
            "dovrebbe essere", "deve essere", "mi sono sbagliato", "mi sono sbagliata", "ho sbagliato", "metti",
            "metta", "piuttosto", "aspetti", "aspetta",
        ),
        changes=("cambia", "cambi", "cambiare", "correggi", "corregga", "modifica", "modifichi", "aggiorna", "imposta"),
    ),
    offers=Offers(
        accepting=(
            "ok", "okay", "va bene", "va benissimo", "bene", "benissimo", "perfetto", "ottimo", "certo", "d'accordo",
            "esatto", "giusto", "volentieri", "mi va bene", "per me va bene", "mi piace", "lo prendo", "la prendo",
            "prendo questo", "prendo quello", "questo", "quello", "questa", "quella", "proceda", "procedi",
            "procediamo", "facciamo così", "va bene così", "così", "mi sembra buono", "mi sembra ottimo", "mi sta bene",
            "sta bene", "perfetta", "ottima",
        ),
        wanting=("vorrei", "voglio", "mi serve", "mi servirebbe", "ho bisogno", "vorremmo", "ci serve", "desidero"),
        beside=("per me", "molto", "anche", "allora", "proprio"),
        refusing=(
            "invece", "piuttosto", "altro", "altra", "altri", "altre", "diverso", "diversa", "sbagliato", "cambia",
            "cambi", "aspetta", "aspetti",
        ),
    ),
    claims=Claims(
        filed=("inviat[oaie]", "registrat[oaie]", "salvat[oaie]", "approvat[oaie]"),
        saved=("salvat[oaie]",),
        cancelled=("annullat[oaie]",),
        done=(
            "aggiunt[oaie]", "eliminat[oaie]", "cancellat[oaie]", "aggiornat[oaie]", "registrat[oaie]", "salvat[oaie]",
        ),
        pending=("prima", "quando"),
        denied=("non", "no", "niente"),
    ),
    purchases=Purchases(
        each=("a", "ciascuno", "ciascuna", "cadauno", "l'uno"),
        edges=(
            "il", "lo", "la", "gli", "le", "un", "una", "per", "di", "da", "a", "al", "e", "ho", "speso", "pagato",
            "comprato",
        ),
    ),
)  # fmt: skip

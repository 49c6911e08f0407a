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
    ordinals={
        "primo": 1, "prima": 1, "secondo": 2, "seconda": 2, "terzo": 3, "terza": 3, "quarto": 4, "quarta": 4,
        "quinto": 5, "quinta": 5, "sesto": 6, "sesta": 6, "settimo": 7, "settima": 7, "ottavo": 8, "ottava": 8,
        "nono": 9, "nona": 9, "decimo": 10, "decima": 10,
    },
    last=("ultimo", "ultima"),
    option_words=("opzione", "numero", "risultato", "scelta", "risposta"),
    multiples={
        "k": 1000, "mila": 1000, "mille": 1000, "m": 10**6, "mln": 10**6, "mio": 10**6, "milione": 10**6,
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
    hour_parts={"e mezza": 30, "e mezzo": 30, "e un quarto": 15, "meno un quarto": -15},
    hour_parts_lead=False,
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
        joining=(
            "a ad ai al alla alle allo agli anche ancora anzi appena certo che chi ci ciò come con così cosa cose",
            "cui da dai dal dalla dalle dallo degli dei del della delle dello di dopo dove dunque e ed è era gli",
            "i il in io la le lei lo loro ma me meno mi mia mio molta molte molti molto ne nei nel nella nelle",
            "nello no noi non nostra nostro o oppure ora ogni per però perché più poco poi prima proprio può puo",
            "qual quale quali qualche qualcosa qualcuno qualsiasi quando quanta quante quanti quanto quasi quella",
            "quelle quelli quello quel questa queste questi questo qui quindi sarebbe se sé senza si sì sia solo",
            "sono sotto sopra stessa stesso su sua sue sugli sui sul sulla sulle suo suoi tra fra ho un una uno",
            "va vi vorrei volta volte nessun nessuno nessuna",
        ),
        harmless=(
            "grazie ringrazio ringraziarla ringraziamo prego salve buongiorno buonasera buona giornata sera",
            "mattina benvenuto benvenuta scusi scusa scusarmi mi-scusi dispiace bene bello gentile gentilezza",
            "gentilissim* cortes* volentieri piacere capito capisco comprendo comprensibile compreso chiaro",
            "chiara chiarissimo perfettamente d'accordo accordo naturalmente certamente senz'altro figuri",
            "figurarsi tranquill* calma fretta tempo pure comod* pazienza preoccupi preoccupazione serve aiuto",
            "aiutarla aiuta utile utili utilissimo importante delicat* difficile difficili semplice semplici",
            "facile normale persone situazione situazioni momento trovano trova periodo parola parole passo passi",
            "punto punti alla volta domanda domande risposta risposte riguarda riguardano dettaglio dettagli",
            "prossima prossimo passiamo procediamo proseguiamo continuiamo vediamo parliamo andiamo veniamo",
            "torniamo cominciamo iniziamo avanti insieme adesso breve brevemente dica dirmi raccont* spieg*",
            "indic* scriva scrivere rispond* risponda problema scelga scegliere clicc* tocchi pulsante pulsanti",
            "qui-sotto domanda-successiva usi disposizione resto stia chieda chiedere chiedo dubbi dubbio serena",
            "serenamente sereno precis* esempio forma modo tipo caso parte dato dati cifra numero data tema",
            "argomento",
            "capita succede comune frequente sensibile personale privata privato umano umana fatica faticoso",
            "pesante complicat* spiacevole periodo mille ha detto l d c n faccia avermelo avermi dirmelo attesa",
            "aspettare attimo affrontare vicino brutto oggi giorno giorni mese mesi anno anni",
        ),
        sure=(
            r"si(?=\s*[,.!:]|\s*$)|prend[aio]\w*|giust[oa]",
            r"(?:ho|abbiamo|avevo|hanno|ha|avete|hai) (?!capito|compreso|una domanda|bisogno di capire|dubbi|"
            r"domande)",
            r"(?:rispond|indic|spieg|raccont|scriv|scegli|clicc|aiut|serv|preoccup|conferm|passe|"
            r"precis)\w*(?:era|eranno|ero|eremo|ira|iro|iremo)",
            r"(?:e|sono|era|sia|viene|vengono|va|resta|risulta|sta|stanno|e'|fu|rimane) (?:stat[oaie] |gia |"
            r"ora |adesso |tutto |tutta |quasi |sempre |del tutto |automaticamente |"
            r"ufficialmente )*(?:tutt[oaie]|a posto|in ordine|ok|okay|pront[oaie]|\w+(?:at|it|ut|es|tt|st|"
            r"ns)[oaie]\b(?<!momento)(?<!molto)(?<!tutto)(?<!questo)(?<!difficolta)(?<!testo)(?<!fretta))",
            r"(?:puo|potra|potrebbe|possono|possiamo|posso|puoi|deve|dovra|dovrebbe|devono|bisogna|"
            r"occorre dare|si puo|non puo) (?!rispond\w*|indicar\w*|dir\w*|scriver\w*|sceglier\w*|prender\w*|"
            r"raccontar\w*|chieder\w*|usar\w*|cliccar\w*|continuar\w*|proseguir\w*|anche (?:rispond|scriv|"
            r"dir)\w*|con calma|pure|capitar\w*|succeder\w*|aiutar\w*)",
            r"approv\w*|accett\w*|conced\w*|concess\w*|autorizz\w*|ammess\w*|idone\w*|ammissibil\w*",
            r"diritto|respint\w*|rifiut\w*|negat\w*|garant\w*|promett\w*|promess\w*|assicuro|assicuriamo",
            r"sicur[oaie]|via libera|permess\w*|consentit\w*|vietat\w*|obblig\w*|conferm(?:at|iam|o\b)\w*",
            r"favorevol\w*|esito|spett[ai]\w*",
            r"inviat\w*|inoltrat\w*|registrat\w*|salvat\w*|memorizzat\w*|archiviat\w*|completat\w*",
            r"complet[oaie]|conclus\w*|terminat\w*|finit\w*|chius\w*|annullat\w*|cancellat\w*|eliminat\w*",
            r"modificat\w*|aggiornat\w*|corrett\w*|impostat\w*|inserit\w*|aggiunt\w*|segnat\w*|annotat\w*",
            r"preso nota|presa in carico|caricat\w*|ricevut\w*|trasmess\w*|prenotat\w*|fissat\w*",
            r"contattat\w*|avvisat\w*|verificat\w*|controllat\w*|calcolat\w*|fatt[oaie]",
            r"mess[oaie] (?:in|a|da)|compilat\w*|confermat\w*|preso|presa",
            r"legg[ei]|normativa|regolament\w*|regol[ae]|politic\w*|fiscal\w*|tass[ae]|tribut\w*|detra\w*",
            r"avvocat\w*|legal\w*|illegal\w*|giuridic\w*|scadenz\w*|scad[ea]\w*|entro|domani|dopodomani",
            r"presto|prestissimo|subito|a breve|fra poco|tra poco|stasera|stamattina",
            r"tra (?:un|una|due|tre|qualche|pochi|poche) \w+",
            r"(?:prossim\w+|questa) (?:settimana|mese|giorni|ore|anno)|in giornata",
            r"in (?:un|una|pochi|poche|due|tre|\d+) \w+|al piu tardi|immediatamente|lunedi|martedi",
            r"mercoledi|giovedi|venerdi|sabato|domenica",
            r"rat[ae]|interess[ei] (?:del|al|pari)|tasso|tassi|taeg|tan\b|percent\w*|protocollo|pratica",
            r"codice|riferimento|numero di (?:pratica|conto|protocollo)",
            r"(?:un|il|la|una|i|le|gli|nostro|nostri|suo|sua) (?:consulente|consulenti|collega|colleghi|banca|"
            r"banche|ufficio|direttore|responsabile|moglie|marito|datore|operatore|team|squadra|responsabile|"
            r"inps|finanziaria|clienti|cliente|persona|persone|altri)(?: di lavoro)? (?:ha|hanno|e|sono|"
            r"vuol\w*|dic\w*|chied\w*|sta|stanno|paga|pagano|rived\w*|contatt\w*|richiam\w*|pens\w*|far\w*|fa|"
            r"fanno|conced\w*|legg\w*|ved\w*|lavora\w*|aiut\w*|rispond\w*)",
            r"(?:e|sara) un (?:si|no)",
            r"non (?:serve|servono|occorre|c'e(?! fretta| problema| bisogno)|ci sono(?! problemi)|manca|"
            r"mancano|conta|contano|vale|importa|ha importanza)",
            r"niente|nulla|(?:nessun[oa]?)(?! (?:problema|fretta|dubbio))\b|tutto|tutti i|tutte le|zero",
            r"meta|doppio|cento|mila|(?<!grazie )mille|milion\w*|venti|trenta|quaranta|cinquanta|cento\w*",
            r"(?:buon[oa]?|ottim[oa]|bell[oa]|brutt[oa]|grande|miglior\w*|peggior\w*|breve|lung[oa]) (?:idea|"
            r"scelta|risposta|motiv\w+|esempio|decisione|soluzione|situazione|reddito|stipendio|descrizione)",
            r"conviene|consigli\w*|suggeri\w*|raccomand\w*|dovrebbe|meglio",
        ),
        personal=(
            r"(?:lei|signor\w*|il cliente) (?:e|ha|non|lavora|guadagna|percepisce|vive|deve|puo|vuole|aveva|"
            r"era|risulta|sembra|paga|dice|mi ha|sta|preferisce|riceve|prende|cerca|desidera|chiede|conosce|"
            r"sa)",
            r"(?:il|la|i|le) su(?:o|a|oi|e) \w+ (?:e|sono|ha|non|risulta|sembra|era|va|resta|ammonta|vale|"
            r"basta|manca|serve)",
            r"mi (?:ha|aveva) (?!chiesto)\w+",
            r"ha (?:detto|scritto|indicato|risposto|scelto|dichiarato|confermato|omesso|dimenticato)",
            r"(?:vedo|noto|leggo|capisco|so|sento) (?:che|dal|dalla|dai|dalle) (?!non sia)",
            r"(?:la risposta|il motivo|la descrizione|questo|questa|cio|quanto) (?:e|sembra|risulta|suona|"
            r"appare|era) (?:un po' |un poco |piuttosto |molto |troppo |poco |abbastanza )*(?:breve|vag[oa]|"
            r"cort[oa]|lung[oa]|chiar[oa]|buon[oa]|brutt[oa]|ben\w*|semplice|important\w*|difficil\w*|"
            r"normal\w*|precis\w*|delicat\w*)",
        ),
        complete=(
            r"(?:e|sarebbe) tutto|tutto (?:qui|chiaro|bene|a posto|fatto)",
            r"ultim[oa] (?:domanda|dato|passo|cosa|punto)|nient'altro",
            r"non (?:ho|abbiamo|ci sono) (?:altre|altri|piu)|siamo (?:alla fine|in fondo|arrivati)",
            r"solo (?:questo|questa|una|un)|basta cosi",
        ),
        lacking=(
            r"manca|mancano|mancante|resta|restano|rimane|rimangono|occorr\w*|serv[eo]\w*",
            r"(?:ho|abbiamo|avrei) (?:ancora )?bisogno|mi serve|attendo|aspetto|attendiamo|in sospeso",
            r"non (?:mi )?(?:ha|e) (?:ancora )?(?:detto|indicato|scritto|risposto)|senza risposta",
            r"ancora (?:da|il|la|i|le|un|una)(?! (?:momento|attimo|po'|domanda))\b",
            r"vorrei (?:sapere|conoscere|capire)|mi (?:dica|indichi|scriva|dia|confermi|faccia sapere)",
            r"passiamo|veniamo|parliamo|torniamo|andiamo|prossim[oa](?! domanda)\b|ora (?:il|la|i|le|l)",
            r"adesso (?:il|la|i|le|l)|(?:procediamo|proseguiamo|continuiamo) con(?! calma)\b",
        ),
        leading=(
            r"non (?:e|sarebbe|crede|pensa|le sembra) |giusto ?\?|vero ?\?|no ?\?$|sapeva che|lo sa che",
            r"perche non|che ne (?:dice|pensa)|dat[oa] che|visto che",
            r"(?:che|chi|quale|quali|come|quando|dove|quant\w+)\b.*(?:,| e| o)\s+(?:che|chi|quale|quali|come|"
            r"quando|dove|quant\w+)\b",
            r"\?.*\?",
        ),
        leads_over=(
            r"(?:domanda|domande|parola|parole|cosa|cose) (?:sul|sulla|sullo|sui|sulle|sugli|su|per)",
            r"risposta sul\w*",
        ),
        leaning=(
            "ma", "però", "quindi", "questo", "questa", "ciò", "poi", "anche", "perciò", "e", "o", "perché",
            "che", "queste", "questi", "altrimenti", "così",
        ),
    ),
    purchases=Purchases(
        each=("a", "ciascuno", "ciascuna", "cadauno", "l'uno"),
        edges=(
            "il", "lo", "la", "gli", "le", "un", "una", "per", "di", "da", "a", "al", "e", "ho", "speso", "pagato",
            "comprato",
        ),
    ),
)  # fmt: skip

"""Spanish."""

from state.language.language import Claims, Commands, Corrections, Language, Offers, Purchases

LANGUAGE = Language(
    # How the language is written and shown
    code="es",
    example="es-ES",
    elides=False,
    accented=(
        "sí", "qué", "cómo", "cuál", "cuáles", "cuándo", "dónde", "quién", "cuánto", "cuántos", "está", "están", "él",
    ),
    grouped_from=5,
    written_money="{amount} {symbol}",
    no_tickers=("DNI", "LAS", "LOS", "NIE", "NIF"),
    # Yes, no, and what makes either uncertain
    yes_label="Sí",
    no_label="No",
    yes=(
        "sí", "si", "yes", "claro", "claro que sí", "por supuesto", "desde luego", "correcto", "exacto", "cierto",
        "efectivamente", "verdadero", "así es", "s",
    ),
    no=(
        "no", "nope", "para nada", "en absoluto", "claro que no", "por supuesto que no", "desde luego que no", "nunca",
        "falso", "n", "nada",
    ),
    bare_no="no",
    no_negates=True,
    concord=True,
    negators=("no", "ningún", "ninguno", "ninguna", "nada", "nunca", "sin", "ni", "tampoco", "nadie", "jamás"),
    be=("es", "son", "soy", "hay", "será", "está", "están", "se trata"),
    have=("tengo", "tenemos", "poseo", "tiene"),
    subjects=("yo", "nosotros", "lo", "la", "esto", "este", "esta", "ello", "eso", "los", "las", "el"),
    links=(
        "un", "una", "unos", "unas", "el", "la", "lo", "los", "las", "de", "del", "algún", "alguna", "ninguna",
        "realmente", "también", "ahora", "ya", "se", "trata", "en", "realidad", "con", "mi", "a", "más",
    ),
    acknowledging=(
        "entendido", "entiendo", "acepto", "confirmo", "de acuerdo", "vale", "ok", "okay", "lo he leído", "leído",
        "conforme", "comprendido", "comprendo", "doy mi consentimiento",
    ),
    doubts=(
        "no sé", "no lo sé", "no estoy seguro", "no estoy segura", "ni idea", "quizás", "quizá", "tal vez",
        "a lo mejor", "creo", "pienso", "probablemente", "posiblemente", "espero", "dudo", "supongo", "imagino",
        "parece", "que yo sepa", "por lo que sé", "no exactamente", "no realmente",
    ),
    hedges=(
        "debería", "podría", "si", "dijo", "dice", "dicen", "dicho", "no solo", "casi", "era", "eran", "fue", "tenía",
        "había", "sería", "sea", "ejemplo", "según",
    ),
    conditions=("si", "en caso de", "por si"),
    exceptions=(
        "excepto", "salvo", "aparte", "más de", "todavía", "aún", "bastante", "solo", "menos", "aunque", "pero", "sino",
        "sin embargo",
    ),
    # What joins clauses and what asks
    conjunctions=("y", "e", "pero", "sino", "sin embargo", "aunque", "porque", "así que", "mientras", "luego"),
    and_words=("y", "e"),
    but_words=("pero",),
    or_words=("o", "u", "ni"),
    question_words=(
        "qué", "cuál", "cuáles", "cómo", "quién", "cuándo", "dónde", "cuánto", "cuántos", "explica", "explícame",
        "significa", "quiere decir", "puedes", "puede", "dime",
    ),
    asking_meaning=(
        "qué significa", "que significa", "qué quiere decir", "qué es eso", "qué es esto", "a qué te refieres",
        "a qué se refiere", "por qué lo preguntas", "por qué lo pregunta", "por qué preguntas", "para qué sirve",
        "no entiendo", "no lo entiendo", "puede explicar", "puedes explicar", "explica", "explique", "explícame",
        "qué cuenta", "ejemplo",
    ),
    # Words around a value: those that add nothing, name it, end it, or make something else of it
    polite=("por favor", "gracias", "hola", "buenos días"),
    filler=(
        "por favor", "por", "favor", "gracias", "quiero", "quisiera", "querría", "me", "gustaría", "de", "unos", "unas",
        "aproximadamente", "alrededor", "cerca", "un", "una", "el", "la", "lo", "los", "las", "es", "son", "mi", "con",
        "en", "a", "al", "para", "del", "ok", "vale", "exactamente", "serían", "sería", "pues", "total", "y", "más",
        "menos", "o",
    ),
    value_fillers=("sería", "serían", "ponga", "pon", "ponme", "póngame", "digamos", "diría", "cobro", "gano", "percibo", "tengo", "tenemos", "cuesta", "cuestan", "vale", "valen", "hace", "bueno", "pues", "sí", "si", "claro", "ok", "okay", "justo", "justos", "exactos", "todo", "todas", "todos", "comprar", "compro", "necesito", "hacen", "falta", "puedo", "podemos", "nos", "vemos", "empiezo", "empezar", "empezaría", "desde", "partir", "mismo", "eso", "que", "se", "hola", "buenas", "buenos", "días", "tardes", "saludos", "señor", "señora", "mí", "bien", "estaría", "viene", "vendría", "será", "serán", "está", "dame", "deme", "quedamos", "este", "esta", "serian",),
    naming=("es", "a", "de", "son", "ahora", "unos", "unas", "en", "del", "al", "la", "el"),
    breaks=(
        "por", "para", "a", "con", "en", "porque", "y", "e", "desde", "unos", "unas", "pero", "o", "si", "hoy",
        "mañana", "que", "luego", "cuando", "es", "mediante", "sobre", "hasta", "alrededor", "aproximadamente",
        "mientras", "tras", "antes", "después", "ahora", "al",
    ),
    articles=(
        "un", "una", "el", "la", "los", "las", "de", "del", "mis", "mi", "más", "otras", "otros", "estas", "estos",
        "unas", "unos", "en",
    ),
    units=(
        "acciones", "acción", "títulos", "título", "participaciones", "participación", "unidades", "unidad", "piezas",
        "lotes",
    ),
    durations=("año", "años", "mes", "meses", "semana", "semanas", "día", "días", "hora", "horas", "minutos", "veces"),
    bounds=(
        "al menos", "como máximo", "como mínimo", "hasta", "menos de", "más de", "por debajo de", "por encima de",
        "máximo", "mínimo", "no más de", "casi", "por lo menos",
    ),
    rejected=("no", "en lugar de", "en vez de", "era", "eran", "sino", "ya no"),
    year_words=("en", "desde", "del", "de", "año", "hasta"),
    each=("cada una", "cada uno", "por acción", "por título"),
    # Numbers in words, places in a list, and money
    numbers={
        "uno": 1, "una": 1, "un": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8,
        "nueve": 9, "diez": 10, "once": 11, "doce": 12, "trece": 13, "catorce": 14, "quince": 15, "dieciséis": 16,
        "diecisiete": 17, "dieciocho": 18, "diecinueve": 19, "veinte": 20,
    },
    more_numbers=(
        "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa", "cien", "ciento", "cientos",
        "doscientas", "doscientos", "trescientas", "trescientos", "quinientas", "quinientos", "docena", "medio",
        "media", "coma",
    ),
    number_words={
        "cero": 0, "uno": 1, "un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7,
        "ocho": 8, "nueve": 9, "diez": 10, "once": 11, "doce": 12, "trece": 13, "catorce": 14, "quince": 15,
        "dieciséis": 16, "diecisiete": 17, "dieciocho": 18, "diecinueve": 19, "veinte": 20, "veintiuno": 21,
        "veintiún": 21, "veintiuna": 21, "veintidós": 22, "veintitrés": 23, "veinticuatro": 24, "veinticinco": 25,
        "veintiséis": 26, "veintisiete": 27, "veintiocho": 28, "veintinueve": 29, "treinta": 30, "cuarenta": 40,
        "cincuenta": 50, "sesenta": 60, "setenta": 70, "ochenta": 80, "noventa": 90, "cien": 100, "ciento": 100,
        "doscientos": 200, "doscientas": 200, "trescientos": 300, "trescientas": 300, "cuatrocientos": 400,
        "cuatrocientas": 400, "quinientos": 500, "quinientas": 500, "seiscientos": 600, "seiscientas": 600,
        "setecientos": 700, "setecientas": 700, "ochocientos": 800, "ochocientas": 800, "novecientos": 900,
        "novecientas": 900,
    },
    scales={"mil": 1000, "millón": 10**6, "millones": 10**6},
    and_after_tens=True,
    number_courtesies=("mil gracias", "un millón de gracias"),
    fractions={"medio": 50, "media": 50, "un cuarto de": 25},
    halves_after=("y medio", "y media"),
    point_words=("coma",),
    collectives={"docena": 12, "una docena": 12, "docenas": 12},
    rough_collectives={
        "un par": 2, "par": 2, "una decena": 10, "una quincena": 15, "una veintena": 20, "una treintena": 30,
        "un centenar": 100, "centenar": 100, "un millar": 1000, "millar": 1000,
    },
    of_many=("de",),
    vague=("algunas", "algunos", "varias", "varios", "pocas", "pocos", "muchas", "muchos", "cuantas", "cuantos"),
    range_words=("a", "al", "hasta"),
    approximations=(
        "unos", "unas", "aproximadamente", "alrededor de", "cerca de", "más o menos", "casi", "sobre", "sobre las", "sobre el", "hacia",
        "hacia el", "hacia las", "como", "en torno a", "aprox", "a eso de", "a eso de las", "tirando a", "rondando", "rondará", "poco más de",
        "poco menos de", "circa", "ca", "aproximado", "en torno al", "serán", "tipo",
    ),
    approximations_after=(
        "más o menos", "aproximadamente", "aprox", "y pico", "y tantos", "y tantas", "o así", "o por ahí", "por ahí", "o menos",
        "largos", "y algo", "o una cosa así", "arriba o abajo", "o cosa así", "escasos", "o asi",
    ),
    qualifiers={
        "al mes": "per month", "mensuales": "per month", "mensual": "per month", "cada mes": "per month",
        "por mes": "per month", "al año": "per year", "anuales": "per year", "anual": "per year", "por año": "per year",
        "cada año": "per year", "a la semana": "per week", "semanales": "per week", "por hora": "per hour",
        "la hora": "per hour", "al día": "per day", "diarios": "per day", "netos": "tax net", "neto": "tax net",
        "netas": "tax net", "limpios": "tax net", "brutos": "tax gross", "bruto": "tax gross", "brutas": "tax gross",
    },
    ordinals={
        "primero": 1, "primera": 1, "primer": 1, "segundo": 2, "segunda": 2, "tercero": 3, "tercera": 3, "tercer": 3,
        "cuarto": 4, "cuarta": 4, "quinto": 5, "quinta": 5, "sexto": 6, "sexta": 6, "séptimo": 7, "séptima": 7,
        "octavo": 8, "octava": 8, "noveno": 9, "novena": 9, "décimo": 10, "décima": 10,
    },
    last=("último", "última"),
    option_words=("opción", "número", "resultado", "respuesta"),
    multiples={"k": 1000, "docenas": 12, "mil": 1000, "m": 10**6, "millón": 10**6, "millones": 10**6, "mill": 10**6, "mln": 10**6},
    currencies={
        "euro": "EUR", "euros": "EUR", "libra": "GBP", "libras": "GBP", "libras esterlinas": "GBP", "yen": "JPY",
        "yenes": "JPY", "dólar": "", "dólares": "", "francos": "", "franco": "", "dólares americanos": "USD",
    },
    money_links=("de",),
    percent=("por ciento", "porciento"),
    # Days, and stretches of them
    days={"hoy": 0, "hoy mismo": 0, "ayer": -1, "mañana": 1, "pasado mañana": 2, "anteayer": -2, "antes de ayer": -2},
    not_days=("por la mañana", "de la mañana", "esta mañana", "la mañana", "las mañanas"),
    no_slips=("vienes", "sabemos", "viene"),
    coming=("próximo", "el próximo", "el proximo", "este", "que viene"),
    gone=("pasado", "el pasado"),
    this_week=("de esta semana", "esta semana"),
    next_week=("de la próxima semana", "la próxima semana", "de la semana que viene", "la semana que viene"),
    this_month=("de este mes", "este mes"),
    day_leads=("el día", "día"),
    day_endings=("º", "ª"),
    units_of_days={"día": 1, "días": 1, "semana": 7, "semanas": 7},
    ahead_before=("dentro de", "en"),
    ago_before=("hace",),
    ago_after=("atrás",),
    months={"sep": 9, "set": 9},
    of_words=("de", "del", "el"),
    begin_words=("desde", "desde el", "del", "inicio", "empieza", "empezando", "empezar", "comienzo", "comienza", "salida", "saliendo", "salgo", "salimos", "me voy", "a partir del", "a partir", "ida", "llegada", "primer día", "recogida", "entrada",),
    end_words=("hasta", "hasta el", "fin", "final", "termina", "terminando", "acaba", "vuelta", "vuelvo", "volvemos", "regreso", "regresamos", "volviendo", "último día", "devolución", "vencimiento",),
    end_prepositions=("hasta", "hasta el",),
    between_words=("entre",),
    to_words=("al", "a", "a las",),
    direction_links=("el", "día", "la", "mañana", "tarde", "de", "fecha", "es", "las",),
    week_after=("en una semana", "dentro de una semana", "de la semana siguiente"),
    periods={
        "este mes": "month 0", "mes pasado": "month -1", "el pasado mes": "month -1", "esta semana": "week 0",
        "semana pasada": "week -1", "este año": "year 0", "año pasado": "year -1",
    },
    between=("a", "al", "hasta", "y", "hasta el"),
    since=("desde", "desde el", "del", "de"),
    # Times of day
    clock24=True,
    noon=("mediodía",),
    midnight=("medianoche",),
    hour_parts={"y media": 30, "y cuarto": 15, "menos cuarto": -15},
    hour_parts_lead=False,
    minutes_past=("y", "con"),
    minutes_to=("menos",),
    morning=("de la mañana",),
    afternoon=("de la tarde", "de la noche", "por la tarde"),
    hour_marks=("a las", "las", "a la"),
    commands=Commands(
        orders={
            "cancel": (
                "cancelar", "cancela", "cancélalo", "cancelar la solicitud", "cancela la solicitud",
                "cancelar el expediente", "anular", "anula", "olvídalo", "déjalo", "salir", "parar",
            ),
            "restart": (
                "empezar de nuevo", "empieza de nuevo", "volver a empezar", "empezar otra vez", "reiniciar", "reinicia",
                "desde el principio", "comenzar de nuevo",
            ),
            "help": ("ayuda", "ayúdame", "necesito ayuda", "cómo funciona", "cómo funciona esto", "qué puedes hacer"),
            "missing": (
                "qué falta", "que falta", "qué me falta", "cuánto falta", "qué queda", "qué más necesitas",
                "qué más falta", "por dónde íbamos",
            ),
            "person": (
                "hablar con una persona", "hablar con alguien", "hablar con un humano", "hablar con un agente",
                "hablar con un operador", "quiero una persona", "una persona real", "operador", "humano", "un humano",
            ),
            "undo": (
                "deshacer", "deshaz", "deshazlo", "deshacer el último cambio", "vuelve atrás", "volver atrás",
                "como antes",
            ),
            "submit": (
                "enviar", "envía", "envíalo", "enviar la solicitud", "envía la solicitud", "mándalo", "he terminado",
                "ya está", "listo", "terminar", "finalizar", "eso es todo",
            ),
            "my_requests": (
                "mis solicitudes", "mostrar mis solicitudes", "muestra mis solicitudes", "ver mis solicitudes",
                "mis expedientes",
            ),
            "my_data": (
                "mis datos", "mostrar mis datos", "muéstreme mis datos", "qué datos tiene de mí",
                "qué datos tienen de mí", "una copia de mis datos", "copia de mis datos",
            ),
            "erase": (
                "elimina mis datos", "elimine mis datos", "eliminar mis datos", "borra mis datos", "borre mis datos",
                "borrar mis datos", "elimine todos mis datos", "borre todos mis datos",
            ),
        },
        leads=(
            "por favor", "puedo", "podría", "puedes", "quiero", "quisiera", "me gustaría", "necesito", "ok", "vale",
            "bueno", "perdón", "hola", "ahora", "sí",
        ),
        tails=("por favor", "gracias", "ahora", "ya"),
        person=(
            "hablar con una persona", "hablar con alguien", "hablar con un humano", "hablar con un agente",
            "hablar con un operador", "una persona real",
        ),
        slash={"my_data": "/mis_datos", "erase": "/elimina_mis_datos", "help": "/ayuda", "person": "/operador"},
    ),
    corrections=Corrections(
        cues=(
            "en realidad", "mejor", "cambia", "cambie", "cambiar", "corrige", "corrija", "corrección", "perdón",
            "perdona", "quise decir", "quería decir", "debería ser", "deberían ser", "tiene que ser", "que sean", "pon",
            "ponga", "me equivoqué", "me he equivocado", "modifica", "modifique", "espera", "espere", "más bien",
        ),
        changes=(
            "cambia", "cambie", "cambiar", "corrige", "corrija", "modifica", "modifique", "actualiza", "pon", "ponga",
        ),
    ),
    offers=Offers(
        accepting=(
            "ok", "okay", "vale", "de acuerdo", "bien", "muy bien", "está bien", "me parece bien", "perfecto",
            "perfecta", "genial", "estupendo", "excelente", "exacto", "correcto", "claro", "me gusta", "lo tomo",
            "la tomo", "me lo quedo", "me la quedo", "me quedo con ese", "ese", "ese mismo", "esa", "esa misma", "este",
            "esta", "adelante", "hazlo", "hágalo", "me sirve", "me viene bien", "me va bien", "suena bien",
        ),
        wanting=("quiero", "quisiera", "necesito", "me gustaría", "queremos", "necesitamos", "deseo", "póngame"),
        beside=("para mí", "muy", "también", "entonces", "así"),
        refusing=(
            "en vez", "en lugar", "más bien", "otro", "otra", "otros", "otras", "diferente", "distinto", "distinta",
            "equivocado", "cambia", "cambie", "espera", "espere",
        ),
    ),
    claims=Claims(
        filed=(
            "enviad[oa]s?", "guardad[oa]s?", "registrad[oa]s?", "aprobad[oa]s?", "finalizad[oa]s?", "guard[éo]",
            "envié", "registré",
        ),
        saved=("guardad[oa]s?", "guard[éo]"),
        cancelled=("cancelad[oa]s?", "cancelé"),
        done=("añadid[oa]s?", "borrad[oa]s?", "eliminad[oa]s?", "actualizad[oa]s?", "registrad[oa]s?", "guardad[oa]s?"),
        pending=("antes", "cuando", "al pulsar"),
        denied=("no", "nada"),
    ),
    purchases=Purchases(
        each=("a", "cada uno"),
        edges=("el", "la", "los", "las", "un", "una", "por", "en", "de", "del", "a", "y", "he", "gastado", "pagado"),
    ),
)  # fmt: skip

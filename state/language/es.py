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
    ordinals={
        "primero": 1, "primera": 1, "primer": 1, "segundo": 2, "segunda": 2, "tercero": 3, "tercera": 3, "tercer": 3,
        "cuarto": 4, "cuarta": 4, "quinto": 5, "quinta": 5, "sexto": 6, "sexta": 6, "séptimo": 7, "séptima": 7,
        "octavo": 8, "octava": 8, "noveno": 9, "novena": 9, "décimo": 10, "décima": 10,
    },
    last=("último", "última"),
    option_words=("opción", "número", "resultado", "respuesta"),
    multiples={"k": 1000, "mil": 1000, "m": 10**6, "millón": 10**6, "millones": 10**6, "mill": 10**6, "mln": 10**6},
    currencies={
        "euro": "EUR", "euros": "EUR", "libra": "GBP", "libras": "GBP", "libras esterlinas": "GBP", "yen": "JPY",
        "yenes": "JPY", "dólar": "", "dólares": "", "francos": "", "franco": "", "dólares americanos": "USD",
    },
    money_links=("de",),
    percent=("por ciento", "porciento"),
    # Days, and stretches of them
    days={"hoy": 0, "ayer": -1, "mañana": 1, "pasado mañana": 2, "anteayer": -2, "antes de ayer": -2},
    not_days=("por la mañana", "de la mañana", "esta mañana", "la mañana", "las mañanas"),
    coming=("próximo", "el próximo", "este", "que viene"),
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
        joining=(
            "a al algo alguien algún alguna algunas algunos antes aquí así aún bien cada como cómo con cosa cosas",
            "cual cuál cuales cuáles cuando cuándo cuánta cuántas cuánto cuántos de del desde después donde dónde",
            "e el él ella ellas ellos en entonces era es esa ese eso esas esos esta está estas este esto estos ha",
            "hace hacia hasta hay la las le les lo los luego mas más me mi mis misma mismo mucha muchas mucho",
            "muchos muy nada ni no nos nosotros o otra otras otro otros para pero poco por porque pues que qué",
            "quien quién se ser si sí sido sin sobre solo sólo son su sus también tan tanto te toda-vía un una",
            "unas uno unos usted ustedes va vez veces y ya yo",
        ),
        harmless=(
            "gracias agradezco agradecid* hola buenos buenas días tardes noches bienvenid* perdón perdone",
            "disculpe siento lamento encantad* gusto amable favor claro entiendo entendido comprendo comprendido",
            "comprensible vale acuerdo perfectamente naturalmente desde-luego tranquil* calma prisa tiempo tómese",
            "despreocúpese preocupe ayuda ayudarle útil útiles fácil difícil difíciles sencill* normal importante",
            "delicad* situación momento persona personas palabra palabras paso pasos punto puntos pregunta",
            "preguntas respuesta respuestas siguiente sigamos seguimos vamos veamos hablemos pasemos empecemos",
            "empezamos adelante juntos ahora breve brevemente diga dígame cuente cuénteme explique explíqueme",
            "indique indíqueme escriba responda responder conteste elija pulse describa ejemplo detalle detalles",
            "duda dudas pasa ocurre sucede suele suelen problema caso forma manera tipo parte dato datos número",
            "tema documento vehículo hoy día semana mes año trabajo pesado cansado",
        ),
        sure=(
            r"si(?=\s*[,.!:]|\s*$)",
            r"(?:he|hemos|ha|han|habia|hube|hice|hicimos|hizo|puse|puso|envie|guarde|registre|anote|cambie|"
            r"cancele|complete|confirme) (?!entendido|comprendido|una pregunta)",
            r"(?:envie|guarde|registre|anote|cambie|cancele|complete|confirme|envio|guardo|aprobo|acepto)\b",
            r"(?:voy|va|vamos|van) a (?!preguntar|ver|seguir|empezar)",
            r"(?:esta|estan|queda|quedan|queda|fue|fueron|es|son|era|sea|ha sido|va|sale|sigue) (?:ya |todo |"
            r"ahora |casi |muy |del todo |automaticamente )*(?:todo|listo|lista|list[oa]s|en orden|bien|ok|"
            r"correct\w*|conforme|\w+(?:ad|id|it|rt|st|ch)[oa]s?\b(?<!muchos)(?<!mucho)(?<!punto))",
            r"(?:puede|podra|podria|pueden|podemos|puedo|debe|debera|deberia|deben|tiene que|hay que|se puede|"
            r"no puede) (?!responder|decir\w*|escribir\w*|contestar\w*|elegir|indicar\w*|contar\w*|tomar\w*|"
            r"preguntar\w*|usar|pulsar|describir\w*|seguir|con calma|ayudar\w*|explicar\w*)",
            r"aprob\w*|acept\w*|autoriz\w*|permit\w*|permis\w*|conced\w*|derecho|rechaz\w*|deneg\w*",
            r"garanti\w*|promet\w*|promes\w*|asegur\w*|seguro|segura|luz verde|prohib\w*|oblig\w*",
            r"confirm\w*|valid\w*|apto|apta|homologad\w*|legaliz\w*",
            r"enviad\w*|mandad\w*|remitid\w*|registrad\w*|guardad\w*|archivad\w*|completad\w*",
            r"complet[oa]s?|terminad\w*|finalizad\w*|acabad\w*|cerrad\w*|cancelad\w*|borrad\w*|eliminad\w*",
            r"cambiad\w*|actualizad\w*|corregid\w*|anotad\w*|apuntad\w*|anadid\w*|recibid\w*|tramitad\w*",
            r"presentad\w*|puest[oa]s?|hech[oa]s?|list[oa]s?|rellenad\w*|reservad\w*|avisad\w*",
            r"comprobad\w*|revisad\w*",
            r"ley|leyes|normativa|norma|normas|reglament\w*|reglas?|politica\w*|fiscal\w*|impuest\w*",
            r"legal\w*|ilegal\w*|abogad\w*|multa\w*|plazo\w*|venc\w*|caduc\w*|manana|pasado manana|pronto",
            r"enseguida|en breve|inmediat\w*|antes del?|lunes|martes|miercoles|jueves|viernes|sabado",
            r"domingo|en (?:un|una|unos|unas|dos|tres|pocos|pocas|\d+) \w+|dentro de",
            r"esta (?:semana|tarde|noche)|proxim\w+ (?:semana|mes|dias|ano)",
            r"referencia|expediente numero|numero de|precio|cuesta|euros?|iva|por ?ciento|descuento",
            r"(?:el|la|un|una|los|las|su|nuestro|nuestra) (?:tecnico|equipo|taller|itv|persona|gestor|jefe|"
            r"jefa|companero|companera|banco|cliente|clientes|inspector|ingeniero|empresa)s? (?:ha|han|es|"
            r"esta|estan|dice\w*|dijo|va|van|lo|la|le|revis\w*|contact\w*|llam\w*|mira\w*|quiere\w*|pide\w*|"
            r"sabe\w*)",
            r"no (?:hace falta|falta|hay|necesita|importa|cuenta|cuentan|es necesari\w*)|nada mas|nadie",
            r"ningun\w*|todo|todos los|todas las|cero|mitad|doble|cien\w*|mil|millon\w*|veinte|treinta",
            r"cuarenta|cincuenta",
            r"(?:buen[oa]?|gran|mejor|peor|mal[oa]?|bonit[oa]|excelente) (?:idea|eleccion|respuesta|motivo|"
            r"ejemplo|decision|solucion|descripcion)",
            r"conviene|aconsej\w*|recomiend\w*|sugier\w*|mejor",
        ),
        personal=(
            r"(?:usted|ud) (?:es|ha|no|tiene|trabaja|quiere|dijo|puede|debe|esta|vive|parece|prefiere|necesita)",
            r"su \w+ (?:es|esta|ha|no|era|parece|queda|vale|son)|me (?:ha|habia|dijo|dio|conto|indico) \w*",
            r"(?:veo|noto|leo|se|entiendo|observo) que",
            r"ha (?:dicho|escrito|indicado|respondido|elegido|olvidado)",
            r"(?:la respuesta|el motivo|la descripcion|esto|eso) (?:es|parece|suena|resulta) (?:un poco |"
            r"algo |muy |demasiado |bastante |poco )*(?:breve|vag[oa]|cort[oa]|larg[oa]|clar[oa]|buen[oa]|"
            r"mal[oa]|bien|sencill[oa]|importante|dificil|normal)",
        ),
        complete=(
            r"(?:es|seria) todo|eso es todo|ultim[oa] (?:pregunta|dato|paso|cosa|punto)|nada mas",
            r"no (?:hay|quedan|tengo) mas|solo (?:esto|queda|falta|una|un)|hemos (?:terminado|acabado)",
        ),
        lacking=(
            r"falta\w*|queda\w*|hace falta|necesit\w*|pendiente\w*|sin respond\w*|todavia no|aun no",
            r"me (?:diga|indique|falta)|(?:digame|indiqueme|cuenteme|escribame)|siguiente|sigamos con",
            r"pasemos a|hablemos de|vamos con|ahora (?:el|la|los|las|su|con)",
        ),
        leading=(
            r"no (?:cree|le parece|seria|es) |verdad ?\?|no ?\?$|sabia que|por que no|que le parece|ya que",
            r"dado que",
            r"(?:que|quien|cual|como|cuando|donde|cuant\w+)\b.*(?:,| y| o)\s+(?:que|quien|cual|como|cuando|"
            r"donde|cuant\w+)\b",
            r"\?.*\?",
        ),
        leads_over=(
            r"(?:pregunta|preguntas|cosa) (?:sobre|del|de la)",
        ),
        leaning=(
            "pero", "entonces", "esto", "eso", "esta", "así", "también", "luego", "y", "o", "porque", "que", "estas", "estos", "además", "si",
        ),
    ),
    purchases=Purchases(
        each=("a", "cada uno"),
        edges=("el", "la", "los", "las", "un", "una", "por", "en", "de", "del", "a", "y", "he", "gastado", "pagado"),
    ),
)  # fmt: skip

"""Spanish orders, corrections and questions."""

from state.understanding.speech.speech import Speech

SPANISH = Speech(
    orders={
        "cancel": (
            "cancelar", "cancela", "cancélalo", "cancelar la solicitud", "cancela la solicitud",
            "cancelar el expediente", "anular", "anula", "olvídalo", "déjalo", "salir", "parar",
        ),
        "restart": (
            "empezar de nuevo", "empieza de nuevo", "volver a empezar", "empezar otra vez", "reiniciar", "reinicia",
            "desde el principio", "comenzar de nuevo",
        ),
        "help": (
            "ayuda", "ayúdame", "necesito ayuda", "cómo funciona", "cómo funciona esto", "qué puedes hacer",
        ),
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
            "mis datos", "mostrar mis datos", "muéstreme mis datos", "qué datos tiene de mí", "qué datos tienen de mí",
            "una copia de mis datos", "copia de mis datos",
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
    cues=(
        "en realidad", "mejor", "cambia", "cambie", "cambiar", "corrige", "corrija", "corrección", "perdón",
        "perdona", "quise decir", "quería decir", "debería ser", "deberían ser", "tiene que ser", "que sean", "pon",
        "ponga", "me equivoqué", "me he equivocado", "modifica", "modifique", "espera", "espere", "más bien",
    ),
    changes=(
        "cambia", "cambie", "cambiar", "corrige", "corrija", "modifica", "modifique", "actualiza", "pon", "ponga",
    ),
    meaning=(
        "qué significa", "que significa", "qué quiere decir", "qué es eso", "qué es esto", "a qué te refieres",
        "a qué se refiere", "por qué lo preguntas", "por qué lo pregunta", "por qué preguntas", "para qué sirve",
        "no entiendo", "no lo entiendo", "puede explicar", "puedes explicar", "explica", "explique", "explícame",
        "qué cuenta", "ejemplo",
    ),
    accepting=(
        "ok", "okay", "vale", "de acuerdo", "bien", "muy bien", "está bien", "me parece bien", "perfecto",
        "perfecta", "genial", "estupendo", "excelente", "exacto", "correcto", "claro", "me gusta", "lo tomo",
        "la tomo", "me lo quedo", "me la quedo", "me quedo con ese", "ese", "ese mismo", "esa", "esa misma",
        "este", "esta", "adelante", "hazlo", "hágalo", "me sirve", "me viene bien", "me va bien", "suena bien",
    ),
    wanting=("quiero", "quisiera", "necesito", "me gustaría", "queremos", "necesitamos", "deseo", "póngame"),
    beside=(
        "para mí", "muy", "también", "entonces", "así",
    ),
    refusing=(
        "en vez", "en lugar", "más bien", "otro", "otra", "otros", "otras", "diferente", "distinto", "distinta",
        "equivocado", "cambia", "cambie", "espera", "espere",
    ),
)  # fmt: skip

"""English orders, corrections and questions."""

from state.understanding.speech.speech import Speech

ENGLISH = Speech(
    orders={
        "cancel": (
            "cancel", "cancel it", "cancel this", "cancel that", "cancel request", "cancel my request",
            "cancel the request", "cancel this request", "abort", "stop", "quit", "exit", "forget it", "never mind",
            "nevermind", "discard it", "discard this", "withdraw it",
        ),
        "restart": (
            "start over", "start again", "restart", "start from scratch", "begin again", "reset", "start anew",
            "start fresh", "from the beginning", "start from the beginning",
        ),
        "help": (
            "help", "help me", "what can you do", "how does this work", "what can i do", "i need help", "commands",
            "how do i use this",
        ),
        "missing": (
            "what's missing", "whats missing", "what is missing", "missing", "what's left", "whats left",
            "what is left", "what else", "what else do you need", "what do you need", "what do you still need",
            "how much is left", "how much longer", "show what's missing", "what remains", "where are we",
            "where was i", "where were we", "progress", "status",
        ),
        "person": (
            "talk to a person", "speak to a person", "talk to a human", "speak to a human", "talk to someone",
            "speak to someone", "speak with someone", "speak with a person", "speak with a human",
            "talk with a person", "a real person", "real person", "human", "human please", "operator",
            "agent please", "talk to compliance", "speak to compliance", "contact compliance", "hand me over",
            "i want a person", "i want a human", "call a person", "get me a human", "get me a person",
        ),
        "undo": (
            "undo", "undo that", "undo it", "undo the last change", "take that back", "take it back", "revert",
            "revert that", "change it back", "put it back",
        ),
        "submit": (
            "submit", "submit it", "submit this", "submit now", "submit my request", "submit the request", "send it",
            "send it off", "file it", "file this", "i'm done", "im done", "done", "all done", "finish", "that's all",
            "that's it", "i'm finished", "review", "show the review",
        ),
        "my_requests": (
            "my requests", "show my requests", "list my requests", "show me my requests", "my submissions",
            "my records", "what have i submitted", "my drafts",
        ),
        "my_data": (
            "my data", "show my data", "show me my data", "send me my data", "what do you know about me",
            "what data do you have about me", "all my data", "a copy of my data",
        ),
        "erase": (
            "erase my data", "delete my data", "erase all my data", "delete all my data", "delete everything about me",
            "forget me", "erase me",
        ),
    },
    leads=(
        "please", "can i", "could i", "may i", "can you", "could you", "would you", "i want to", "i'd like to",
        "i would like to", "let me", "i need to", "let's", "ok", "okay", "so", "hey", "hi", "hello", "just", "sorry",
        "actually", "i wish to", "now", "then", "yes", "well",
    ),
    tails=("please", "pls", "now", "thanks", "thank you", "thx", "then", "for me", "again", "instead"),
    person=(
        "talk to a person", "speak to a person", "talk to a human", "speak to a human", "talk to someone",
        "speak to someone", "speak with someone", "real person", "a human being",
    ),
    cues=(
        "actually", "make it", "make that", "change", "should be", "should have been", "instead", "sorry", "i meant",
        "i mean", "meant to say", "correction", "correct that", "rather", "update", "wait", "on second thought",
        "on second thoughts", "scratch that", "switch", "let's do", "not anymore", "set it to", "oops", "my mistake",
        "wrong", "mistake",
    ),
    changes=("change", "update", "set", "switch", "correct", "amend", "edit", "fix", "modify"),
    meaning=(
        "what counts", "what does that mean", "what does this mean", "what does it mean", "what do you mean",
        "what is that", "what's that", "whats that", "what is this", "what's this", "what is meant",
        "why do you ask", "why are you asking", "why do you need", "why do you want to know", "why is this needed",
        "explain", "i don't understand", "i dont understand", "don't get it", "not clear", "unclear",
        "what's the difference", "meaning of", "what does", "how do you define", "can you clarify", "clarify",
        "come again", "huh", "example",
    ),
    accepting=(
        "no problem", "not a problem", "why not", "not bad", "that's it", "that is it", "don't mind", "do not mind",
        "wouldn't mind", "would not mind",
        "i don't mind", "i do not mind", "i wouldn't mind", "i would not mind",
        "ok", "okay", "k", "all right", "alright", "good", "great", "perfect", "fine", "nice", "excellent",
        "awesome", "lovely", "wonderful", "fantastic", "cool", "super", "right", "exactly", "works", "that works",
        "works for me", "works great", "work for me", "sounds good", "sounds great", "sounds fine",
        "sounds perfect", "sounds nice", "sounds right", "sounds like a plan", "looks good", "looks great",
        "looks right", "would be great", "would be good", "would be fine", "would be nice", "would be perfect",
        "will be good", "will be great", "will be fine", "will work", "would work", "that one", "this one",
        "use this", "use that", "i'll take it", "i'll take that", "i'll take this", "i will take it",
        "i will take that", "take it", "go ahead", "do it", "do that", "let's do it", "let's do that",
        "let's do this", "let's go with that", "let's go with it", "let's go with this", "i'll go with that",
        "go with that", "go for it", "please do", "i like it", "i like that", "i like this", "i love it",
        "i want it", "i want that", "i want this", "i'd like that", "i'd like it", "i would like that",
        "i would like it", "that'll do", "that will do", "suits me", "deal",
    ),
    wanting=(
        "i need", "i'll need", "i just need", "i want", "i'd like", "i would like", "i'll take", "we need", "we want",
        "get me",
    ),
    beside=(
        "for me", "with me", "for us", "very", "so", "just", "totally", "also", "too", "that'll", "that will",
        "that would", "be", "much", "it", "then", "well", "a lot", "a", "the",
    ),
    refusing=(
        "instead", "rather", "else", "other", "others", "another", "different", "neither", "wrong", "change",
        "wait", "mind",
    ),
)  # fmt: skip

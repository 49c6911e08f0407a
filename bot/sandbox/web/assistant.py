"""assistant.threads.*: the thinking line, the thread's title and the suggested prompts."""

from bot.sandbox.errors import SlackError
from bot.sandbox.params import Method, Params
from bot.sandbox.slack import Slack
from bot.sandbox.web.chat import STATUS_KEY
from bot.sandbox.workspace import Json

MOST_PROMPTS = 4
MOST_LOADING_MESSAGES = 10
LONGEST_LOADING_MESSAGE = 50


def set_status(slack: Slack, params: Params) -> Json:
    """assistant.threads.setStatus; an empty status takes the line away."""
    channel = slack.joined(params.text("channel_id"))
    thread_ts = params.needed("thread_ts")
    loading = _loading_messages(params)
    status = params.text("status") or ""
    key = STATUS_KEY.format(channel.id, thread_ts)
    slack.workspace.status.pop(key, None)
    if status:
        shown = {"status": status, "loading_messages": loading}
        slack.workspace.keep_for_thread(slack.workspace.status, key, shown)
    slack.changes.publish("status", channel=channel.id, thread_ts=thread_ts, status=status, loading_messages=loading)
    return {"ok": True}


def _loading_messages(params: Params) -> list[str]:
    given = params.json("loading_messages") or []
    if not isinstance(given, list) or len(given) > MOST_LOADING_MESSAGES:
        raise _refused(f"no more than {MOST_LOADING_MESSAGES} items allowed [json-pointer:/loading_messages]")
    for index, words in enumerate(given):
        if len(str(words)) > LONGEST_LOADING_MESSAGE:
            limit = LONGEST_LOADING_MESSAGE + 1
            raise _refused(f"must be less than {limit} characters [json-pointer:/loading_messages/{index}]")
    return [str(words) for words in given]


def set_title(slack: Slack, params: Params) -> Json:
    """assistant.threads.setTitle."""
    _shown(slack, params)["thread_title"] = params.needed("title")
    _tell(slack, params)
    return {"ok": True}


def set_prompts(slack: Slack, params: Params) -> Json:
    """assistant.threads.setSuggestedPrompts."""
    prompts = params.json("prompts")
    if not isinstance(prompts, list) or not 1 <= len(prompts) <= MOST_PROMPTS:
        raise _refused(f"must have 1 to {MOST_PROMPTS} items [json-pointer:/prompts]")
    for index, prompt in enumerate(prompts):
        if not isinstance(prompt, dict) or not prompt.get("title") or not prompt.get("message"):
            raise _refused(f"missing required field: title or message [json-pointer:/prompts/{index}]")
    _shown(slack, params).update(title=params.text("title") or "", prompts=prompts)
    _tell(slack, params)
    return {"ok": True}


def _shown(slack: Slack, params: Params) -> Json:
    channel = slack.joined(params.text("channel_id"))
    key = STATUS_KEY.format(channel.id, params.text("thread_ts") or "")
    shown = slack.workspace.prompts.get(key, {"title": "", "prompts": []})
    slack.workspace.keep_for_thread(slack.workspace.prompts, key, shown)
    return shown


def _tell(slack: Slack, params: Params) -> None:
    shown = _shown(slack, params)
    slack.changes.publish(
        "prompts", channel=params.text("channel_id"), thread_ts=params.text("thread_ts") or "", **shown
    )


def _refused(problem: str) -> SlackError:
    return SlackError("invalid_arguments", response_metadata={"messages": [f"[ERROR] {problem}"]})


METHODS: dict[str, Method] = {
    "assistant.threads.setStatus": set_status,
    "assistant.threads.setTitle": set_title,
    "assistant.threads.setSuggestedPrompts": set_prompts,
}

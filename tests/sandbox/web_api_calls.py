"""Calls of each method of the local Slack, as data: what is granted with all that the method holds, and what is refused and why.

A word that begins with "$" stands for something of the workspace: see `reference.prepared`.
"""

from typing import Any

from bot.sandbox.workspace import Json

DM, NOWHERE = {"channel": "D0ALEX"}, {"channel": "C0NOWHERE"}
WORDS = {"text": "words"}
DIVIDER = [{"type": "divider"}]
MODAL = {"type": "modal", "title": {"type": "plain_text", "text": "T"}, "blocks": DIVIDER}
HOME = {"type": "home", "blocks": DIVIDER}
METADATA = {"event_type": "sent", "event_payload": {"id": "1"}}
CONTENT: Json = {**WORDS, "blocks": DIVIDER, "attachments": [{"text": "x"}], "metadata": METADATA, "link_names": True}
PAGED = {"limit": 5, "cursor": ""}
BETWEEN = {"oldest": "0", "latest": "9999999999", "inclusive": True, "include_all_metadata": True, **PAGED}

MESSAGE_ERRORS: dict[str, Json] = {
    "no_text": {"text": ""},
    "msg_too_long": {"text": "x" * 4_001},
    "too_many_attachments": {"attachments": [{}] * 101},
    "invalid_blocks": {"blocks": [{"type": "header"}]},
    "invalid_blocks_format": {"blocks": "[{"},
    "invalid_attachments_format": {"attachments": "[{"},
    "msg_blocks_too_long": {
        "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3_000}} for _ in range(5)]
    },
    "markdown_text_conflict": {"markdown_text": "x"},
    "invalid_metadata_format": {"metadata": "[1"},
    "invalid_metadata_schema": {"metadata": {"event_type": 1}},
}
"""What is wrong with the content of a message, and an argument that makes it so."""
VIEW_ERRORS: dict[str, Json] = {
    "invalid_arguments": {},
    "duplicate_external_id": {"external_id": "taken"},
    "view_too_large": {"private_metadata": "x" * 3_000, "blocks": [
        {"type": "section", "text": {"type": "mrkdwn", "text": "ä" * 3_000}} for _ in range(20)
    ]},
}  # fmt: skip


def _of_messages(method: str, **place: Any) -> list[tuple[str, Json, str]]:
    return [(method, {**place, **WORDS, **wrong}, error) for error, wrong in MESSAGE_ERRORS.items()]


def _of_views(method: str, view: Json, **place: Any) -> list[tuple[str, Json, str]]:
    return [
        (method, {**place, **({"view": view | wrong} if wrong else {})}, error) for error, wrong in VIEW_ERRORS.items()
    ]


CALLS: list[tuple[str, Json, str]] = [
    ("auth.test", {}, ""),
    ("chat.postMessage", {**DM, **CONTENT, "thread_ts": "$theirs"}, ""),
    ("chat.postMessage", {**DM, "markdown_text": "# x"}, ""),
    ("chat.postMessage", {**NOWHERE, **WORDS}, "channel_not_found"),
    ("chat.postMessage", {"channel": "C0FOREIGN", **WORDS}, "not_in_channel"),
    ("chat.postMessage", {"channel": "C0OLD", **WORDS}, "is_archived"),
    *_of_messages("chat.postMessage", **DM),
    *[("chat.postMessage", {**DM, **WORDS, "blocks": wrong}, "invalid_blocks_format") for wrong in ({"type": "divider"}, ["x"])],
    ("chat.update", {**DM, "ts": "$own", **CONTENT}, ""),
    ("chat.update", {**NOWHERE, "ts": "$own", **WORDS}, "channel_not_found"),
    ("chat.update", {**DM, "ts": "1.1", **WORDS}, "message_not_found"),
    ("chat.update", {**DM, "ts": "$theirs", **WORDS}, "cant_update_message"),
    *_of_messages("chat.update", **DM, ts="$own"),
    ("chat.delete", {**DM, "ts": "$own"}, ""),
    ("chat.delete", {**NOWHERE, "ts": "$own"}, "channel_not_found"),
    ("chat.delete", {**DM, "ts": "1.1"}, "message_not_found"),
    ("chat.delete", {**DM, "ts": "$theirs"}, "cant_delete_message"),
    ("chat.postEphemeral", {**DM, "user": "U0ALEX", **CONTENT, "thread_ts": "$theirs"}, ""),
    ("chat.postEphemeral", {**NOWHERE, "user": "U0ALEX", **WORDS}, "channel_not_found"),
    ("chat.postEphemeral", {**DM, "user": "U0DANA", **WORDS}, "user_not_in_channel"),
    *_of_messages("chat.postEphemeral", **DM, user="U0ALEX"),
    ("assistant.threads.setStatus", {
        "channel_id": "D0ALEX", "thread_ts": "$theirs", "status": "is thinking…", "loading_messages": ["…"]
    }, ""),
    ("assistant.threads.setStatus", {"channel_id": "C0NOWHERE", "thread_ts": "1.1", "status": "…"}, "channel_not_found"),
    ("assistant.threads.setStatus", {"channel_id": "D0ALEX"}, "invalid_arguments"),
    *[
        ("assistant.threads.setStatus", {"channel_id": "D0ALEX", "thread_ts": "$theirs", "loading_messages": many}, error)
        for many, error in ((["x" * 50] * 10, ""), (["x"] * 11, "invalid_arguments"), (["x" * 51], "invalid_arguments"))
    ],
    ("assistant.threads.setSuggestedPrompts", {
        "channel_id": "D0ALEX", "thread_ts": "$theirs", "title": "T", "prompts": [{"title": "T", "message": "m"}]
    }, ""),
    ("assistant.threads.setSuggestedPrompts", {"channel_id": "D0ALEX"}, "invalid_arguments"),
    ("assistant.threads.setSuggestedPrompts", {
        "channel_id": "C0NOWHERE", "prompts": [{"title": "T", "message": "m"}]
    }, "channel_not_found"),
    ("conversations.open", {"users": "U0ALEX", "return_im": True}, ""),
    ("conversations.open", {"channel": "D0ALEX"}, ""),
    ("conversations.open", {}, "users_list_not_supplied"),
    ("conversations.open", {"users": "U0HOLDFAST"}, "cannot_dm_bot"),
    ("conversations.open", {"users": "U0NOBODY"}, "user_not_found"),
    ("conversations.open", {"users": "U0ALEX,U0DANA"}, "method_not_supported_for_channel_type"),
    ("conversations.open", NOWHERE, "channel_not_found"),
    ("conversations.history", {**DM, **BETWEEN}, ""),
    ("conversations.history", NOWHERE, "channel_not_found"),
    ("conversations.history", {"channel": "C0FOREIGN"}, "not_in_channel"),
    ("conversations.history", {**DM, "cursor": "no"}, "invalid_cursor"),
    ("conversations.history", {**DM, "limit": 1_001}, "invalid_limit"),
    ("conversations.history", {**DM, "limit": "x"}, "invalid_arguments"),
    ("conversations.replies", {**DM, "ts": "$theirs", **BETWEEN}, ""),
    ("conversations.replies", {**NOWHERE, "ts": "$theirs"}, "channel_not_found"),
    ("conversations.replies", {**DM, "ts": "1.1"}, "thread_not_found"),
    ("users.info", {"user": "U0ALEX", "include_locale": True}, ""),
    ("users.info", {"user": "U0NOBODY"}, "user_not_found"),
    ("users.list", PAGED, ""),
    ("users.list", {"cursor": "no"}, "invalid_cursor"),
    ("users.list", {"limit": -1}, "invalid_limit"),
    ("usergroups.users.list", {"usergroup": "S0COMPLIANCE"}, ""),
    ("usergroups.users.list", {"usergroup": "S0NONE"}, "no_such_subteam"),
    ("files.getUploadURLExternal", {"filename": "a.txt", "length": 1, "alt_txt": "a"}, ""),
    ("files.getUploadURLExternal", {"filename": "a.txt"}, "invalid_arguments"),
    ("files.completeUploadExternal", {
        "files": [{"id": "$file", "title": "A"}], "channel_id": "D0ALEX", "initial_comment": "x", "thread_ts": "$theirs"
    }, ""),
    ("files.completeUploadExternal", {"files": [{"id": "$file"}], "channels": "D0ALEX"}, ""),
    ("files.completeUploadExternal", {"files": []}, "invalid_arguments"),
    ("files.completeUploadExternal", {"files": [{"id": "F0NOWHERE"}]}, "file_not_found"),
    ("files.completeUploadExternal", {"files": [{"id": "$file"}], "channels": "C0FOREIGN"}, "not_in_channel"),
    ("files.info", {"file": "$file"}, ""),
    ("files.info", {"file": "F0NOWHERE"}, "file_not_found"),
    ("views.open", {"trigger_id": "$trigger", "view": MODAL}, ""),
    ("views.open", {"interactivity_pointer": "$trigger", "view": MODAL}, ""),
    ("views.open", {"trigger_id": "no", "view": MODAL}, "invalid_trigger_id"),
    ("views.open", {"trigger_id": "$late", "view": MODAL}, "expired_trigger_id"),
    ("views.open", {"trigger_id": "$used", "view": MODAL}, "exchanged_trigger_id"),
    *_of_views("views.open", MODAL, trigger_id="$trigger"),
    ("views.push", {"trigger_id": "$trigger", "view": MODAL}, ""),
    ("views.push", {"trigger_id": "$dana", "view": MODAL}, "not_found"),
    ("views.push", {"trigger_id": "$stacked", "view": MODAL}, "push_limit_reached"),
    ("views.push", {"trigger_id": "$used", "view": MODAL}, "exchanged_trigger_id"),
    *_of_views("views.push", MODAL, trigger_id="$trigger"),
    ("views.update", {"view_id": "$view", "hash": "$hash", "view": MODAL}, ""),
    ("views.update", {"external_id": "taken", "view": MODAL}, ""),
    ("views.update", {"view_id": "V0NOWHERE", "view": MODAL}, "not_found"),
    ("views.update", {"view_id": "$view", "hash": "no", "view": MODAL}, "hash_conflict"),
    *_of_views("views.update", MODAL, view_id="$view"),
    ("views.publish", {"user_id": "U0DANA", "hash": "", "view": HOME}, ""),
    ("views.publish", {"user_id": "U0ALEX", "hash": "no", "view": HOME}, "hash_conflict"),
    ("views.publish", {"user_id": "U0NOBODY", "view": HOME}, "user_not_found"),
    *_of_views("views.publish", HOME, user_id="U0DANA"),
    ("response_url", {"secret": "$secret", **CONTENT, "response_type": "in_channel", "thread_ts": "$theirs"}, ""),
    ("response_url", {"secret": "$clicked", **WORDS, "replace_original": True}, ""),
    ("response_url", {"secret": "$clicked", "delete_original": True}, ""),
    ("response_url", {"secret": "no", **WORDS}, "not_found"),
    ("response_url", {"secret": "$spent", **WORDS}, "used_url"),
    ("response_url", {"secret": "$expired", **WORDS}, "expired_url"),
    ("response_url", {"secret": "$gone", "delete_original": True}, "message_not_found"),
    *_of_messages("response_url", secret="$secret"),
]  # fmt: skip

// What a person can do: each act is one request, and a refusal becomes a sentence on screen.

import { get, post, upload } from "./api.js";
import { tell } from "./toasts.js";

async function attempt(work) {
  try {
    const answer = await work();
    if (answer.error) tell(answer.error);
    return answer.error ? null : answer;
  } catch (error) {
    tell(error.message);
    return null;
  }
}

/** The acts of whoever the store says is at the keyboard. Each gives the answer, or null after a refusal. */
export class Acts {
  constructor(store) {
    this.store = store;
  }

  get #person() {
    return this.store.ui.person;
  }

  get #here() {
    return {
      person: this.#person,
      channel: this.store.ui.channel,
      ...(this.store.ui.thread && { thread_ts: this.store.ui.thread }),
    };
  }

  say(text) {
    return attempt(() => post("/ui/say", { ...this.#here, text }));
  }

  /** Files and words in one message. */
  share(files, text) {
    return attempt(() => upload("/ui/upload", { ...this.#here, text }, files));
  }

  /** Files for a modal's input: kept, and shared nowhere. Gives {files}. */
  keep(files) {
    return attempt(() => upload("/ui/upload", { person: this.#person }, files));
  }

  edit(ts, text) {
    return attempt(() => post("/ui/edit", { person: this.#person, channel: this.store.ui.channel, ts, text }));
  }

  remove(ts) {
    return attempt(() => post("/ui/delete", { person: this.#person, channel: this.store.ui.channel, ts }));
  }

  async click(container, action, state) {
    return (await attempt(() => post("/ui/click", { person: this.#person, container, action, state }))) !== null;
  }

  options(container, query) {
    return attempt(() => post("/ui/options", { person: this.#person, container, ...query }));
  }

  /** Opening the app's home or messages tab, which the app hears of. Without a bot nobody listens, and nothing is said. */
  async open(tab) {
    await post("/ui/home", { person: this.#person, tab }).catch(() => null);
  }

  /** The app's answer: {ok}, {errors}, {update} or {cleared}; {trouble: sentence} when it did not answer. */
  submit(viewId, state) {
    return post("/ui/view/submit", { person: this.#person, view_id: viewId, state }).catch((error) => ({
      trouble: error.message,
    }));
  }

  close(viewId) {
    return attempt(() => post("/ui/view/close", { person: this.#person, view_id: viewId }));
  }

  knobs(knobs) {
    return attempt(() => post("/ui/knobs", knobs));
  }

  state() {
    return get("/ui/state");
  }

  preview(form, language) {
    return attempt(() => get("/ui/preview", { form, language }));
  }

  inspect(channel, thread) {
    return get("/ui/inspect", { person: this.#person, channel, thread_ts: thread });
  }
}

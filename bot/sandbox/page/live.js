// Server-sent events: tells of every change, and of the connection's loss and return.

const LONGEST_PAUSE = 8000;

/** Calls `onChange(data)` for each change, `onOpen()` at each (re)connection and `onLost()` when it breaks. */
export function listen(url, { onChange, onOpen, onLost }) {
  let pause = 500;
  const connect = () => {
    const source = new EventSource(url);
    source.addEventListener("change", (event) => onChange(parse(event.data)));
    source.addEventListener("open", () => ((pause = 500), onOpen()));
    source.addEventListener("error", () => {
      onLost();
      source.close();
      setTimeout(connect, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    });
  };
  connect();
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { kind: "unknown" };
  }
}

/** A caller of `work` that waits `pause` ms for quiet, never longer than `longest`, and never runs it twice at once. */
export function debounced(work, pause, longest) {
  let timer = null;
  let since = null;
  let running = false;
  let again = false;
  const run = async () => {
    timer = since = null;
    if (running) return void (again = true);
    running = true;
    await work().finally(() => (running = false));
    if (again) ((again = false), call());
  };
  const call = () => {
    since ??= Date.now();
    clearTimeout(timer);
    timer = setTimeout(run, Math.max(0, Math.min(pause, since + longest - Date.now())));
  };
  return call;
}

// Puts the page together: the store, its views, the live connection, and where one is (kept in the address).

import { Acts } from "./acts.js";
import { ApiError } from "./api.js";
import { Conversation } from "./conversation.js";
import { FormsBar } from "./forms.js";
import { Inspector } from "./inspector.js";
import { debounced, listen } from "./live.js";
import { Modal } from "./modal.js";
import { isNarrow, Narrow } from "./narrow.js";
import { Sidebar } from "./sidebar.js";
import { Store, conversations, isDm, personOf, threadInView } from "./state.js";

const AGAIN = 2000;

const store = new Store();
const acts = new Acts(store);
const at = (id) => document.getElementById(id);

const sidebar = new Sidebar(at("sidebar"), store, go);
const views = [
  sidebar,
  new Conversation(at("conversation"), store, acts, go),
  new Inspector(at("inspector"), store, acts),
  new Modal(store, acts, refresh),
  new FormsBar(at("forms-bar"), store),
  new Narrow(store, Object.fromEntries(["app", "sidebar", "conversation", "inspector", "scrim"].map((id) => [id, at(id)]))),
];

const refreshSoon = debounced(refresh, 30, 120);
const inspectSoon = debounced(inspect, 80, 300);

store.watch(() => {
  if (!store.world) return;
  store.markRead();
  for (const view of views) view.render();
  document.title = `${store.world.bot.name} sandbox`;
});

async function refresh() {
  try {
    const world = await acts.state();
    if (!store.world) arrive(world);
    else store.setWorld(world);
    at("connection-bar").hidden = true;
    inspectSoon();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    connectionLost();
    setTimeout(refreshSoon, AGAIN);
  }
}

async function inspect() {
  const { channel } = store.ui;
  const place = JSON.stringify([store.ui.person, channel]);
  try {
    const found = await acts.inspect(channel, threadInView(store));
    if (place === JSON.stringify([store.ui.person, store.ui.channel])) store.setInspect(found);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** The first state: stand where the address says, or in the first person's direct message. */
function arrive(world) {
  const [person, channel, tab] = location.hash.slice(1).split("/");
  store.world = world;
  store.ui.person = personOf(store, person) ? person : world.people[0].id;
  store.ui.channel = home(store.ui.person, channel);
  store.ui.tab = tab === "home" || (tab === "forms" && world.forms) ? tab : "messages";
  store.world = null;
  store.setWorld(world);
  opened();
}

/** The channel if the person is in it, else the person's direct message with the app. */
function home(person, channel) {
  const mine = conversations(store, person);
  return (mine.find(({ id }) => id === channel) ?? mine.find(({ id }) => id === personOf(store, person).dm) ?? mine[0])
    .id;
}

/** Goes to another person, conversation or tab; what the app would be told about it, it is told. */
function go(place) {
  const person = place.person ?? store.ui.person;
  const channel = home(person, place.person ? sameKind(place.person) : (place.channel ?? store.ui.channel));
  const tab = place.tab ?? "messages";
  if (person !== store.ui.person || channel !== store.ui.channel) store.inspect = null;
  store.go({ person, channel, tab, thread: null, editing: null, drawer: store.ui.drawer && Boolean(place.person) });
  history.replaceState(null, "", `#${person}/${channel}/${tab}`);
  opened();
  inspectSoon();
}

/** Switching people keeps a shared channel open, and goes from one direct message to the other's. */
function sameKind(person) {
  return isDm(store) ? personOf(store, person).dm : store.ui.channel;
}

function opened() {
  const { person, channel, tab } = store.ui;
  if (channel === personOf(store, person).dm && tab !== "forms") acts.open(tab);
}

function connectionLost() {
  at("connection-bar").hidden = false;
  at("connection-bar").textContent = "The connection to the sandbox is lost. Trying again…";
}

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    if (isNarrow()) store.go({ drawer: true });
    queueMicrotask(() => sidebar.focusSwitcher());
  }
});
document.addEventListener("visibilitychange", () => store.world && store.changed());
if (matchMedia("(max-width: 900px)").matches) store.ui.panel = false;
listen("/ui/events", { onChange: refreshSoon, onOpen: refreshSoon, onLost: connectionLost });

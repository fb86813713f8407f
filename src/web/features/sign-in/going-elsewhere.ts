// A page that was opened at the address of a cluster's node goes to another node once its own has not answered for a while, with what
// is being written and, as far as the person is signed in, with their session. Behind a name or proxy that leads to all nodes, and on a
// single server, `boot.other_nodes` is empty.
import type { Client } from "../../api/client.ts";
import { desktopApp } from "../../lib/desktop-app.ts";
import { editedMessage, unsavedEdits } from "../compose/editing.ts";
import { sendHeld } from "../compose/holding.ts";

/** In milliseconds. A node that is restarted is there again before. */
const patience = 6_000;
const pause = 2_000;
/** So long the person has not pressed a key, so that none is lost on the way. */
const stillness = 1_000;
const answerPatience = 5_000;
const askAgainAfter = 60_000;
/** In bytes: what the server takes of somebody who is not signed in yet, less the rest of the form. */
const maxKept = 60_000;
/** Where the page keeps the caret that the person was writing at. */
const writing = "writing";

/** Returns a function that ends this. */
export function goElsewhere(client: Client): () => void {
  const { boot, connection, latestEvents } = client;
  const nodes = boot.other_nodes;
  // The application shows one server, at its address.
  if (nodes.length === 0 || desktopApp) return () => {};

  const isSignedIn = !client.isVisitor;
  let handover: Handover | null = null;
  let isAsking = false;
  let askedInVainAt = 0;
  let isLooking = false;
  /** When the connection was lost; null while there is one. */
  let lostAt: number | null = null;
  let lastKeyAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const askForSecret = async () => {
    if (!isSignedIn || handover !== null || isAsking || connection.get() !== "online") return;
    if (Date.now() - askedInVainAt < askAgainAfter) return;
    isAsking = true;
    try {
      const { secret } = await client.api.post<{ secret: string }>("/users/me/sessions/handovers");
      handover = { secret, token: newToken() };
    } catch {
      askedInVainAt = Date.now();
    } finally {
      isAsking = false;
    }
  };

  const mayLeave = () =>
    lostAt !== null && Date.now() - lostAt >= patience && !document.hidden && hasAllInPlace(client);
  /** The first of the other nodes that takes this page; null if none does now. */
  const findNode = async (): Promise<string | null> => {
    for (const node of nodes) {
      const answer = await (isSignedIn ? handover && trade(node, handover) : reaches(node));
      if (answer === "refused") handover = null;
      if (answer === "taken") return node;
    }
    return null;
  };
  const look = async () => {
    clearTimeout(timer);
    if (lostAt === null || isLooking) return;
    isLooking = true;
    const node = mayLeave() ? await findNode() : null;
    isLooking = false;
    // Its own node may have answered meanwhile, or the person have gone on writing.
    const isStill = Date.now() - lastKeyAt >= stillness;
    if (node !== null && isStill && mayLeave()) return leave(client, node, handover?.token ?? null);
    if (lostAt === null) return;
    const rest = lostAt + patience - Date.now();
    timer = setTimeout(() => void look(), rest > 0 ? rest : isStill ? pause : stillness);
  };

  const follow = () => {
    const isLost = connection.get() !== "online";
    if (isLost === (lostAt !== null)) return;
    lostAt = isLost ? Date.now() : null;
    void look();
  };
  const renewSecret = () => {
    // A wait that ends with nothing says that a session of this person has ended, perhaps the one of the secret.
    if (latestEvents.get().length === 0) handover = null;
    else void askForSecret();
  };

  const ends = [connection.subscribe(follow), latestEvents.subscribe(renewSecret)];
  const onShown = () => void look();
  const noteKey = () => {
    lastKeyAt = Date.now();
  };
  document.addEventListener("visibilitychange", onShown);
  addEventListener("keydown", noteKey, { capture: true, passive: true });
  void askForSecret();
  follow();
  return () => {
    for (const end of ends) end();
    document.removeEventListener("visibilitychange", onShown);
    removeEventListener("keydown", noteKey, { capture: true });
    clearTimeout(timer);
  };
}

/** Whether nothing would be lost but what goes along: edits of messages are kept by the page alone. */
function hasAllInPlace(client: Client): boolean {
  return editedMessage.get() === null && unsavedEdits.size === 0 && sizeOf(takenAlong(client)) <= maxKept;
}

/** By the secret, which works once, the token becomes one of the session: its cookie at the other node. */
interface Handover {
  secret: string;
  token: string;
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/** 64 letters and digits; the two other signs of the alphabet are left out. */
function newToken(): string {
  const drawn = [...crypto.getRandomValues(new Uint8Array(128))].map((byte) => letters[byte % 64] ?? "");
  return drawn.join("").replace(/[_-]/g, "").slice(0, 64);
}

/** Asks a node for the session to go on there. It may be asked again: an answer that got lost changes nothing. */
async function trade(node: string, handover: Handover): Promise<"taken" | "refused" | null> {
  const asked = { method: "POST", body: new URLSearchParams({ ...handover }), credentials: "omit" } as const;
  try {
    const { ok, status } = await fetch(`${node}/login/handover`, {
      ...asked,
      signal: AbortSignal.timeout(answerPatience),
    });
    if (ok) return "taken";
    return status === 410 ? "refused" : null;
  } catch {
    // It is not reached, or cannot answer just now.
    return null;
  }
}

/** Whether a node answers anything. */
async function reaches(node: string): Promise<"taken" | null> {
  const signal = AbortSignal.timeout(answerPatience);
  const asked = fetch(`${node}/health`, { mode: "no-cors", credentials: "omit", cache: "no-store", signal });
  return asked.then(
    () => "taken",
    () => null,
  );
}

/** What this tab keeps until the server has it: drafts, and messages that were not sent. */
function takenAlong({ store }: Client): Record<string, string> {
  const { user_id } = store.get().self;
  const prefixes = [`draft ${user_id} `, `not sent ${user_id}`];
  const found = Object.entries(sessionStorage).filter(([name]) =>
    prefixes.some((prefix) => name.startsWith(prefix)),
  );
  const area = document.activeElement;
  if (area instanceof HTMLTextAreaElement && area.matches(composer))
    found.push([writing, `${area.selectionStart} ${area.selectionEnd}`]);
  return Object.fromEntries(found);
}

const composer = "[data-composer]";
const arrivalPatience = 10_000;

/** Sets the caret where it was, once the conversation is shown, if the page has come from another node while the person was writing. */
export function resumeWriting(): void {
  const kept = sessionStorage.getItem(writing);
  if (kept === null) return;
  sessionStorage.removeItem(writing);
  const [start = 0, end = 0] = kept.split(" ").map(Number);
  const until = Date.now() + arrivalPatience;
  const look = () => {
    const area = document.querySelector<HTMLTextAreaElement>(composer);
    if (!area || area.value.length < end) {
      if (Date.now() < until) requestAnimationFrame(look);
      return;
    }
    area.focus();
    area.setSelectionRange(start, end);
  };
  look();
}

const sizeOf = (kept: Record<string, string>) => new TextEncoder().encode(JSON.stringify(kept)).length;

/** Goes to another node, where a token signs the person in; visitors have none. */
function leave(client: Client, node: string, token: string | null): void {
  if (token === null) {
    location.assign(`${node}/${location.hash}`);
    return;
  }
  sendHeld();
  const fields = { token, fragment: location.hash, kept: JSON.stringify(takenAlong(client)) };
  const form = document.createElement("form");
  form.method = "post";
  form.enctype = "multipart/form-data";
  form.action = `${node}/login/arrival`;
  form.hidden = true;
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("input");
    field.name = name;
    field.value = value;
    form.append(field);
  }
  // The other node wants to know which page sends this, and the page's policy tells other sites nothing.
  const policy = document.createElement("meta");
  policy.name = "referrer";
  policy.content = "origin";
  document.head.append(policy);
  document.body.append(form);
  client.stop();
  // Somebody who goes back to this page finds it as the browser kept it.
  window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  form.submit();
}

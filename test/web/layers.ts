// What opens over the views of the client: dialogs, menus and the like, each opened as a person does, in any language.
import type { Translator } from "@/text/language/translator.ts";
import { patience } from "../support/waiting.ts";
import type { Seat } from "../support/web-people.ts";

/** Something that a person does to what has this name, or to what this selector finds. */
type Step = ({ named: string } | { at: string }) & {
  /** Presses it, if nothing else is said. */
  by?: "right button" | "pointing";
  /** Types this there, in place of what it has. */
  type?: string;
  /** Does nothing where this is on screen. */
  unless?: string;
};

export interface Layer {
  name: string;
  hash: string;
  steps: readonly Step[];
}

export interface LayerPlaces {
  channel: number;
  /** A topic of the channel: somebody is mentioned there, and reacted to its newest message, which was edited. */
  topic: string;
  group: number;
}

/** Those of an owner of the organization, in a window that shows one pane at a time or several. */
export function layersOf(
  t: Translator["t"],
  { channel, topic, group }: LayerPlaces,
  isNarrow: boolean,
): Layer[] {
  const conversation = `#narrow/channel/${channel}-harbour/topic/${encodeURIComponent(topic)}`;
  const message: Step = { at: "[data-message]:last-of-type .message-content", by: "right button" };
  const aboutTopic: Step = { named: t("More about this topic") };
  const toSidebar: Step[] = isNarrow ? [{ named: t("Back to the list"), unless: "nav" }] : [];
  const self: Step = { at: "nav button[aria-haspopup=menu]" };
  const sendLater: Step = { named: t("Send later") };
  const palette: Step = { named: t("Go to or search") };
  const write = (type: string): Step => ({ at: "[data-composer]", type });
  const choose = (named: string): Step => ({ named });
  const opened: readonly [name: string, hash: string, ...steps: Step[]][] = [
    ["message", conversation, message],
    ["reactions to choose", conversation, message, choose(t("Other reactions"))],
    ["reminder", conversation, message, choose(t("Remind me of this …"))],
    ["moving", conversation, message, choose(t("Move …"))],
    ["edits", conversation, message, choose(t("Edits of this message"))],
    ["readers", conversation, message, choose(t("Who has read this"))],
    ["reactions", conversation, message, choose(t("Who reacted"))],
    ["source", conversation, message, choose(t("What was typed"))],
    ["deletion", conversation, message, choose(t("Delete …"))],
    ["person", conversation, { at: ".user-mention" }],
    [
      "more about a person",
      conversation,
      { at: ".user-mention" },
      { at: "[role=dialog] [aria-haspopup=menu]" },
    ],
    ["topic", conversation, aboutTopic],
    ["moving a topic", conversation, aboutTopic, choose(t("Rename or move …"))],
    ["deletion of a topic", conversation, aboutTopic, choose(t("Delete the topic …"))],
    ["formatting", conversation, choose(t("More formatting"))],
    ["people", conversation, write("@")],
    ["channels", conversation, write("#h")],
    ["emoji", conversation, write(":smi")],
    ["commands", conversation, write("/")],
    ["sending later", conversation, write("later"), sendLater],
    ["another time", conversation, write("later"), sendLater, choose(t("At another time …"))],
    ["channel", "#inbox", ...toSidebar, { at: "nav [data-channel]", by: "right button" }],
    ["own menu", "#inbox", ...toSidebar, self],
    ["status", "#inbox", ...toSidebar, self, choose(t("Set a status"))],
    ["palette", "#inbox", ...toSidebar, palette],
    ["palette that found", "#inbox", ...toSidebar, palette, { at: "[role=dialog] input", type: "b" }],
    ["search", "#search", { at: "main input", type: "from:" }],
    ["new message", "#feed", choose(t("New message"))],
    ["new channel", "#channels", choose(t("New channel"))],
    ["archiving", `#channels/${channel}/-/about`, choose(t("Archive the channel …"))],
    ["new group", "#groups", choose(t("New group"))],
    ["deactivation of a group", `#groups/${group}/-`, choose(t("Deactivate the group …"))],
    ["link to join", "#organization/invitations", choose(t("Make a link"))],
    ["invitation", "#organization/invitations", choose(t("Invite by address"))],
    ["group of channels", "#organization/joining", choose(t("Add a group of channels"))],
    ["linkifier", "#organization/linkifiers", choose(t("Add a linkifier"))],
    ["playground", "#organization/playgrounds", choose(t("Add a playground"))],
    ["handling a report", "#organization/reports/1", choose(t("Handle …"))],
    ["dismissing a report", "#organization/reports/1", choose(t("Dismiss …"))],
    ["key", "#settings/account", choose(t("Make a new key"))],
    ["two steps", "#settings/account", choose(t("Set up …"))],
    ["deactivation", "#settings/account", choose(t("Deactivate my account …"))],
  ];
  return opened.map(([name, hash, ...steps]) => ({ name, hash, steps }));
}

export const layer = "[role=dialog], [role=menu], [role=listbox]";

/** Opens it, and waits until it is there. */
export async function openLayer(seat: Seat, { name, hash, steps }: Layer): Promise<void> {
  await seat.tab.evaluate(closeAll, layer);
  await seat.go(hash);
  const missing = await seat.tab.evaluate(perform, steps, layer, patience);
  if (missing !== null) throw new Error(`${name}: there is no ${missing}`);
}

/** Runs in the page: presses Escape until nothing is open. */
async function closeAll(open: string): Promise<void> {
  for (let i = 0; i < 20 && document.querySelector(open); i++) {
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Runs in the page; returns what was not found, or null. */
async function perform(steps: readonly Step[], open: string, patienceMs: number): Promise<string | null> {
  const wait = async <T>(find: () => T | null | undefined): Promise<T | null> => {
    for (const end = performance.now() + patienceMs; performance.now() < end; ) {
      const found = find();
      if (found) return found;
      await new Promise((done) => setTimeout(done, 10));
    }
    return null;
  };
  const isThere = (one: HTMLElement) => one.checkVisibility() && !one.closest("[inert], :disabled");
  const find = (step: Step) => {
    const all = [
      ...document.querySelectorAll<HTMLElement>(
        "at" in step ? step.at : "button, a, [role^=menuitem], [role=tab]",
      ),
    ].filter(isThere);
    if ("at" in step) return all.at(-1);
    const names = (one: HTMLElement) => [one.ariaLabel, one.innerText.split("\n")[0]];
    return all.findLast((one) => names(one).some((name) => name?.trim() === step.named));
  };
  let chosenIn: Element | null = null;
  for (const step of steps) {
    const isNeedless = () =>
      step.unless !== undefined &&
      [...document.querySelectorAll<HTMLElement>(step.unless)].some((one) => one.checkVisibility());
    const one = await wait(() => (isNeedless() ? "needless" : find(step)));
    if (one === "needless") continue;
    if (!one) return "at" in step ? step.at : step.named;
    chosenIn = one.closest("[role=menu]");
    const { left, top, width, height } = one.getBoundingClientRect();
    const event = { bubbles: true, cancelable: true, clientX: left + width / 2, clientY: top + height / 2 };
    if (step.type !== undefined) {
      one.focus();
      document.execCommand("selectAll");
      document.execCommand("insertText", false, step.type);
    } else if (step.by === "right button") one.dispatchEvent(new MouseEvent("contextmenu", event));
    else if (step.by === "pointing") one.dispatchEvent(new PointerEvent("pointerover", event));
    else one.click();
  }
  const isOpen = () => {
    const all = [...document.querySelectorAll<HTMLElement>(open)].filter(isThere);
    // What was chosen in a menu may still be loaded: the menu itself is not it.
    return (
      !chosenIn?.isConnected && all.length > 0 && !all.some((one) => one.querySelector("[aria-busy=true]"))
    );
  };
  return (await wait(isOpen)) ? null : open;
}

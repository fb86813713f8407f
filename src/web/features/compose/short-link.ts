// Addresses of our own conversations and messages, in the short form that the composer completes, too.
import { operandOf } from "../../state/narrows.ts";
import { channelOf } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { parseHash, withChannelIds } from "../../ui/routes/route.ts";

/** `#**channel>topic**` for the address of a topic; null if the text is not such an address, or has no short form. */
export function shortLink(text: string, state: State): string | null {
  const url = URL.parse(text);
  if (url?.origin !== location.origin || url.pathname !== "/" || url.search !== "") return null;
  const parsed = parseHash(url.hash);
  const route = parsed && withChannelIds(parsed, state);
  if (route?.view === "topics") return channelLink(state, route.channel);
  if (route?.view !== "messages" || route.date !== undefined) return null;
  const terms = route.terms.filter(({ operator }) => operator !== "with");
  const [channel, topic] = ["channel", "topic"].map((operator) => operandOf(terms, operator));
  if (terms.some(({ negated }) => negated) || !/^\d+$/.test(channel ?? "")) return null;
  if (topic === undefined)
    return terms.length === 1 && route.near === undefined ? channelLink(state, Number(channel)) : null;
  const name = channelOf(state, Number(channel))?.name;
  if (terms.length !== 2 || name === undefined || /[*>]/.test(name) || /\*|@\d+$/.test(topic)) return null;
  return `#**${name}>${topic}${route.near === undefined ? "" : `@${route.near}`}**`;
}

function channelLink(state: State, id: number): string | null {
  const name = channelOf(state, id)?.name;
  return name === undefined || /[*>]/.test(name) ? null : `#**${name}**`;
}

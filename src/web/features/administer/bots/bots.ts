// What bots are called, which there are, and the keys that were just made.
import { t } from "../../../lib/texts.ts";
import type { OwnedBot } from "../../../state/selectors.ts";
import { hashOf } from "../../../ui/routes/route.ts";

export const botTypes = { generic: 1, incoming: 2, outgoing: 3 } as const;

export const typeNames: readonly { value: number; label: string; hint: string }[] = [
  {
    value: botTypes.incoming,
    label: t("Incoming webhook"),
    hint: t("Only writes: for tools that post what happens there."),
  },
  {
    value: botTypes.outgoing,
    label: t("Outgoing webhook"),
    hint: t(
      "The server calls an address when somebody mentions the bot or writes to it, and posts the reply.",
    ),
  },
  {
    value: botTypes.generic,
    label: t("Generic bot"),
    hint: t("For programs that use the API: may do what its owner may."),
  },
];

export const typeName = ({ bot_type }: Pick<OwnedBot, "bot_type">) =>
  typeNames.find(({ value }) => value === bot_type)?.label ?? t("Bot");

export const botLink = (id?: number) =>
  hashOf({ view: "organization", section: "bots", ...(id === undefined ? {} : { path: [String(id)] }) });

/** Keys that were made since the page was loaded, until the bot's page is left: the server tells each only once. */
export const madeKeys = new Map<number, string>();

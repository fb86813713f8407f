import { z } from "zod";
import { getUserByEmail } from "@/foundation/accounts/queries.ts";
import { listAudit } from "@/foundation/audit/queries.ts";
import {
  type AuditEntry,
  aboutText,
  concernOf,
  detailText,
  fromTime,
  maxEntries,
  subjects,
  untilTime,
} from "@/foundation/audit/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { toAccount, toSubject } from "../jumps.ts";
import { line, timeText } from "../layout.ts";
import { addresses, nameInWords } from "../names.ts";
import { type ActionOutcome, form, type ScreenForm, screen, timeColumn } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";

const names = ["by", "about", "kind", "since", "until"] as const;
type Name = (typeof names)[number];

/** What was entered, as text; empty for all. */
const choiceOf = ({ chosen }: ConsoleSession, name: Name): string => chosen.get(`audit ${name}`) ?? "";

function choose({ chosen }: ConsoleSession, filter: Partial<Record<Name, string>>): void {
  for (const name of names) chosen.set(`audit ${name}`, filter[name] ?? "");
}

function rows(session: ConsoleSession): AuditEntry[] {
  const now = session.ctx();
  const [by, about, kind, since, until] = names.map((name) => choiceOf(session, name));
  const idOf = (email: string) => getUserByEmail(now, { email }).user_id;
  return listAudit(now, {
    limit: maxEntries,
    actorId: by ? idOf(by) : undefined,
    ...concernOf(about || undefined, idOf),
    about: { kind: subjects.find((one) => one === kind) },
    since: since ? fromTime.parse(since) : undefined,
    until: until ? untilTime.parse(until) : undefined,
  });
}

const person = (ctx: Ctx, text: string) =>
  text.includes("@") ? getUserByEmail(ctx, { email: text.trim() }).email && text.trim() : text.trim();

/** The rule of a date that may be missing; the text itself is kept. */
const dateRule = (rule: typeof fromTime) =>
  z
    .string()
    .trim()
    .superRefine((text, at) => {
      const found = text === "" ? null : rule.safeParse(text);
      if (found?.success === false) at.addIssue(`Enter ${found.error.issues[0]?.message}.`);
    });

function filterForm(session: ConsoleSession): ScreenForm {
  const people = () => addresses(session.ctx());
  const start = (name: Name) => choiceOf(session, name);
  return form({
    title: "Which entries to show",
    fields: {
      by: {
        label: "By",
        about: "Email address: what this person did. Empty: everyone.",
        rule: z.string().refine((text) => text === "" || text.includes("@"), "Enter an email address."),
        choices: people,
        open: true,
        read: person,
        start: start("by"),
      },
      about: {
        label: "About",
        about: "A person's email address, or the name of a channel, a group or another thing. Empty: all.",
        rule: z.string().max(200, "Enter at most 200 characters."),
        choices: people,
        open: true,
        read: person,
        start: start("about"),
      },
      kind: {
        label: "Kind",
        about: "What it is about. Empty: all.",
        rule: z.enum(["", ...subjects]),
        start: start("kind"),
      },
      since: {
        label: "From",
        about: "A date, as 2026-11-21.",
        rule: dateRule(fromTime),
        start: start("since"),
      },
      until: { label: "Until", about: "A date, included.", rule: dateRule(untilTime), start: start("until") },
    },
    submit(_, filter) {
      choose(session, filter);
      return Promise.resolve({ message: `Showing ${filterText(session)}.` });
    },
  });
}

function filterText(session: ConsoleSession): string {
  const given = names.flatMap((name) => {
    const text = choiceOf(session, name);
    return text === "" ? [] : [`${name} ${text}`];
  });
  return given.length === 0 ? "all entries" : `entries ${given.join(", ")}`;
}

function showAll(session: ConsoleSession): Promise<ActionOutcome> {
  choose(session, {});
  return Promise.resolve({ message: "Showing all entries." });
}

const actorText = ({ actor_name }: AuditEntry) => actor_name ?? "the system";

/** Without the kind of thing that the event names already: "Channel created", "design". */
function shortAbout(entry: AuditEntry): string {
  const { kind } = entry.about;
  const text = aboutText(entry);
  const word = `${kind.replaceAll("_", " ")} `;
  return entry.event.startsWith(kind) && text.startsWith(word) ? text.slice(word.length) : text;
}

export const audit = screen<AuditEntry>({
  key: "A",
  title: "Audit log",
  area: "Server",
  about: "who did what to the organization and to others, newest first",
  empty: "Nothing has been changed yet.",
  listShare: 0.7,
  follows: true,
  rows,
  id: ({ id }) => id,
  name: ({ event }) => nameInWords(event),
  head: (session) => {
    const text = filterText(session);
    return text === "all entries" ? [] : [line(`Showing ${text}.`, "accent"), []];
  },
  copies: ({ data }) => JSON.stringify(data),
  columns: [
    timeColumn("TIME", ({ at }) => at),
    { title: "WHO", value: actorText, most: 18 },
    { title: "WHAT", value: ({ event }) => nameInWords(event), tone: () => "accent", whole: true },
    { title: "ABOUT", value: shortAbout },
    { title: "DETAIL", value: detailText, grow: true, spare: true, most: 20, tone: () => "dim" },
  ],
  facts: ({ ctx }, entry) => [
    ["When", timeText(entry.at)],
    ["Who", actorText(entry), toAccount(ctx(), entry.actor_id)],
    ["By", entry.client],
    ["What", nameInWords(entry.event)],
    ["About", aboutText(entry), toSubject(ctx(), entry.about.kind, entry.about.id)],
    ...(entry.person_name === null
      ? []
      : [["Whose", entry.person_name, toAccount(ctx(), entry.person_id)] as const]),
  ],
  text: (_, { details }) =>
    Object.entries(details)
      .map(([name, text]) => `${name}: ${text}`)
      .join("\n"),
  actions: [
    { key: "f", title: "which entries", need: "anyone", form: filterForm },
    { key: "x", title: "all entries", need: "anyone", run: showAll },
  ],
});

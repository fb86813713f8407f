import { z } from "zod";

/** What an entry can be about; some, such as `realm`, have no ID. */
export const subjects = [
  "realm",
  "user",
  "bot",
  "group",
  "channel",
  "topic",
  "folder",
  "invitation",
  "linkifier",
  "playground",
  "emoji",
  "profile_field",
  "domain",
  "default_channel_group",
  "message",
  "file",
  "report",
  "export",
  "mail",
  "webhook",
  "server",
] as const;
export type Subject = (typeof subjects)[number];

/** One act on what belongs to the organization or to somebody else. `data` is what changed, never a secret: `{ from, to }` for a replaced value. */
export const auditEntry = z.object({
  id: z.int(),
  /** UNIX seconds. */
  at: z.int(),
  /** Null if the system acted. */
  actor_id: z.int().nullable(),
  actor_name: z.string().nullable(),
  client: z.string(),
  event: z.string(),
  /** `name` is today's or, of what is gone, the last one; null if it has none. */
  about: z.object({ kind: z.enum(subjects), id: z.int().nullable(), name: z.string().nullable() }),
  /** Whose it was; null if it is the organization's. */
  person_id: z.int().nullable(),
  person_name: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
  /** `data` with names instead of IDs, as text. */
  details: z.record(z.string(), z.string()),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const date = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), "a date, as 2026-11-21 or 2026-11-21T09:30:00Z");
const secondsOf = (text: string) => Math.floor(Date.parse(text) / 1000);
const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);

/** From when on to list entries, as people enter it, in UNIX seconds. */
export const fromTime = date.transform(secondsOf);
/** Until when, exclusive; a day is listed as a whole. */
export const untilTime = date.transform((text) => secondsOf(text) + (isDay(text) ? 86_400 : 0));

/** The most entries that are listed at once. */
export const maxEntries = 1000;

/** What to list, newest first; `before` is the ID of the last entry seen. */
export interface AuditFilter {
  limit: number;
  before?: number | undefined;
  actorId?: number | undefined;
  /** Entries about this person and about what is theirs. */
  personId?: number | undefined;
  event?: string | undefined;
  about?: { kind?: Subject | undefined; id?: number | undefined } | undefined;
  /** What it is or was called, in any case. */
  aboutName?: string | undefined;
  /** UNIX seconds, inclusive. */
  since?: number | undefined;
  /** UNIX seconds, exclusive. */
  until?: number | undefined;
}

/** What a person types to say what entries are about: an address means a person, another text the name of a thing. */
export function concernOf(
  text: string | undefined,
  personWith: (email: string) => number,
): Pick<AuditFilter, "personId" | "aboutName"> {
  if (text === undefined) return {};
  return text.includes("@") ? { personId: personWith(text) } : { aboutName: text };
}

const between: Partial<Record<Subject, string>> = {
  message: " in",
  export: " of",
  mail: " to",
  webhook: " of",
};

/** What an entry is about, as people read it: "channel Office", "message in Office › lunch, by Mel". */
export function aboutText({ about, person_name }: Pick<AuditEntry, "about" | "person_name">): string {
  const { kind, id, name } = about;
  const word = kind === "realm" ? "the organization" : kind.replaceAll("_", " ");
  if (kind === "report" && person_name !== null) return `report about ${person_name}`;
  const rest = name ?? (id === null ? null : String(id));
  const what = rest === null ? word : `${word}${name === null ? "" : (between[kind] ?? "")} ${rest}`;
  if (person_name === null) return what;
  return kind === "message" ? `${what}, by ${person_name}` : `${what}, of ${person_name}`;
}

/** An entry's details in one line: "name: Office, private: yes". */
export function detailText({ details }: Pick<AuditEntry, "details">): string {
  return Object.entries(details)
    .map(([name, text]) => `${name}: ${text}`)
    .join(", ");
}

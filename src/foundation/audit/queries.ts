import { allow } from "@/foundation/permissions/access.ts";
import { roleNameOf } from "@/foundation/permissions/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { type AuditEntry, type AuditFilter, maxEntries, type Subject } from "./schema.ts";
import type { StoredEntry } from "./store.ts";
import * as store from "./store.ts";

/** Who did what to the organization and to other people's things, newest first; at most 1,000 entries at once. */
export const listAudit = query(allow.admin, (ctx, filter: AuditFilter): AuditEntry[] => {
  const { about } = filter;
  if (about?.id !== undefined && about.kind === undefined)
    fail("BAD_REQUEST", "An ID says what an entry is about only together with its kind.");
  const found = store.listEntries(ctx, { ...filter, limit: Math.min(filter.limit, maxEntries) });
  return found.map(entryPresenter(ctx));
});

type Named = Subject | "role" | "time";

/** What numbers under a key stand for. */
const byKey: Readonly<Record<string, Named>> = {
  user_ids: "user",
  members: "user",
  members_added: "user",
  members_removed: "user",
  subgroups: "group",
  subgroups_added: "group",
  subgroups_removed: "group",
  group_ids: "group",
  channel_ids: "channel",
  role: "role",
  expires_at: "time",
  sent_at: "time",
  backup_of: "time",
};

/** What the numbers of an event that replaces one by another stand for. */
const byEvent: Readonly<Record<string, Named>> = {
  user_role_changed: "role",
  bot_role_changed: "role",
  bot_owner_changed: "user",
  channel_folder_changed: "folder",
  channel_permission_changed: "group",
  folders_reordered: "folder",
  linkifiers_reordered: "linkifier",
  profile_fields_reordered: "profile_field",
};

function kindOf(event: string, key: string): Named | null {
  if (key === "from" || key === "to") return byEvent[event] ?? null;
  if (/_(channel|stream)_id$|^channel_id$/.test(key)) return "channel";
  if (/_group$/.test(key)) return "group";
  if (/_user_id$|^user_id$/.test(key)) return "user";
  return byKey[key] ?? null;
}

/** Presents entries with today's names. It remembers them, so use it within one tick. */
function entryPresenter(reads: Reads): (entry: StoredEntry) => AuditEntry {
  const known = new Map<string, string | null>();
  const nameOf = (kind: Subject, id: number): string | null => {
    const key = `${kind} ${id}`;
    const name = known.has(key) ? (known.get(key) ?? null) : store.findName(reads, kind, id);
    known.set(key, name);
    return name;
  };
  return (entry) => {
    const { kind, id, name } = entry.about;
    const details = Object.entries(entry.data).map(([key, value]) => {
      return [key.replaceAll("_", " "), wording(value, kindOf(entry.event, key), nameOf)];
    });
    const personName = (userId: number | null) => (userId === null ? null : nameOf("user", userId));
    return {
      ...entry,
      actor_name: personName(entry.actor_id),
      person_name: personName(entry.person_id),
      about: { kind, id, name: (id === null ? null : nameOf(kind, id)) ?? name },
      details: Object.fromEntries(details),
    };
  };
}

type NameOf = (kind: Subject, id: number) => string | null;

function wording(value: unknown, kind: Named | null, nameOf: NameOf): string {
  if (value === null || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  if (typeof value === "number") return numberText(value, kind, nameOf);
  if (Array.isArray(value)) return listText(value, (one) => wording(one, kind, nameOf));
  if (typeof value !== "object") return String(value);
  return objectText(value as Record<string, unknown>, kind, nameOf);
}

const maxListed = 20;

function listText(values: readonly unknown[], word: (one: unknown) => string): string {
  const named = values.slice(0, maxListed).map(word).join(", ");
  if (values.length <= maxListed) return named || "none";
  return `${named} and ${values.length - maxListed} more`;
}

function numberText(value: number, kind: Named | null, nameOf: NameOf): string {
  if (kind === null) return String(value);
  if (kind === "role") return roleNameOf(value);
  if (kind === "time") return `${new Date(value * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  if (kind === "channel" && value < 0) return "none";
  return nameOf(kind, value) ?? `${kind.replaceAll("_", " ")} ${value}`;
}

function objectText(value: Record<string, unknown>, kind: Named | null, nameOf: NameOf): string {
  const { from, to, direct_members: members, direct_subgroups: groups } = value;
  if ("from" in value && "to" in value)
    return `${wording(from, kind, nameOf)} → ${wording(to, kind, nameOf)}`;
  if (Array.isArray(members) && Array.isArray(groups)) {
    const named = [
      ...members.map((id) => wording(id, "user", nameOf)),
      ...groups.map((id) => wording(id, "group", nameOf)),
    ];
    return named.join(", ") || "nobody";
  }
  return Object.entries(value)
    .filter(([, one]) => !Array.isArray(one) || one.length > 0)
    .map(([key, one]) => `${key.replaceAll("_", " ")} ${wording(one, kindOf("", key) ?? kind, nameOf)}`)
    .join(", ");
}

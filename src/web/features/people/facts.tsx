// Facts about a person, as text.
import type { ProfileField } from "@/foundation/profile-fields/schema.ts";
import { listNames, locale, t } from "../../lib/texts.ts";
import { hoursFor } from "../../lib/times.ts";
import { ownerRole, type Person } from "../../state/people.ts";
import type { State } from "../../state/state.ts";

interface Fact {
  name: string;
  value: string;
  href?: string;
}

const types = { choice: 3, date: 4, link: 5, person: 6, external: 7 };

export const roles = [
  { value: ownerRole, label: t("Owner") },
  { value: 200, label: t("Administrator") },
  { value: 300, label: t("Moderator") },
  { value: 400, label: t("Member") },
  { value: 600, label: t("Guest") },
] as const;

export function roleName({ is_bot, role }: Pick<Person, "is_bot" | "role">): string {
  return is_bot ? t("Bot") : (roles.find(({ value }) => value === role)?.label ?? t("Member"));
}

/** "14:05 there"; empty if unknown or the same as here. */
export function localTimeOf(timezone: string, now: number, isTwentyFour: boolean): string {
  if (timezone === "" || timezone === Intl.DateTimeFormat().resolvedOptions().timeZone) return "";
  const options = { hour: "numeric", minute: "2-digit", ...hoursFor(isTwentyFour) } as const;
  try {
    const there = new Date(now).toLocaleTimeString(locale, { ...options, timeZone: timezone });
    const here = new Date(now).toLocaleTimeString(locale, options);
    return there === here ? "" : t("{time} there", { time: there });
  } catch {
    return "";
  }
}

export function factsOf(state: State, person: Person): Fact[] {
  const { organization, users } = state;
  const fields = organization.custom_profile_fields;
  const email = person.delivery_email ? [{ name: t("Email"), value: person.delivery_email }] : [];
  const owner = person.bot_owner_id
    ? [{ name: t("Owner|of a bot"), value: users[person.bot_owner_id]?.full_name ?? "" }]
    : [];
  const joined = new Date(person.date_joined).toLocaleDateString(locale, { dateStyle: "medium" });
  const own = fields.flatMap((field): Fact[] => {
    const value = person.profile_data?.[field.id]?.value;
    return value ? [factOf(state, field, value)] : [];
  });
  return [...email, ...owner, ...own, { name: t("Joined|the organization"), value: joined }];
}

function factOf(
  { users, organization }: State,
  { name, type, field_data }: ProfileField,
  value: string,
): Fact {
  if (type === types.choice) return { name, value: choices(field_data)[value]?.text ?? value };
  if (type === types.person) {
    const ids: unknown = parseJson(value);
    const names = Array.isArray(ids) ? ids.map((id: number) => users[id]?.full_name ?? "") : [value];
    return { name, value: listNames(names) };
  }
  if (type === types.date) {
    const day = new Date(`${value}T00:00`);
    return { name, value: day.toLocaleDateString(locale, { dateStyle: "long" }) };
  }
  if (type === types.external) {
    const site = siteOf(field_data);
    const pattern =
      site.url_pattern ?? organization.realm_default_external_accounts[site.subtype]?.url_pattern;
    return pattern
      ? { name, value, href: pattern.replace("%(username)s", encodeURIComponent(value)) }
      : { name, value };
  }
  const isUrl = type === types.link && /^https?:\/\//.test(value);
  return isUrl ? { name, value, href: value } : { name, value };
}

function choices(data: string): Record<string, { text?: string }> {
  const value = parseJson(data);
  return typeof value === "object" && value !== null ? (value as Record<string, { text?: string }>) : {};
}

/** Where the accounts of a field are: a site that the server knows, or an address with a mark for the name. */
function siteOf(data: string): { subtype: string; url_pattern?: string } {
  return JSON.parse(data) as { subtype: string; url_pattern?: string };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function FactValue({ value, href }: Fact) {
  if (!href) return value;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {value}
    </a>
  );
}

// The parts of the sample organization's script.
import { z } from "zod";
import type { RoleName } from "@/foundation/permissions/schema.ts";
import { setting, settings } from "@/kernel/store/settings.ts";

/** Whether the organization is a sample, whose accounts `serve --dev` opens to everybody at this machine. */
export const sampleSettings = settings("sample", {
  is_sample: setting(z.boolean(), false, "The organization is a sample of 'serve --dev'"),
});

/** People, by their names in the script. */
export type CastMember = "ines" | "tomas" | "priya" | "hugo" | "mei" | "omar" | "ruth" | "lena" | "paul";
export type Speaker = CastMember | "builds";

export const people: Record<CastMember, { full_name: string; role: RoleName }> = {
  ines: { full_name: "Ines Carvalho", role: "owner" },
  tomas: { full_name: "Tomas Lindqvist", role: "admin" },
  priya: { full_name: "Priya Raman", role: "moderator" },
  hugo: { full_name: "Hugo Baptiste", role: "member" },
  mei: { full_name: "Mei Tanaka", role: "member" },
  omar: { full_name: "Omar Haddad", role: "member" },
  ruth: { full_name: "Ruth Adeyemi", role: "member" },
  lena: { full_name: "Lena Vogel", role: "guest" },
  paul: { full_name: "Paul Jensen", role: "member" },
};

export const addressOf = (person: CastMember) => `${person}@example.com`;

export interface SampleChannel {
  name: string;
  description: string;
  folder: "Projects" | "Company";
  members: readonly CastMember[];
  invite_only?: true;
  history_public_to_subscribers?: boolean;
  isDefault?: true;
}

/** A message: its place, its sender, its text and what happens to it later. */
export interface ScriptLine {
  who: Speaker;
  /** A channel and topic, or people. */
  to: readonly [channel: string, topic: string] | readonly CastMember[];
  text: string;
  /** Minutes after the previous message. */
  after?: number;
  reactions?: Partial<Record<string, readonly CastMember[]>>;
  /** The text after its author edited it. */
  better?: string;
  /** Chosen options of a poll by number, or finished tasks of a to-do list. */
  votes?: readonly (readonly [CastMember, number])[];
  starredBy?: readonly CastMember[];
}

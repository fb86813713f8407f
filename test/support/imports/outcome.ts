// Runs an import with the executable, and reads the result.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ImportReport, importReport } from "@/operations/import/schema.ts";
import { call, confab, json, newFolder, type Server } from "../executable.ts";

export interface Row {
  [column: string]: unknown;
}

export type Section =
  | "users"
  | "channels"
  | "subscriptions"
  | "messages"
  | "message_edits"
  | "reactions"
  | "emoji"
  | "groups"
  | "group_members"
  | "audit_log";

/** An export of the organization, by our own command. */
export type Document = Record<Section, Row[]>;

export async function imported(
  source: string,
  file: string,
  { data = join(newFolder(), "data"), args = [] }: { data?: string; args?: readonly string[] } = {},
): Promise<{ data: string; report: ImportReport; document: Document }> {
  const report = importReport.parse(await json(["import", source, file, "--data", data, ...args]));
  return { data, report, document: await documentOf(data) };
}

export async function documentOf(data: string): Promise<Document> {
  const file = join(newFolder(), "out.json");
  await json(["export", "organization", file, "--data", data]);
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The error text of an import that is refused. */
export async function refusal(args: readonly string[]): Promise<string> {
  const { status, stderr } = await confab(["import", ...args]);
  if (status !== 1) throw new Error(`confab import ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stderr.trim();
}

/** The rows with only these columns. */
export function columns(rows: readonly Row[], ...names: readonly string[]): unknown[][] {
  return rows.map((row) => names.map((name) => row[name]));
}

/** The name of each person, by ID. */
export function namesIn({ users }: Document): (id: unknown) => string {
  const names = new Map(users.map(({ user_id, full_name }) => [user_id, String(full_name)]));
  return (id) => names.get(id) ?? String(id);
}

/** Each message: channel or people, topic, sender, time, text. */
export function said(document: Document): unknown[][] {
  const name = namesIn(document);
  const channels = new Map(document.channels.map((row) => [row.id, row.name]));
  return document.messages.map(({ channel_id, participants, topic, sender_id, sent_at, content }) => [
    channel_id === null
      ? String(participants).split(",").map(Number).map(name).join(", ")
      : channels.get(channel_id),
    topic,
    name(sender_id),
    sent_at,
    content,
  ]);
}

/** Who is in which channel. */
export function members(document: Document): Record<string, string[]> {
  const name = namesIn(document);
  return Object.fromEntries(
    document.channels.map((channel) => [
      channel.name,
      document.subscriptions.filter((row) => row.channel_id === channel.id).map((row) => name(row.user_id)),
    ]),
  );
}

/** The flags of a user on messages, by ID. Creates a new key for the user to read them. */
export async function flagsOf(
  server: Server,
  data: string,
  email: string,
): Promise<Record<number, string[]>> {
  const { api_key } = await json<{ api_key: string }>([
    "user",
    "api-key",
    email,
    "--rotate",
    "--yes",
    "--data",
    data,
  ]);
  const asked = { anchor: "newest", num_before: "1000", num_after: "0" };
  const { body } = await call(server, { email, api_key }, ["GET", "/messages"], asked);
  const messages = body.messages as { id: number; flags: string[] }[];
  return Object.fromEntries(messages.map(({ id, flags }) => [id, flags]));
}

// Commands against a remote server, over HTTP. The API key comes from a file or a prompt: arguments appear in `ps` and
// the shell's history.
import { readFileSync } from "node:fs";
import { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { type CommandLine, needed } from "@/operations/command-line/schema.ts";
import { ask } from "./confirm.ts";
import { readInput, readSecret } from "./input.ts";
import { failUsage } from "./misuse.ts";
import {
  checkKeyText,
  getProfile,
  keyOfProfile,
  readKey,
  readProfiles,
  type ServerProfile,
} from "./profile-store.ts";
import { checkShape, failRefused, jsonIn, type Server, serverAt, unreachable } from "./server.ts";
import { streams } from "./streams.ts";

/** What the command line says about a remote server. */
export interface Remote {
  server: string | undefined;
  profile: string | undefined;
  key_file: string | undefined;
}

/** An account at a remote server. */
export interface RemoteAccount extends ServerProfile {
  key: string;
}

export const serverUrl = z
  .string()
  .refine(
    (text) => /^https?:\/\/[^\s/@?#]+(\/[^\s?#]*)?$/.test(text) && URL.canParse(text),
    "a server's address starts with https://, such as https://chat.example.com",
  )
  .refine(
    (text) => text.startsWith("https:") || isLoopback(text),
    "over http:// the key could be read on the way: use https:// (http:// works for this machine alone)",
  )
  .transform((text) => text.replace(/\/+$/, ""));

function isLoopback(text: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(text)?.hostname ?? "");
}

/** The account that the options name: by profile, or by address and server. */
export async function remoteAccount(
  { server, profile, key_file }: Remote,
  as: string | null,
): Promise<RemoteAccount> {
  if (profile !== undefined) {
    if (server !== undefined) failUsage("choose one: --server or --profile");
    const named = getProfile(profile);
    if (as !== null && !isSame(as, named.email)) failUsage(`the profile ${profile} acts as ${named.email}`);
    return { ...named, key: key_file === undefined ? keyOfProfile(profile) : readKey(key_file) };
  }
  const address = checkServer(server);
  const known = profilesAt(address).filter(([, one]) => as === null || isSame(as, one.email));
  const [only] = known;
  if (only && known.length === 1 && key_file === undefined) return { ...only[1], key: keyOfProfile(only[0]) };
  if (as === null) return failUsage("--server needs --as EMAIL, or a profile: see 'confab profile add'");
  const key = key_file === undefined ? await askKey(as, address) : readKey(key_file);
  return { server: address, email: as, key, ...(only ? { ca: only[1].ca } : {}) };
}

/** The server that the options name, for what needs no account. */
export function remoteAddress({ server, profile }: Remote): Pick<ServerProfile, "server" | "ca"> {
  if (profile === undefined) {
    const address = checkServer(server);
    return profilesAt(address)[0]?.[1] ?? { server: address };
  }
  return server === undefined ? getProfile(profile) : failUsage("choose one: --server or --profile");
}

function checkServer(server: string | undefined): string {
  const checked = serverUrl.safeParse(server);
  return checked.success ? checked.data : failUsage(`--server: ${checked.error.issues[0]?.message}`);
}

function profilesAt(server: string): [name: string, profile: ServerProfile][] {
  return Object.entries(readProfiles().profiles).filter(([, one]) => one.server === server);
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

async function askKey(email: string, server: string): Promise<string> {
  if (!streams().isTerminal())
    failUsage(`no key of ${email} at ${server} is known: use --key-file FILE, or 'confab profile add'`);
  return checkKeyText(await readSecret(`API key of ${email}`, { once: true }), "What was typed");
}

/** Sends requests as the account. Follows no redirects, which could leak the key. */
export function requestAs({ server, email, key, ca }: RemoteAccount) {
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  const tls = trustIn(ca);
  return (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${server}${path}`, {
      redirect: "error",
      ...init,
      ...(tls ? { tls } : {}),
      headers: { ...(init.headers as Record<string, string>), authorization, "user-agent": "confab/1" },
    });
}

/** A remote server, queried as the account. */
export function remoteServer(account: RemoteAccount): CommandServer {
  const asked = serverAt(requestAs(account), account.server);
  return { ...asked, run: (line) => runAt(asked, line) };
}

/** A file of a remote server, as it comes; throws if the server refuses it. */
export async function download(
  { server, email, key, ca }: RemoteAccount,
  path: string,
  method: "GET" | "POST" = "GET",
): Promise<AsyncIterable<Uint8Array>> {
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  const tls = trustIn(ca);
  const headers = { authorization, "user-agent": "confab/1" };
  const named = { address: server };
  const answer = await fetch(`${server}${path}`, {
    redirect: "error",
    method,
    headers,
    ...(tls ? { tls } : {}),
  }).catch((error) => unreachable(named, error));
  if (!answer.ok || !answer.body)
    return failRefused(named, { status: answer.status, body: jsonIn(await answer.text()) });
  return answer.body;
}

/** Trust in a certificate that is in a file. */
export function trustIn(ca: string | undefined): { ca: string } | undefined {
  return ca === undefined ? undefined : { ca: certificateIn(ca) };
}

function certificateIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return fail("BAD_REQUEST", `The certificate ${path} cannot be read.`);
  }
}

const commandMs = 120_000;
const ran = z.object({ result: z.literal("success"), document: z.unknown() });
/** What a Confab without this endpoint answers. */
const nothingThere = "There is nothing at this address.";
const refusal = z.object({
  msg: z.string(),
  misused: z.boolean().optional(),
  needs: z.unknown().optional(),
});

/** A command line, with the content of the file that the command reads. */
export type RemoteLine = Omit<CommandLine, "file" | "isOperator"> & { file?: Blob | undefined };

/** A server that runs commands. */
export interface CommandServer extends Server {
  run(line: RemoteLine): Promise<unknown>;
}

/** Runs a command there; asks here for what it needs of the person. */
export async function runAt(server: Server, line: RemoteLine): Promise<unknown> {
  const { command, given, agreed, input, file } = line;
  const fields = {
    command,
    given: JSON.stringify(given),
    agreed: String(agreed),
    ...(input === undefined ? {} : { input }),
  };
  const init = { method: "POST", body: file ? partsOf(fields, file) : new URLSearchParams(fields) };
  const { ok, status, body } = await server.send("/api/v1/command", { patienceMs: commandMs, init });
  if (ok) return checkShape(ran, body, server).document;
  // A command that finds nothing answers 404, too.
  const refused = refusal.safeParse(body).data;
  if (status === 405 || (status === 404 && (refused?.msg ?? nothingThere) === nothingThere))
    fail("BAD_REQUEST", "That server does not take commands: it is older than this program, or no Confab.");
  if (refused?.misused) return failUsage(refused.msg);
  const needs = refused?.needs === undefined ? undefined : needed.safeParse(body).data;
  if (!needs) return failRefused(server, { status, body });
  if (needs.needs === "agreement" ? agreed : input !== undefined)
    return fail("BAD_REQUEST", "The server asks for the same thing again.");
  if (needs.needs === "agreement") {
    await ask(needs.question);
    return runAt(server, { ...line, agreed: true });
  }
  const typed = needs.needs === "secret" ? await readSecret(needs.question) : await readInput();
  return runAt(server, { ...line, input: typed });
}

function partsOf(fields: Record<string, string>, file: Blob): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", file, "file");
  return form;
}

// Unless NATS syncs each entry, a power cut can lose acknowledged ones; so a node checks its settings before it starts.
import { z } from "zod";
import { certificateFault } from "@/kernel/http/certificates.ts";
import { reasonOf } from "../reasons.ts";

/** Older versions have known bugs that lose acknowledged entries. */
const oldest = [2, 10, 23] as const;
const answerMs = 5_000;

/** Where an operator gets one that is new enough. */
const sources = "Debian has one from release 13 (trixie) on, and https://nats.io/download the newest";
export const tooOldToStart = `One that ends at once with 'unknown field "sync_interval"' is too old, such as the 2.9 of Debian 12 (bookworm): ${sources}.`;

/** No answer, or none yet. */
export class Silence extends Error {}

const varz = z.object({
  server_name: z.string(),
  version: z.string(),
  now: z.string().optional(),
  jetstream: z
    .object({ config: z.object({ sync_always: z.boolean().default(false) }).optional() })
    .optional(),
});

/** How far a nats-server's clock is ahead of this machine's, in milliseconds; null if it does not say. */
export async function clockAt(address: string, ca?: string): Promise<number | null> {
  const asked = Date.now();
  const { now } = await settingsAt(address, ca);
  const at = Date.parse(now ?? "");
  return Number.isNaN(at) ? null : at - (asked + Date.now()) / 2;
}

/** Throws unless the server of a connection is new enough. */
export function checkVersion(server: string, version: string): void {
  const parts = version.split(/[.-]/).map(Number);
  const at = oldest.findIndex((part, n) => parts[n] !== part);
  if (at < 0 || (parts[at] ?? 0) > (oldest[at] ?? 0)) return;
  throw new Error(
    `The nats-server ${server} is version ${version}; several nodes need ${oldest.join(".")} or newer. ${sources}.`,
  );
}

/**
 * Reads a nats-server's settings at its monitoring address, such as http://nats-1:8222, and returns its name; throws unless it
 * stores entries safely. `ca` has the authorities (PEM) to trust for https.
 */
export async function checkServer(address: string, ca?: string): Promise<string> {
  const { server_name, version, jetstream } = await settingsAt(address, ca);
  checkVersion(server_name, version);
  if (!jetstream?.config)
    throw new Error(`The nats-server ${server_name} runs without JetStream; start it with jetstream.`);
  if (jetstream.config.sync_always) return server_name;
  throw new Error(
    `The nats-server ${server_name} does not sync each entry, so a power cut would lose messages that were acknowledged. ` +
      "Set 'sync_interval: always' in its jetstream block.",
  );
}

const health = z.object({ status: z.string(), error: z.string().default("") });

/**
 * Why a nats-server lacks entries of the log that the others have, in its own words; null if it has all of them, or does not say. One that
 * has just started is behind for some seconds.
 */
export async function lagAt(address: string, ca?: string): Promise<string | null> {
  const { data } = health.safeParse(await askMonitor(address, "/healthz", ca));
  return data && data.status !== "ok" ? data.error : null;
}

async function settingsAt(address: string, ca: string | undefined): Promise<z.infer<typeof varz>> {
  try {
    return varz.parse(await askMonitor(address, "/varz", ca));
  } catch (error) {
    const isForeign = error instanceof z.ZodError || error instanceof SyntaxError;
    const isRefused = certificateFault(error, "nats_ca") !== null;
    const reason = isForeign ? "the answer is not that of a nats-server" : reasonOf(error, "nats_ca");
    const sentence = `No nats-server could be asked for its settings at ${address}: ${reason}.`;
    throw isForeign || isRefused ? new Error(sentence) : new Silence(sentence);
  }
}

/** What a nats-server answers at its monitoring address; `ca` has the authorities (PEM) to trust for https. */
export async function askMonitor(address: string, path: string, ca: string | undefined): Promise<unknown> {
  const response = await fetch(new URL(path, address), {
    signal: AbortSignal.timeout(answerMs),
    ...(ca === undefined ? {} : { tls: { ca } }),
  });
  return response.json();
}

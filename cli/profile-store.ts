// The remote servers that a person administers from here: a file of profiles, and next to it each profile's API key in a
// file that only its owner may read.
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { deleteForGood, writePrivately } from "@/operations/data-folder/host.ts";

export const profileName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,39}$/i, "a profile's name is up to 40 letters, digits, dots and hyphens");

const profile = z.object({ server: z.string(), email: z.string(), ca: z.string().optional() });
export type ServerProfile = z.infer<typeof profile>;

const stored = z.object({
  current: z.string().nullable().default(null),
  profiles: z.record(profileName, profile).default({}),
});
type Stored = z.infer<typeof stored>;

function folder(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "confab");
}
const listFile = () => join(folder(), "profiles.json");
const keyFileOf = (name: string) => join(folder(), "keys", name);

export function readProfiles(): Stored {
  if (!existsSync(listFile())) return stored.parse({});
  try {
    return stored.parse(JSON.parse(readFileSync(listFile(), "utf8")));
  } catch (error) {
    return fail("BAD_REQUEST", `${listFile()} cannot be read: ${(error as Error).message.split("\n")[0]}`);
  }
}

export function getProfile(name: string): ServerProfile {
  const { profiles } = readProfiles();
  return (
    profiles[name] ?? fail("BAD_REQUEST", `There is no profile '${name}'; 'confab profile list' shows them.`)
  );
}

export function addProfile(name: string, made: ServerProfile, key: string): void {
  const { current, profiles } = readProfiles();
  writePrivately(keyFileOf(name), `${key}\n`);
  chmodSync(join(folder(), "keys"), 0o700);
  save({ current: current ?? name, profiles: { ...profiles, [name]: made } });
}

export function chooseProfile(name: string): void {
  getProfile(name);
  save({ ...readProfiles(), current: name });
}

export function removeProfile(name: string): void {
  getProfile(name);
  const { current, profiles } = readProfiles();
  const { [name]: _, ...others } = profiles;
  save({ current: current === name ? null : current, profiles: others });
  deleteForGood(keyFileOf(name));
}

function save(list: Stored): void {
  writePrivately(listFile(), `${JSON.stringify(list, null, 2)}\n`);
}

export const keyOfProfile = (name: string) => readKey(keyFileOf(name));

/** The API key in a file; refuses a file that others may read. */
export function readKey(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) fail("BAD_REQUEST", `There is no key file ${path}.`);
  if (process.platform !== "win32" && (stat.mode & 0o077) !== 0)
    fail(
      "BAD_REQUEST",
      `Others may read the key file ${path}: make it yours alone with 'chmod 600 ${path}'.`,
    );
  return checkKeyText(readFileSync(path, "utf8").trim(), path);
}

/** Refuses what cannot be an API key; the error does not repeat it. */
export function checkKeyText(key: string, from: string): string {
  if (!/^[\x21-\x7e]{8,200}$/.test(key)) fail("BAD_REQUEST", `${from} holds no API key.`);
  return key;
}

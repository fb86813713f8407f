// The single sign-on providers in confab.toml: a table [oidc.NAME] for each.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { wordingAfter } from "@/kernel/lib/wording.ts";
import { type Provider, providerName, providerRule } from "@/outside/single-sign-on/schema.ts";
import { settingsFile } from "./settings.ts";

/** The providers in the data folder's confab.toml, in its order. Throws if one cannot be used. */
export function providersOf(dataDir: string): Provider[] {
  const path = join(dataDir, settingsFile);
  if (!existsSync(path)) return [];
  const { oidc } = Bun.TOML.parse(readFileSync(path, "utf8")) as { oidc?: unknown };
  if (oidc === undefined) return [];
  const refuse = (problem: string): never => fail("BAD_REQUEST", `${path}: ${problem}.`);
  if (typeof oidc !== "object" || oidc === null)
    return refuse("'oidc' must be tables, such as [oidc.company]");
  return Object.entries(oidc).map(([name, given]) => {
    if (!providerName.safeParse(name).success) {
      refuse(`[oidc.${name}]: a provider's name has at most 30 small letters, digits and hyphens`);
    }
    const read = providerRule.safeParse(given);
    if (!read.success) {
      const [issue] = read.error.issues;
      return refuse(wordingAfter(`[oidc.${name}] ${issue?.path.join(".") ?? ""}`, issue));
    }
    const { icon } = read.data;
    if (icon !== undefined && !iconType(icon)) {
      refuse(`[oidc.${name}] icon must be the path of a .png, .svg or .webp file`);
    }
    return { ...read.data, name };
  });
}

const types: Record<string, string> = { png: "image/png", svg: "image/svg+xml", webp: "image/webp" };
const mostIconBytes = 32_768;

function iconType(path: string): string | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
  return size <= mostIconBytes ? (types[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ""] ?? null) : null;
}

/** A provider as /server_settings lists it; its icon as a `data:` URL. */
export function presentProvider({ name, button = name, icon }: Provider): {
  name: string;
  button: string;
  icon: string | null;
} {
  const type = icon === undefined ? null : iconType(icon);
  const data = icon === undefined || type === null ? null : readFileSync(icon).toString("base64");
  return { name, button, icon: data === null ? null : `data:${type};base64,${data}` };
}

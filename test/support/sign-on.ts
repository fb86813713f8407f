// Single sign-on in a world: a real provider, and browsers that go to it and come back.
import { expect } from "bun:test";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import type { Log } from "@/kernel/lib/log.ts";
import { setProviders } from "@/outside/single-sign-on/host.ts";
import { type Provider, providerRule } from "@/outside/single-sign-on/schema.ts";
import { client, type TestProvider } from "./oidc.ts";
import type { Json } from "./requests.ts";
import { type WebClient, webClient } from "./web-session.ts";
import { type World, world } from "./world.ts";

const site = "https://chat.example.com";

export interface SceneOptions {
  /** Settings of the provider that differ. */
  more?: Partial<Provider>;
  onWarning?: Log["warn"] | undefined;
}

/** A world with a provider named "company", at which Mel signs in next. */
export async function signOnScene(
  provider: TestProvider,
  { more = {}, onWarning }: SceneOptions = {},
): Promise<World> {
  const w = world({ onWarning });
  nameProvider(w, provider, more);
  const sign_on = [{ name: "company", button: "Company", icon: null }];
  await setServerOptions(w.app.system, { sign_on });
  provider.person = { sub: "mel-1", email: "mel@example.com", email_verified: true, name: "Mel" };
  return w;
}

/** Makes this the provider that confab.toml names "company". */
export function nameProvider(w: World, provider: TestProvider, more: Partial<Provider> = {}): void {
  const rule = { issuer: provider.issuer, ...client, scopes: "openid profile email groups" };
  setProviders(w.app.env, [{ ...providerRule.parse(rule), name: "company", button: "Company", ...more }]);
}

/** A browser at the provider: follows its redirects with its cookies until one leads back to us. */
export async function atProvider(url: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let at = url, hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const { name, value } = Bun.Cookie.parse(set);
      cookies.set(name, value);
    }
    const next = answer.headers.get("location");
    if (next === null) throw new Error(`${at} answered ${answer.status}: ${await answer.text()}`);
    at = new URL(next, at).href;
    if (at.startsWith(site)) return at.slice(site.length);
  }
  throw new Error("too many redirects");
}

export interface Back {
  status: number;
  location: string;
  text: string;
}

/** Starts a sign-in; returns the provider's address. */
export async function start(browser: WebClient, query = ""): Promise<string> {
  const { status, headers } = await browser.ask("GET", `/login/oidc/company${query}`);
  expect(status).toBe(302);
  return headers.get("location") ?? "";
}

export async function comeBack(browser: WebClient, path: string): Promise<Back> {
  const { status, headers, body } = await browser.ask("GET", path);
  return { status, location: headers.get("location") ?? "", text: String(body) };
}

/** Signs in at the provider as the person that it has next. */
export async function signIn(
  w: World,
  { browser = webClient(w.app), query = "" }: { browser?: WebClient; query?: string } = {},
): Promise<Back & { browser: WebClient }> {
  return { ...(await comeBack(browser, await atProvider(await start(browser, query)))), browser };
}

/** Answers the page that asks for the password, or the code, of the account that a sign-in would join. */
export async function proveAccount(
  browser: WebClient,
  given: { password?: string; code?: string },
): Promise<Back> {
  const { status, headers, body } = await browser.ask("POST", "/complete/oidc/company", given);
  return { status, location: headers.get("location") ?? "", text: String(body) };
}

/** Who is signed in. */
export const whoIs = async (browser: WebClient): Promise<Json> =>
  (await browser.ask("GET", "/json/users/me")).body;

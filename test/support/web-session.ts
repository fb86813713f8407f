// A browser as the server sees it: keeps cookies, and sends the CSRF token as the web client does.

import type { App } from "@/app.ts";
import { setPassword } from "@/foundation/accounts/actions.ts";
import { type Json, type Method, type Params, requestOf } from "./requests.ts";
import type { CastName, World } from "./world.ts";

export const password = "correct horse battery";

interface WebAnswer {
  status: number;
  body: Json;
  headers: Headers;
}

interface WebOptions {
  /** Headers that are added to a page's own, or replace them. */
  headers?: Record<string, string>;
}

export interface WebClient {
  /** By name, as the browser keeps them. */
  readonly cookies: Map<string, string>;
  ask(method: Method, path: string, params?: Params, options?: WebOptions): Promise<WebAnswer>;
  signIn(username: string, password?: string): Promise<WebAnswer>;
}

interface Browsing {
  /** The site of the page; by default that of the server. */
  site?: string;
  userAgent?: string;
  /** The network address that a proxy forwards. */
  from?: string;
}

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** A server in this process, or what asks one elsewhere. */
export interface Reached {
  env: Pick<App["env"], "site">;
  fetch: (request: Request) => Response | Promise<Response>;
}

/** A browser without cookies. Paths are relative to the server's root. */
export function webClient(
  app: Reached,
  { site = app.env.site, userAgent = firefox, from }: Browsing = {},
): WebClient {
  const cookies = new Map<string, string>();
  const csrfToken = () => [...cookies].find(([name]) => name.endsWith("csrftoken"))?.[1];
  const ask: WebClient["ask"] = async (method, path, params = {}, options = {}) => {
    const headers: Record<string, string> = { "user-agent": userAgent, accept: "application/json" };
    if (from !== undefined) headers["x-forwarded-for"] = from;
    if (cookies.size > 0) headers.cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const token = csrfToken();
    if (token !== undefined && method !== "GET") headers["x-csrftoken"] = token;
    Object.assign(headers, options.headers);
    const request = requestOf(site + path, method, { params, headers });
    const response = await app.fetch(request);
    for (const set of response.headers.getSetCookie()) {
      const { name, value, maxAge } = Bun.Cookie.parse(set);
      if (maxAge === 0) cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
  };
  return {
    cookies,
    ask,
    signIn: (username, secret = password) => ask("POST", "/login", { username, password: secret }),
  };
}

/** Gives a user of the cast the password. */
export async function givePassword(w: World, name: CastName): Promise<void> {
  await setPassword(w.ctx(name), { user_id: w.user(name).id, password });
}

/** A browser in which a user of the cast is signed in. */
export async function signedIn(w: World, name: CastName, browsing?: Browsing): Promise<WebClient> {
  const client = webClient(w.app, browsing);
  const { status } = await client.signIn(w.user(name).email);
  if (status !== 200) throw new Error(`${name} could not sign in: ${status}`);
  return client;
}

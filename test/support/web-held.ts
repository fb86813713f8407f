// Holds requests of a person's browser back, so that a test can act while they are under way.
import type { HTTPRequest, Page as Tab } from "puppeteer-core";
import type { Seat } from "./web-people.ts";

export interface Hold {
  /** Resolves once a request has been held back. */
  first: Promise<void>;
  /** Lets the requests through. */
  release(): Promise<void>;
  /** Refuses them, once there is one. */
  refuse(): Promise<void>;
  /** Ends them as if the server were not reached, once there is one. */
  cutOff(): Promise<void>;
}

const refusal = {
  status: 400,
  contentType: "application/json",
  body: JSON.stringify({ result: "error", code: "BAD_REQUEST", msg: "Not today" }),
};

/** Returns true if it takes the request. */
type Taker = (request: HTTPRequest) => boolean;

const takersOf = new WeakMap<Tab, Set<Taker>>();

/** Intercepts from the first hold until the page is closed: a request that is made while interception ends may never be sent. */
async function intercept(tab: Tab): Promise<Set<Taker>> {
  const known = takersOf.get(tab);
  if (known) return known;
  const takers = new Set<Taker>();
  takersOf.set(tab, takers);
  tab.on("request", (request) => {
    for (const take of takers) if (take(request)) return;
    // A page that is left takes its requests with it.
    request.continue().catch(() => {});
  });
  await tab.setRequestInterception(true);
  return takers;
}

/** Holds back the requests that the browser makes from now on, of those that this chooses. */
export async function holdRequests(
  { tab }: Pick<Seat, "tab">,
  which: (request: HTTPRequest) => boolean,
): Promise<Hold> {
  const held: HTTPRequest[] = [];
  const first = Promise.withResolvers<void>();
  const take: Taker = (request) => {
    if (!which(request)) return false;
    held.push(request);
    first.resolve();
    return true;
  };
  const takers = await intercept(tab);
  takers.add(take);
  const end = async (how: (request: HTTPRequest) => Promise<void>) => {
    if (!takers.delete(take)) return;
    await Promise.all(held.map((request) => how(request).catch(() => {})));
  };
  return {
    first: first.promise,
    release: () => end((request) => request.continue()),
    refuse: async () => {
      await first.promise;
      await end((request) => request.respond(refusal));
    },
    cutOff: async () => {
      await first.promise;
      await end((request) => request.abort());
    },
  };
}

export const isOf = (request: HTTPRequest, method: string, path: string | RegExp) => {
  const { pathname } = new URL(request.url());
  if (request.method() !== method) return false;
  return typeof path === "string" ? pathname.endsWith(path) : path.test(pathname);
};

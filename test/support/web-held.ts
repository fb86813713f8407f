// Holds requests of a person's browser back, so that a test can act while they are under way.
import type { HTTPRequest } from "puppeteer-core";
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

/** Holds back the requests that the browser makes from now on, of those that this chooses. */
export async function holdRequests(
  { tab }: Pick<Seat, "tab">,
  which: (request: HTTPRequest) => boolean,
): Promise<Hold> {
  const held: HTTPRequest[] = [];
  const first = Promise.withResolvers<void>();
  let isEnded = false;
  const take = (request: HTTPRequest) => {
    // Puppeteer throws if interception has ended meanwhile; such a request goes on by itself.
    if (isEnded) return void request.continue().catch(() => {});
    if (!which(request)) return void request.continue();
    held.push(request);
    first.resolve();
  };
  tab.on("request", take);
  await tab.setRequestInterception(true);
  const end = async (how: (request: HTTPRequest) => Promise<void>) => {
    if (isEnded) return;
    isEnded = true;
    await Promise.all(held.map(how));
    // Until then, the browser waits for a word on each request.
    await tab.setRequestInterception(false);
    tab.off("request", take);
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

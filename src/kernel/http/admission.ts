// Finds the actor of a request: by key under /api/v1, by a browser's session under /json, by either at the server's root.

import type { Actor, Credential } from "@/kernel/core/context.ts";
import { AppError, fail, RefusedLogin } from "@/kernel/lib/errors.ts";
import { clientName } from "./client-name.ts";
import type { AnswerHeaders } from "./compression.ts";
import type { AuthDoor, Endpoint, RequestFacts } from "./endpoint.ts";
import type { Forwarder } from "./forwarding.ts";
import type { Charge } from "./http-answers.ts";
import { connectionOf, findEntered, type HttpRequest, siteAsked } from "./request-facts.ts";

/** A user, and what let them in; 0 for a monitoring program, which is nobody. */
export interface Admitted {
  readonly userId: number;
  readonly by?: Credential | undefined;
}

export interface AdmissionOptions {
  /** Returns the user that an Authorization header names; throws 401 errors. */
  authenticate: (authorization: string | undefined, connection?: object) => Admitted;
  /** Returns the user whose API key this is; throws 401 errors. */
  authenticateKey?: (key: string) => Admitted;
  /** Returns what a monitoring program's Authorization header lets in, null if it is none; throws if its token is wrong. */
  admitWatcher?: (authorization: string) => Admitted | null;
  /** Returns the user whose session a request belongs to, null if it has none; throws if it is forged. */
  sessionUser?: (request: RequestFacts) => Admitted | null;
  /** Absent if there is no rate limit. */
  charge?: Charge;
  /** Called for each admitted request of a user, unless clients make it by themselves. */
  onActive?: (userId: number, request: RequestFacts) => void;
  /** True for the addresses of reverse proxies, whose forwarding headers are trusted. */
  isProxy?: (address: string) => boolean;
  followsHost?: boolean | undefined;
  /** Passes requests on to the leading node; absent for a standalone server. */
  forwarder?: Forwarder | undefined;
}

interface Arriving {
  c: HttpRequest;
  facts: RequestFacts;
  headers: AnswerHeaders;
  options: AdmissionOptions;
  door: AuthDoor;
}

/**
 * Returns the actor if their rate limit allows the request; wrong credentials count against the address. A request that
 * another node passes on has been charged there.
 */
export function admit(endpoint: Endpoint, arriving: Arriving): Actor | Promise<Actor> {
  const caller = callerOf(endpoint, arriving);
  const { forwarder } = arriving.options;
  if (!forwarder || "actor" in caller) return chargeCaller(endpoint, arriving, caller);
  return forwarder.catchUp().then(() => chargeCaller(endpoint, arriving, callerOf(endpoint, arriving)));
}

type Caller = { actor: Actor } | { error: unknown };

function chargeCaller(endpoint: Endpoint, arriving: Arriving, caller: Caller): Actor {
  const { c, facts, headers, options } = arriving;
  const { charge } = options;
  const isCharged = charge && !endpoint.root && !findEntered(c);
  const byAddress = () => isCharged && charge({ address: facts.address }, 1, headers);
  if ("error" in caller) {
    const { error } = caller;
    try {
      byAddress();
    } catch (limit) {
      const isLogin = error instanceof RefusedLogin && limit instanceof AppError;
      throw isLogin ? new RefusedLogin(limit, error.account) : limit;
    }
    throw error;
  }
  const { actor } = caller;
  if (actor.kind === "user" && !endpoint.isUnattended) options.onActive?.(actor.id, facts);
  if (actor.kind === "anonymous") byAddress();
  else if (isCharged) charge({ userId: actor.id }, endpoint.isFree ? 0 : 1, headers);
  return actor;
}

/** Throws if the credentials that admitted a request have ended meanwhile, while its body arrived. */
export function admitAgain(endpoint: Endpoint, arriving: Arriving, before: Actor): void {
  const caller = callerOf(endpoint, arriving);
  if ("error" in caller) throw caller.error;
  if (caller.actor.id !== before.id)
    fail("UNAUTHORIZED", "The credentials of this request are no longer valid.");
}

function callerOf(endpoint: Endpoint, arriving: Arriving): Caller {
  try {
    return { actor: actorOf(endpoint, arriving) };
  } catch (error) {
    return { error };
  }
}

function actorOf(endpoint: Endpoint, arriving: Arriving): Actor {
  const admitted = endpoint.auth === "none" ? null : userOf(endpoint, arriving);
  return new Asker(admitted, arriving);
}

/** Who makes a request. A class, because to make an object with getters of its own takes long. */
class Asker implements Actor {
  readonly kind: Actor["kind"];
  readonly id: number;
  readonly by: Credential | undefined;
  // Hidden, so that no copy of an actor holds the request.
  readonly #arriving: Arriving;
  #client: string | undefined;

  constructor(admitted: Admitted | null, arriving: Arriving) {
    this.kind = admitted === null || admitted.userId === 0 ? "anonymous" : "user";
    this.id = admitted?.userId ?? 0;
    this.by = admitted?.by;
    this.#arriving = arriving;
  }

  get client(): string {
    this.#client ??= clientName(this.#arriving.c.req.header("user-agent"));
    return this.#client;
  }

  get site(): string | undefined {
    const { c, options } = this.#arriving;
    return options.followsHost ? siteAsked(c, options) : undefined;
  }
}

/** The user who makes the request, or null for anonymous requests where the endpoint allows them. */
function userOf(endpoint: Endpoint, { c, facts, options, door }: Arriving): Admitted | null {
  const credentials = door === "session" ? undefined : c.req.header("authorization");
  if (credentials !== undefined) {
    const watcher = endpoint.auth === "watcher" ? (options.admitWatcher?.(credentials) ?? null) : null;
    return watcher ?? options.authenticate(credentials, connectionOf(c));
  }
  const key = endpoint.auth === "address" ? URL.parse(c.req.url)?.searchParams.get("api_key") : null;
  if (key && options.authenticateKey) return options.authenticateKey(key);
  const bySession = door === "key" ? null : (options.sessionUser?.(facts) ?? null);
  if (bySession !== null || endpoint.auth === "public") return bySession;
  return options.authenticate(undefined);
}

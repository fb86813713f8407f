import type { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import type { EndedJson, Json } from "@/kernel/lib/ended-json.ts";
import type { RefusedLogin } from "@/kernel/lib/errors.ts";
import type { LogFields } from "@/kernel/lib/log.ts";
import type { JsonAnswer, Pieces } from "@/kernel/lib/long-answers.ts";
import type { LoggedPart } from "@/kernel/store/forwarded-requests.ts";

export type Params = Record<string, z.ZodType>;
type Decoded<P extends Params> = { [K in keyof P]: z.infer<P[K]> };

/** What endpoints may need of the HTTP request besides their parameters. */
export interface RequestFacts {
  readonly method: string;
  /** The path and the query string, as they were asked for. */
  readonly pathAndQuery: string;
  /** The client's network address. */
  readonly address: string;
  /** Whether the client asked over TLS, as far as this server or a trusted proxy can tell. */
  readonly isSecure: boolean;
  header(name: string): string | undefined;
  /** The files that the endpoint's `body` received. */
  readonly files: readonly ReceivedFile[];
  /** Adds a `Set-Cookie` header to the answer, also if it is an error. */
  setCookie(cookie: string): void;
  /** Logs a warning. */
  warn(event: string, fields: LogFields): void;
  /** Calls `listener` when the client hangs up; it may also be called after the answer. */
  onHangUp(listener: () => void): void;
}

/** A file of a request, in a temporary place until it is taken or discarded. */
export interface ReceivedFile {
  readonly name: string;
  readonly size: number;
  readonly path: string;
}

/** A request's body; `discard` removes the files that the endpoint did not keep. */
export interface RequestBody {
  readonly fields: Map<string, string>;
  readonly files: readonly ReceivedFile[];
  discard(): void;
}

/** The parts of a request that reading its body needs. */
export interface BodySource {
  header(name: string): string | undefined;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
  readonly raw: { readonly body: ReadableStream<Uint8Array> | null };
}

/** Reads a request's body instead of the kernel, for endpoints that take files; may refuse it without reading it. */
export type BodyReader = (ctx: Ctx, request: BodySource) => Promise<RequestBody>;

/** An answer other than the usual JSON object: a picture, a redirect, a page. */
export class RawAnswer {
  constructor(
    readonly body: Json | EndedJson | Pieces | ReadableStream<Uint8Array> | null,
    readonly headers: Record<string, string>,
    readonly status = 200,
    /** Set if the answer refuses a login. */
    readonly refusal: RefusedLogin | null = null,
  ) {}
}

export type Answer = object | RawAnswer | JsonAnswer;

/** This node's own answer, with the values of its `Set-Cookie` headers, or that of another node. */
export type Answered = { own: RawAnswer; cookies: readonly string[] } | { own: null; passed: Response };

/** Which credentials a route takes. */
export type AuthDoor = "key" | "session" | "either";

/**
 * `user`: a key or a session is required (docs/reference/http-api.md); `address`: likewise, but the key may be the parameter
 * `api_key` of the address; `watcher`: likewise, or a token of a monitoring program; `public`: a request without is anonymous;
 * `none`: credentials are ignored.
 */
export type Auth = "user" | "address" | "watcher" | "public" | "none";

/** Which cluster node answers: the one that gets the request, or the leader (docs/design.md#several-nodes). */
export type ServedBy = "here" | "leader";

export interface Endpoint {
  /** The operation ID, used in logs, tests and API docs. */
  readonly id: string;
  /** What it promises, in a sentence or two: the text of docs/reference/http-api.md. */
  readonly about: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE" | "PUT";
  /** Relative to /api/v1 and /json, or to the server's root with `root`; `{name}` marks a path parameter. */
  readonly path: string;
  readonly root: boolean;
  readonly auth: Auth;
  readonly servedBy: ServedBy;
  readonly keeps: LoggedPart;
  /** True if it does not count against the user's rate limit. */
  readonly isFree: boolean;
  /** True if clients ask for it by themselves, so that it does not show that its user is active. */
  readonly isUnattended: boolean;
  /** True if a cluster's node answers it however old its data is. */
  readonly mayBeOutdated: boolean;
  readonly body: BodyReader | null;
  /** The headers that it reads besides those of every request, all optional: for the reference. */
  readonly headers: Params;
  readonly params: Params;
  readonly returns: Params | null;
  readonly run: (
    ctx: Ctx,
    params: Record<string, unknown>,
    request: RequestFacts,
  ) => Answer | void | Promise<Answer> | Promise<void>;
}

/** An object of the declared fields; nothing if none are declared. */
type EndpointResult<R extends Params, Nothing = void> =
  | ([keyof R] extends [never] ? Nothing : { [K in keyof R]?: unknown })
  | RawAnswer
  | JsonAnswer;

interface EndpointOptions<P extends Params, R extends Params> {
  about: string;
  method: Endpoint["method"];
  path: string;
  root?: boolean;
  auth?: Auth;
  /** By default, what reads (GET) is served here, and everything else by the leader. */
  servedBy?: ServedBy;
  /**
   * What the log of a cluster keeps, so that the next leader can answer if one dies; by default, `success` if it answers no
   * fields. `results` is for an answer that follows from the parameters and the results of the writes alone, all without secrets.
   */
  keeps?: LoggedPart;
  isFree?: boolean;
  isUnattended?: boolean;
  mayBeOutdated?: boolean;
  body?: BodyReader;
  /** The headers that `run` reads and checks, as the reference lists them. */
  headers?: Params;
  params?: P;
  /** The fields of the answer; checked only in tests. */
  returns?: R;
  run: (
    ctx: Ctx,
    params: Decoded<P>,
    request: RequestFacts,
  ) => EndpointResult<NoInfer<R>> | Promise<EndpointResult<NoInfer<R>>>;
}

/** Declares one endpoint of the API; the action or query that it calls checks permission. */
export function endpoint<P extends Params = Record<never, never>, R extends Params = Record<never, never>>(
  id: string,
  options: EndpointOptions<P, R>,
): Endpoint {
  return {
    id,
    about: options.about,
    method: options.method,
    path: options.path,
    root: options.root ?? false,
    auth: options.auth ?? "user",
    servedBy: options.servedBy ?? (options.method === "GET" ? "here" : "leader"),
    keeps: options.keeps ?? (hasOwnAnswer(options) ? "nothing" : "success"),
    isFree: options.isFree ?? false,
    isUnattended: options.isUnattended ?? false,
    mayBeOutdated: options.mayBeOutdated ?? false,
    body: options.body ?? null,
    headers: options.headers ?? {},
    params: options.params ?? {},
    returns: options.returns ?? null,
    run: options.run as Endpoint["run"],
  };
}

/** Whether the answer has more than that it succeeded. Files that were stored under a random name are not stored again. */
function hasOwnAnswer({
  returns,
  method,
  body,
}: Pick<EndpointOptions<Params, Params>, "returns" | "method" | "body">): boolean {
  return returns !== undefined || method === "GET" || body !== undefined;
}

/** Where an endpoint is found, and which credentials it takes there. */
export function doorsOf({ root }: Endpoint): readonly (readonly [prefix: string, door: AuthDoor])[] {
  return root ? atRoot : doors;
}

const atRoot = [["", "either"]] as const;
const doors = [
  ["/api/v1", "key"],
  ["/json", "session"],
] as const;

/** The methods that endpoints accept at a path. */
export function listAllowedMethods(pathname: string, endpoints: readonly Endpoint[]): string[] {
  const matching = endpoints.filter((endpoint) => pathPattern(endpoint).test(pathname));
  return [...new Set(matching.map((endpoint) => endpoint.method))].sort();
}

function pathPattern({ root, path }: Endpoint): RegExp {
  const source = path.replaceAll(/\{\w+(?::([^}]+))?\}/g, (_, pattern) => `(?:${pattern ?? "[^/]+"})`);
  return new RegExp(`^${root ? "" : "/(?:api/v1|json)"}${source}$`);
}

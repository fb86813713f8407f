import type { z } from "zod";
import type { Ctx } from "./context.ts";
import type { RefusedLogin } from "./errors.ts";

export type Params = Record<string, z.ZodType>;
type Decoded<P extends Params> = { [K in keyof P]: z.infer<P[K]> };

/** What of the HTTP request a few endpoints need besides their parameters. */
export interface RequestFacts {
  /** The client's network address. */
  readonly address: string;
  header(name: string): string | undefined;
  /** What the endpoint's `body` received. */
  readonly files: readonly ReceivedFile[];
  /** Calls back when the client hangs up, and perhaps when it was answered. */
  onHangUp(listener: () => void): void;
}

/** A file of a request, kept aside until it is taken or discarded. */
export interface ReceivedFile {
  readonly name: string;
  readonly size: number;
  readonly path: string;
}

/** A request's body; `discard` removes the files that nobody took. */
export interface Body {
  readonly fields: Map<string, string>;
  readonly files: readonly ReceivedFile[];
  discard(): void;
}

/** What reading a body needs of a request. */
export interface BodySource {
  header(name: string): string | undefined;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
  readonly raw: { readonly body: ReadableStream<Uint8Array> | null };
}

/** Reads a request's body in the place of the kernel, for endpoints that take files; may refuse it unread. */
export type BodyReader = (ctx: Ctx, request: BodySource) => Promise<Body>;

/** An answer that is not the usual JSON object: a picture, a redirect, or JSON text made elsewhere. */
export class RawAnswer {
  constructor(
    readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
    readonly headers: Record<string, string>,
    readonly status = 200,
    /** Set where the answer refuses somebody who tried to get in. */
    readonly refusal: RefusedLogin | null = null,
  ) {}
}

/** A successful answer that is JSON text already. */
export class JsonAnswer {
  constructor(readonly text: string) {}
}

export type Answer = object | RawAnswer | JsonAnswer;

/** `user`: credentials needed; `public`: who sends none is anonymous; `none`: credentials not looked at. */
export type Auth = "user" | "public" | "none";

export interface Endpoint {
  /** The operation ID: in logs, tests and API docs alike. */
  readonly id: string;
  /** What it promises, in a sentence or two: the text of docs/http-api.md. */
  readonly about: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE" | "PUT";
  /** Relative to /api/v1, or to the server's root with `root`; `{name}` marks a path parameter. */
  readonly path: string;
  readonly root: boolean;
  readonly auth: Auth;
  /** Not counted against a user's budget of requests. */
  readonly isFree: boolean;
  readonly body: BodyReader | null;
  readonly params: Params;
  readonly returns: Params | null;
  readonly run: (
    ctx: Ctx,
    params: Record<string, unknown>,
    request: RequestFacts,
  ) => Answer | void | Promise<Answer> | Promise<void>;
}

/** An object of the declared fields; nothing where none are declared. */
type Given<R extends Params, Nothing = void> =
  | ([keyof R] extends [never] ? Nothing : { [K in keyof R]?: unknown })
  | RawAnswer
  | JsonAnswer;

interface EndpointOptions<P extends Params, R extends Params> {
  about: string;
  method: Endpoint["method"];
  path: string;
  root?: boolean;
  auth?: Auth;
  isFree?: boolean;
  body?: BodyReader;
  params?: P;
  /** Checked in tests, free in production. */
  returns?: R;
  run: (
    ctx: Ctx,
    params: Decoded<P>,
    request: RequestFacts,
  ) => Given<NoInfer<R>> | Promise<Given<NoInfer<R>>>;
}

/** Declares one endpoint of the API; authorization lies in the action or query it calls. */
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
    isFree: options.isFree ?? false,
    body: options.body ?? null,
    params: options.params ?? {},
    returns: options.returns ?? null,
    run: options.run as Endpoint["run"],
  };
}

/** The methods that some endpoint takes at a path. */
export function allowedMethods(pathname: string, endpoints: readonly Endpoint[]): string[] {
  const matching = endpoints.filter((endpoint) => pathPattern(endpoint).test(pathname));
  return [...new Set(matching.map((endpoint) => endpoint.method))].sort();
}

function pathPattern({ root, path }: Endpoint): RegExp {
  const source = path.replaceAll(/\{\w+(?::([^}]+))?\}/g, (_, pattern) => `(?:${pattern ?? "[^/]+"})`);
  return new RegExp(`^${root ? "" : "/api/v1"}${source}$`);
}

// Requests that another cluster node answers (docs/design.md#several-nodes). A standalone server has no forwarder.
import type { Answered } from "./endpoint.ts";

/** What the node that received a request knows about it; that node has also charged the rate limit. */
export interface Entered {
  /** The client's network address. */
  readonly address: string;
  /** The URL at which the client asked. */
  readonly site: string | undefined;
}

/** A request, whose body may be read several times unless it is read piece by piece. */
export interface ForwardableRequest {
  readonly raw: Request;
  /** The HTTP version and the headers say so. */
  readonly hasNoBody: boolean;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** This node is to answer by itself: it leads. */
export interface ForThis {
  /** The body, if it was read. */
  readonly body: ArrayBuffer | null;
  /** The results of the request's writes, which the log has already. */
  readonly done: readonly unknown[];
}

/** A request that may come from another node; names of headers are in lower case. */
export interface Marked {
  header(name: string): string | undefined;
}

export interface Forwarder {
  /** The name, in lower case, of a header that requests have which another node passes on. */
  readonly mark: string;
  /** Whether this node leads. */
  readonly leads: boolean;
  /** Whether this node's data is new enough to answer from. */
  readonly isCurrent: boolean;
  /** The newest term that this node knows. */
  readonly term: number;
  /** The answer of the leader, or an error if no node leads for some seconds; what is to be done if this node leads now. */
  pass(asked: ForwardableRequest, entered: Entered): Promise<Response | ForThis>;
  /** Answers a request with the mark: by `serve` if it comes from another node and this one leads, otherwise by a refusal. */
  receive(request: Marked, serve: (entered: Entered) => Promise<Answered>): Promise<Answered>;
  /** Whether this node has all that a client has seen at others, by its `Cookie` header; waits for it. */
  hasSeen(cookies: string | undefined): boolean | Promise<boolean>;
  /** What `Set-Cookie` says in an answer to that client, so that other nodes know what it has seen. */
  cookiesAfter(cookies: string | undefined): readonly string[];
  /** Brings the database to the end of the log: something unknown here may be new. */
  catchUp(): Promise<void>;
}

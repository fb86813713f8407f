// Requests that another cluster node answers (docs/design.md#several-nodes). A standalone server has no relay.

/** What the node that received a request knows about it; that node has also charged the rate limit. */
export interface Entered {
  /** The client's network address. */
  readonly address: string;
  /** The URL at which the client asked. */
  readonly site: string | undefined;
}

export interface Relay {
  /** Whether this node leads. */
  readonly leads: boolean;
  /**
   * The leader's answer to a request, or an error while there is none; null if this node leads by now. Then the request
   * still has its body.
   */
  pass(asked: { raw: Request }, entered: Entered): Promise<Response | null>;
  /** Brings the database to the end of the log: something unknown here may be new. */
  catchUp(): Promise<void>;
}

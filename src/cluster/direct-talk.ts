// Nodes ask each other at their addresses while NATS does not carry their questions.
import { isSame } from "@/foundation/secrets/secrets.ts";
import { type ClusterState, clusterState, type NodeState, nodeState } from "@/operations/nodes/schema.ts";
import { headerOf } from "./outgoing.ts";

type Fetch = (request: Request, env?: unknown) => Response | Promise<Response>;

const statePath = "/metrics/nodes/state";
const answerMs = 2_000;

interface Options {
  /** Known to the nodes alone. */
  readonly secret: string;
  /** CA certificates (PEM) of the other nodes, unless a public authority signs theirs. */
  readonly ca?: string | undefined;
  /** This node's state; null if it does not serve yet. */
  readonly state: () => NodeState | null;
}

export class DirectTalk {
  constructor(private readonly options: Options) {}

  receiving(serve: Fetch): Fetch {
    return (request, env) => {
      const secret = request.headers.get(headerOf.secret);
      if (secret === null || new URL(request.url).pathname !== statePath) return serve(request, env);
      const state = isSame(secret, this.options.secret) ? this.options.state() : null;
      return state ? Response.json(state) : new Response(null, { status: 403 });
    };
  }

  /** The state of the node at this address; null if it does not answer. */
  async stateAt(url: string): Promise<NodeState | null> {
    const { secret, ca } = this.options;
    const answer = await answerAt(url + statePath, { [headerOf.secret]: secret }, ca);
    return nodeState.safeParse(answer).data ?? null;
  }
}

/** What a node that runs elsewhere says of all nodes, asked for the operator; null if it does not answer. */
export async function clusterAt(
  url: string,
  authorization: string,
  ca: string | undefined,
): Promise<ClusterState | null> {
  const answer = await answerAt(`${url}/metrics/nodes`, { authorization }, ca, seeingMs);
  return clusterState.safeParse(answer).data ?? null;
}

/** A node waits for NATS, which may elect, before it answers. */
const seeingMs = 20_000;

async function answerAt(
  url: string,
  headers: Record<string, string>,
  ca: string | undefined,
  ms = answerMs,
): Promise<unknown> {
  try {
    const how = { headers, redirect: "error", signal: AbortSignal.timeout(ms) } as const;
    const answer = await fetch(url, { ...how, ...(ca === undefined ? {} : { tls: { ca } }) });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

// The connections of a cluster, each through a proxy that can cut it.
import { Passage } from "../support/passage.ts";

interface Ports {
  /** Of the nats-servers, for nodes and for each other. */
  clients: number[];
  routes: number[];
  nodes: number[];
}

export class Network {
  private constructor(
    /** From each nats-server to each other; the one from a server to itself is never used. */
    private readonly routes: Passage[][],
    /** From each node to each nats-server. */
    private readonly toServers: Passage[][],
    /** From the other nodes to each node. */
    private readonly toNodes: Passage[],
  ) {}

  static async between({ clients, routes, nodes }: Ports): Promise<Network> {
    const to = (ports: number[]) => Promise.all(ports.map((port) => Passage.to(port)));
    const each = (ports: number[]) => Promise.all(ports.map(() => to(ports)));
    return new Network(await each(routes), await each(clients), await to(nodes));
  }

  /** The ports at which a nats-server reaches the others. */
  routesOf(at: number): number[] {
    return (this.routes[at] ?? []).filter((_, to) => to !== at).map(({ port }) => port);
  }

  /** Where a node reaches the nats-servers. */
  serversOf(at: number): string[] {
    return (this.toServers[at] ?? []).map(({ port }) => `127.0.0.1:${port}`);
  }

  /** Where the other nodes reach one. */
  urlOf(at: number): string {
    return `http://127.0.0.1:${this.toNodes[at]?.port}`;
  }

  /** Nothing passes between this nats-server and the others. */
  cutServer(at: number): void {
    for (const [from, all] of this.routes.entries())
      for (const [to, one] of all.entries()) if (from === at || to === at) one.cut();
  }

  /** Nothing passes between this node and NATS. */
  cutNode(at: number): void {
    for (const one of this.toServers[at] ?? []) one.cut();
  }

  /** NATS gets what this node sends, and the node gets no answer. */
  muteForNode(at: number): void {
    for (const one of this.toServers[at] ?? []) one.mute();
  }

  /** The other nodes cannot reach this node. */
  cutRequests(at: number): void {
    this.toNodes[at]?.cut();
  }

  /** A machine with a node and a nats-server loses its network: the two only reach each other. */
  cutBox(at: number): void {
    this.cutServer(at);
    this.cutRequests(at);
    for (const [from, all] of this.toServers.entries())
      for (const [to, one] of all.entries()) if ((from === at) !== (to === at)) one.cut();
  }

  /** Delivers what was held back, or closes its connections. */
  mend(isLost = false): void {
    for (const one of this.all) one.mend(isLost);
  }

  close(): void {
    for (const one of this.all) one.close();
  }

  private get all(): Passage[] {
    return [...this.routes.flat(), ...this.toServers.flat(), ...this.toNodes];
  }
}

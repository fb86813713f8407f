// Faults of the machines of a cluster that was made by three commands, under load. Part of `npm run test:cluster:long`.
import { afterAll, beforeAll, describe, expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { machinesLacking } from "@/cluster/machines/founding.ts";
import { files, folderOf, seatIn } from "@/cluster/machines/seat.ts";
import { clusterState } from "@/operations/nodes/schema.ts";
import { cleanUp, executable, newFolder } from "../support/executable.ts";
import { basic } from "../support/requests.ts";
import { argsOf } from "./guide.ts";
import { type Account, expectWhole, repeated, through } from "./load.ts";
import { Cluster, Node, natsBinary, type Status, until } from "./machines.ts";
import { note } from "./noted.ts";
import { environmentAt, natsPidIn, newNetwork } from "./own-machine.ts";

const binary = natsBinary("nobody tried faults of machines whose nats-servers Confab runs");
/** Whole networks lead to this machine on Linux alone. */
const canTry = binary !== null && process.platform === "linux";

afterAll(() => cleanUp());

class OwnNode extends Node {
  private args: readonly string[] = argsOf("confab serve");
  /** Who asks for its status. */
  account: Account = { email: "", key: "" };

  constructor(
    name: string,
    private readonly address: string,
  ) {
    const folder = newFolder();
    const data = join(folder, "data");
    super({ data, node: name, port: 9900, servers: [], monitors: [], leaseMs: 1_000 }, folder);
    this.environment = environmentAt({ name, address, data }, binary ?? "");
  }

  override get command(): string[] {
    return [...executable, ...this.args];
  }

  override get url(): string {
    return `http://${this.address}:9900`;
  }

  /** Runs a command that begins a cluster or joins it, and then serves; later starts only serve. */
  begin(args: readonly string[]): void {
    this.args = args;
    this.start();
    this.args = argsOf("confab serve");
  }

  /** The first text that it prints. */
  async said(): Promise<string> {
    const { value } = (await this.child?.stdout.getReader().read()) ?? {};
    if (!value) throw new Error(`${this.name} ended before it said anything:\n${this.log.slice(-3_000)}`);
    return new TextDecoder().decode(value);
  }

  override async ready(): Promise<void> {
    await until(
      `${this.name} serves`,
      async () => (await fetch(`${this.url}/health`)).status === 200,
      120_000,
    );
  }

  override async status(): Promise<Status> {
    const { email, key } = this.account;
    const headers = { authorization: basic(email, key) };
    const answer = await fetch(`${this.url}/metrics/nodes`, { headers, signal: AbortSignal.timeout(5_000) });
    const { asked, leader, nodes } = clusterState.parse(await answer.json());
    const state = nodes.find(({ node }) => node === asked)?.state;
    if (!state) throw new Error(`${asked} does not say how it is.`);
    return { leads: state.leads, leader, position: state.position };
  }

  get natsPid(): number {
    return natsPidIn(this.settings.data);
  }

  sendNats(signal: NodeJS.Signals): void {
    process.kill(this.natsPid, signal);
  }

  /** As when its machine dies. */
  async die(): Promise<void> {
    const pid = this.natsPid;
    await this.kill();
    process.kill(pid, "SIGKILL");
  }
}

class OwnCluster extends Cluster {
  override readonly nodes: OwnNode[];

  constructor(nodes: readonly OwnNode[]) {
    super();
    this.nodes = [...nodes];
  }

  override async leader(): Promise<OwnNode> {
    return (await super.leader()) as OwnNode;
  }

  override async follower(): Promise<OwnNode> {
    return (await super.follower()) as OwnNode;
  }

  override async heal(): Promise<void> {
    for (const one of this.nodes) {
      one.send("SIGCONT");
      if (one.isRunning) one.sendNats("SIGCONT");
      else one.start();
    }
    await Promise.all(this.nodes.map((one) => one.ready()));
    await this.level();
    await this.agreed();
  }

  /** As `levelServers`; Confab starts a nats-server again that ends. */
  private async level(): Promise<void> {
    const { data } = (this.nodes[0] as OwnNode).settings;
    const ca = readFileSync(join(folderOf(data), files.ca), "utf8");
    const lacking = () => machinesLacking(seatIn(data)?.machines ?? [], ca);
    const isLevel = async () => (await lacking()).length === 0;
    const what = "each nats-server holds what the others hold";
    if (await until(what, isLevel, 30_000).catch(() => false)) return;
    for (const name of await lacking()) {
      console.log(`The nats-server of ${name} stayed behind the others, and is started again`);
      note({ restarted: name });
      this.nodes.find((one) => one.name === name)?.sendNats("SIGKILL");
    }
    await until(what, isLevel);
  }

  override async end(): Promise<void> {
    for (const one of this.nodes) {
      one.send("SIGCONT");
      if (one.isRunning) one.sendNats("SIGCONT");
      one.send("SIGTERM");
    }
    await Promise.all(this.nodes.map((one) => one.ended()));
  }
}

let cluster: OwnCluster;
let owner: Account;

describe.skipIf(!canTry)("machines of a cluster that three commands made", () => {
  beforeAll(async () => {
    const network = newNetwork();
    const nodes = ["a", "b", "c"].map((name, at) => new OwnNode(name, `${network}.${1 + at}`));
    cluster = new OwnCluster(nodes);
    const [first, ...others] = nodes as [OwnNode, ...OwnNode[]];
    first.begin([...argsOf("confab cluster init"), "--owner-email", "ada@example.com", "--json"]);
    const printed = JSON.parse(await first.said());
    for (const one of others) one.begin(printed.join.split(" ").slice(1));
    owner = { email: printed.owner.email, key: printed.owner.api_key };
    for (const one of nodes) one.account = owner;
    await Promise.all(nodes.map((one) => one.ready()));
    await first.call(owner, "POST", "users/me/subscriptions", { subscriptions: [{ name: "general" }] });
  }, 180_000);
  afterAll(() => cluster?.end());

  const repeatedly = (kind: string, fault: () => Promise<unknown>) =>
    repeated(
      kind,
      () => cluster,
      async () => {
        await expectWhole(cluster, await through(cluster, owner, kind, fault));
      },
    );

  repeatedly("the Confab that leads is killed, and its nats-server stays", async () => {
    const leader = await cluster.leader();
    await leader.kill();
    await cluster.hasOtherLeader(leader);
  });

  repeatedly("the machine of the Confab that leads dies", async () => {
    const leader = await cluster.leader();
    await leader.die();
    await cluster.hasOtherLeader(leader);
  });

  repeatedly("another machine dies", async () => {
    await (await cluster.follower()).die();
  });

  repeatedly("the nats-server of the Confab that leads is killed", async () => {
    const leader = await cluster.leader();
    const former = leader.natsPid;
    leader.sendNats("SIGKILL");
    await until("it has another one", () => leader.natsPid !== former);
  });

  repeatedly("the machine of the Confab that leads hangs", async () => {
    const leader = await cluster.leader();
    leader.send("SIGSTOP");
    leader.sendNats("SIGSTOP");
    await cluster.hasOtherLeader(leader);
  });

  repeatedly("the Confab that leads is stopped, with its nats-server", async () => {
    const leader = await cluster.leader();
    leader.send("SIGTERM");
    expect(await leader.ended()).toBe(0);
  });
});

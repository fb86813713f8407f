// A machine of a cluster whose nats-servers Confab runs: an address of this machine's own network, and a folder.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { executable, newFolder } from "../support/executable.ts";
import { Machine } from "./machines.ts";

/** How such a machine's commands know where they are. */
export function environmentAt(
  at: { name: string; address: string; data: string },
  binary: string,
): Record<string, string> {
  return {
    CONFAB_DATA: at.data,
    CONFAB_NODE: at.name,
    CONFAB_NODE_ADDRESS: at.address,
    CONFAB_NATS_SERVER: binary,
    CONFAB_RATE_LIMIT: "0",
    CONFAB_ADDRESS_RATE_LIMIT: "0",
  };
}

/** A network that leads to this machine, as whole networks do on Linux. */
export const newNetwork = () => `127.${10 + (process.pid % 200)}.${1 + Math.floor(Math.random() * 250)}`;

export const natsPidIn = (data: string) => Number(readFileSync(join(data, "nats", "nats.pid"), "utf8"));

export class OwnMachine extends Machine {
  command: string[] = [];
  program: readonly string[] = executable;
  readonly data: string;

  constructor(
    name: string,
    readonly address: string,
    binary: string,
  ) {
    const folder = newFolder();
    super(name, folder);
    this.data = join(folder, "data");
    this.environment = environmentAt(this, binary);
  }

  run(args: readonly string[], more: Record<string, string> = {}): void {
    this.command = [...this.program, ...args];
    this.environment = { ...this.environment, ...more };
    this.start();
  }

  get url(): string {
    return `http://${this.address}:9900`;
  }

  /** The first text that it prints. */
  async said(): Promise<string> {
    const { value } = (await this.child?.stdout.getReader().read()) ?? {};
    if (!value) throw new Error(`${this.name} ended before it said anything:\n${this.log.slice(-3_000)}`);
    return new TextDecoder().decode(value);
  }

  get seat(): Record<string, string> {
    return JSON.parse(readFileSync(join(this.data, "nats", "machine.json"), "utf8"));
  }

  get natsPid(): number {
    return natsPidIn(this.data);
  }

  /** As when its machine dies. */
  async die(): Promise<void> {
    const pid = this.natsPid;
    await this.kill();
    process.kill(pid, "SIGKILL");
  }
}

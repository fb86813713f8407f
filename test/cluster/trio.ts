// Three nodes of the executable and three nats-servers, with settings of a test's own.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { clusterState } from "@/operations/nodes/schema.ts";
import { json, newFolder, newOrganization, type Server, serve } from "../support/executable.ts";
import { freePorts } from "../support/ports.ts";
import { basic, encode, type Json, type Method, type Params } from "../support/requests.ts";
import { s3Bucket, s3Keys, startS3, type TestS3 } from "../support/s3.ts";
import { NatsServer, startServers, until } from "./machines.ts";

export type Settings = Record<string, string | string[]>;

interface Options {
  /** Lines of each nats-server's configuration. */
  nats?: readonly string[];
  /** Settings of each node besides those that make it one. */
  settings?: Settings;
  isSecure?: boolean;
  /** How many of the three nodes there are. */
  nodes?: 2 | 3;
  /** Once the cluster has begun, before its first node starts. */
  onBegun?: () => Promise<void>;
}

export class Trio {
  readonly names = ["a", "b", "c"] as const;
  readonly servers: NatsServer[] = [];
  readonly folders: string[] = [];
  readonly running: (Server | null)[] = [null, null, null];
  owner = { email: "", api_key: "" };
  private ports: number[] = [];
  private s3: TestS3 | null = null;

  constructor(
    private readonly binary: string,
    private readonly options: Options,
  ) {}

  get scheme(): "http" | "https" {
    return this.options.isSecure ? "https" : "http";
  }

  url(at: number): string {
    return `${this.scheme}://localhost:${this.ports[at]}`;
  }

  /** Starts NATS, begins the cluster with a new organization, and starts the nodes. */
  async begin(): Promise<void> {
    const found = await freePorts(12);
    const part = (n: number) => found.slice(3 * n, 3 * n + 3);
    const [clients, monitors, routes] = [part(0), part(1), part(2)];
    this.ports = part(3);
    for (const [n, port] of clients.entries()) {
      const [monitor = 0, route = 0, name] = [monitors[n], routes[n], `n${n + 1}`];
      const folder = join(newFolder(), name);
      const more = { more: this.options.nats ?? [], monitorScheme: this.scheme } as const;
      this.servers.push(new NatsServer(name, folder, this.binary, port, monitor, route, routes, more));
    }
    this.s3 = await startS3();
    await startServers(this.servers);
    for (const at of this.names.keys()) {
      this.folders.push(newFolder());
      this.configure(at);
    }
    const { owner } = await newOrganization(this.folders[0] as string);
    this.owner = owner;
    await json(["cluster", "init", "--data", this.folders[0] as string]);
    await this.options.onBegun?.();
    await this.start(0);
    const others = [1, 2].slice(0, (this.options.nodes ?? 3) - 1);
    await Promise.all(others.map((at) => this.start(at)));
  }

  /** Writes a node's confab.toml. */
  configure(at: number, more: Settings | Record<string, undefined> = {}): void {
    const settings: Record<string, string | string[] | undefined> = {
      cluster: this.servers.map(({ port }) => `nats://localhost:${port}`),
      nats_monitors: this.servers.map(({ monitor }) => monitor),
      node: this.names[at] as string,
      node_url: this.url(at),
      site: "https://chat.example.com",
      s3_endpoint: this.s3?.endpoint,
      s3_bucket: s3Bucket,
      s3_region: "here",
      s3_credentials: this.credentials(at),
      ...this.options.settings,
      ...more,
    };
    const given = Object.entries(settings).filter(([, value]) => value !== undefined);
    const lines = given.map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
    writeFileSync(join(this.folders[at] as string, "confab.toml"), lines.join(""));
  }

  private credentials(at: number): string {
    const path = join(this.folders[at] as string, "credentials");
    const { accessKeyId, secretAccessKey } = s3Keys;
    writeFileSync(
      path,
      `[default]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`,
    );
    return path;
  }

  /** `how`: of another version. */
  async start(
    at: number,
    how: { program?: string[]; env?: Record<string, string>; patienceMs?: number } = {},
  ): Promise<void> {
    const tls = this.options.isSecure ? ["--tls-cert", this.setting("tls_cert")] : [];
    const args = ["--port", String(this.ports[at]), ...tls];
    this.running[at] = await serve(this.folders[at] as string, args, how);
  }

  async kill(at: number): Promise<void> {
    await this.running[at]?.end("SIGKILL");
    this.running[at] = null;
  }

  /** The index of the node that leads. */
  async leader(): Promise<number> {
    return until("one node leads", async () => {
      const at = this.running.findIndex((one) => one !== null);
      const folder = this.folders[at] as string;
      const { leader, nodes } = clusterState.parse(await json(["cluster", "status", "--data", folder]));
      const isThere = nodes.some(({ node, state }) => node === leader && state?.leads);
      return isThere ? String(this.names.indexOf(leader as "a")) : null;
    }).then(Number);
  }

  async call(at: number, method: Method, path: string, params: Params = {}): Promise<Json> {
    const text = encode(params);
    const isRead = method === "GET";
    const response = await fetch(`${this.url(at)}/api/v1/${path}${isRead && text ? `?${text}` : ""}`, {
      method,
      headers: {
        authorization: basic(this.owner.email, this.owner.api_key),
        "content-type": "application/x-www-form-urlencoded",
      },
      ...(isRead ? {} : { body: text }),
      tls: { rejectUnauthorized: false },
    });
    return response.json();
  }

  async end(): Promise<void> {
    for (const one of this.running) await one?.end("SIGKILL");
    await this.s3?.stop();
    for (const one of this.servers) one.send("SIGKILL");
    await Promise.all(this.servers.map((one) => one.ended()));
  }

  private setting(name: string): string {
    return String(this.options.settings?.[name]);
  }
}

// The files in docs/cluster/ for containers and for systemd, read by the programs that they are for where those are here.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "@cli/args.ts";
import { clusterOf } from "@cli/cluster.ts";
import { serverSettings } from "@cli/settings.ts";
import { cleanUp, newFolder } from "../support/executable.ts";
import { natsBinary } from "./machines.ts";

afterAll(() => cleanUp());

const docs = join(import.meta.dir, "..", "..", "docs");
const page = (name: string) => readFileSync(join(docs, "cluster", name), "utf8");

interface Service {
  image: string;
  env_file?: string;
  environment?: Record<string, string>;
  volumes: string[];
  depends_on?: string[];
}
const compose = Bun.YAML.parse(page("compose.yaml")) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  networks: { default: { ipam: { config: { subnet: string }[] } } };
};
const services = Object.entries(compose.services);
const common = Object.fromEntries(
  page("confab.env")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
);
const named = (prefix: string) => services.filter(([name]) => name.startsWith(prefix));

describe("compose.yaml", () => {
  test("gives each node settings that the server takes, with the same cluster and files for all", () => {
    const nodes = named("confab-").map(([name, { environment, env_file }]) => {
      expect(env_file).toBe("confab.env");
      const given = Object.entries({ ...common, ...environment }).flatMap(([key, value]) => {
        const setting = /^CONFAB_(\w+)$/.exec(key)?.[1]?.toLowerCase();
        return setting === undefined ? [] : [[setting, value] as const];
      });
      expect(given.map(([key]) => key).filter((key) => !(key in serverSettings))).toEqual([]);
      const result = read(serverSettings, Object.fromEntries(given));
      if ("problem" in result) throw new Error(result.problem);
      const how = clusterOf(result.values);
      expect(new URL(how?.me.url ?? "").hostname).toBe(name);
      expect(result.values).toMatchObject({ s3_bucket: "chat", s3_endpoint: "https://s3.example.com" });
      expect(common).toMatchObject({ AWS_ACCESS_KEY_ID: "change-me", AWS_SECRET_ACCESS_KEY: "change-me" });
      return how;
    });
    expect(nodes.map((how) => how?.me.node)).toEqual(["a", "b", "c"]);
    const servers = named("nats-").map(([name]) => name);
    const hosts = nodes[0]?.nats.servers.map((one) => new URL(one).hostname);
    expect(hosts).toEqual(servers);
    expect(nodes[0]?.nats.monitors?.map((one) => new URL(one).host)).toEqual(
      servers.map((one) => `${one}:8222`),
    );
    const passwords = nodes[0]?.nats.servers.map((one) => new URL(one).password);
    expect(new Set(passwords)).toEqual(new Set([common.NATS_PASSWORD ?? ""]));
  });

  test("gives each service a volume of its own, and files that are there", () => {
    const mounted = services.flatMap(([, { volumes }]) => volumes.map((one) => one.split(":")[0] ?? ""));
    const own = mounted.filter((one) => !one.startsWith("./"));
    expect(own.toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
    const there = readdirSync(join(docs, "cluster"));
    for (const one of mounted.filter((name) => name.startsWith("./"))) expect(there).toContain(one.slice(2));
    for (const [name, { depends_on = [] }] of services) {
      for (const other of depends_on)
        expect([name, Object.keys(compose.services)]).toEqual([name, expect.arrayContaining([other])]);
    }
  });

  test("has a proxy that leads to every node and asks each how it is", () => {
    const caddyfile = page("Caddyfile");
    for (const [name] of named("confab-")) expect(caddyfile).toContain(` ${name}:9900`);
    expect(caddyfile).toContain("health_uri /health");
    expect(caddyfile).toContain(new URL(common.CONFAB_SITE ?? "").hostname);
    expect(compose.networks.default.ipam.config).toEqual([{ subnet: common.CONFAB_TRUSTED_PROXY ?? "" }]);
  });
});

test("later addresses of nats-servers may leave out the scheme of the first", () => {
  const common = { node: "a", node_url: "https://a", nats_unchecked: "true" };
  const settingsWith = (cluster: string) => read(serverSettings, { ...common, cluster });
  const result = settingsWith("tls://user:pass@a, b:4223,nats://c");
  if ("problem" in result) throw new Error(result.problem);
  expect(clusterOf(result.values)?.nats.servers).toEqual(["tls://user:pass@a", "tls://b:4223", "nats://c"]);
  for (const wrong of ["a,b", "nats://a,", "nats://a,http://b"])
    expect(settingsWith(wrong)).toMatchObject({
      problem: expect.stringContaining("addresses of nats-servers"),
    });
});

test("nats-server takes nats.conf for each of the three, which syncs each entry", () => {
  const binary = natsBinary("nobody tried docs/cluster/nats.conf");
  expect(page("nats.conf")).toMatch(/^ {2}sync_interval: always$/m);
  for (const [name, { environment }] of named("nats-")) {
    expect(environment?.NATS_NAME).toBe(name);
    expect(page("nats.conf")).toContain(`"nats://${name}:6222"`);
    if (!binary) continue;
    const env = { ...common, ...environment, NATS_STORE: newFolder() };
    const found = Bun.spawnSync([binary, "-t", "-c", join(docs, "cluster", "nats.conf")], { env });
    expect([found.exitCode, `${found.stderr}`]).toEqual([0, expect.stringContaining("is valid")]);
  }
});

test("the unit of a nats-server reads nothing from the folder that only Confab's group may enter", () => {
  const guide = readFileSync(join(docs, "install.md"), "utf8");
  const [, closed = ""] = /^install -d -m 750 -o root -g confab (\S+)$/m.exec(guide) ?? [];
  expect(closed).toStartWith("/etc/");
  const unit = page("confab-nats.service");
  expect(unit).toContain("DynamicUser=true");
  for (const line of unit.split("\n").filter((one) => !one.startsWith("#")))
    expect(line).not.toContain(`${closed}/`);
});

test("systemd accepts the unit of a nats-server, and confab.service as that of a node", () => {
  const folder = newFolder();
  const unit = (name: string, text: string) =>
    writeFileSync(
      join(folder, name),
      text.replaceAll(/\/usr\/(local\/bin\/confab|sbin\/nats-server)/g, "/bin/true"),
    );
  unit("confab.service", readFileSync(join(docs, "confab.service"), "utf8"));
  unit("confab-nats.service", page("confab-nats.service"));
  mkdirSync(join(folder, "confab.service.d"));
  unit("confab.service.d/node.conf", page("node.conf"));
  if (!Bun.which("systemd-analyze")) return;
  const units = ["confab-nats.service", "confab.service"].map((name) => join(folder, name));
  const { exitCode, stderr } = Bun.spawnSync(["systemd-analyze", "verify", "--man=no", ...units]);
  expect(`${stderr}`).toBe("");
  expect(exitCode).toBe(0);
});

// TLS between nodes, and to NATS with credentials; wrong ones are reported. Part of `npm run test:cluster`.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import { certificate, signedCertificate } from "../support/certificate.ts";
import { cleanUp, confab, json, newFolder } from "../support/executable.ts";
import { natsAccount } from "./credentials.ts";
import { natsBinary, until } from "./machines.ts";
import { Trio } from "./trio.ts";

const untried = "nobody tried several nodes with TLS";
const binary = natsBinary(untried);

describe.skipIf(!binary)("nodes and nats-servers with TLS", () => {
  let trio: Trio;
  let folder: string;
  let right: Record<string, string>;

  beforeAll(async () => {
    folder = newFolder();
    const [ofNats, ofNodes] = [
      await signedCertificate(folder, "nats"),
      await signedCertificate(folder, "nodes"),
    ];
    const account = natsAccount();
    const credentials = join(folder, "confab.creds");
    writeFileSync(credentials, account.credentials);
    right = {
      nats_ca: ofNats.ca,
      nats_credentials: credentials,
      tls_cert: ofNodes.cert,
      tls_key: ofNodes.key,
      node_ca: ofNodes.ca,
    };
    const tls = `tls { cert_file: ${JSON.stringify(ofNats.cert)}, key_file: ${JSON.stringify(ofNats.key)} }`;
    trio = new Trio(binary ?? "", { isSecure: true, settings: right, nats: [tls, ...account.lines] });
    await trio.begin();
  }, 300_000);

  afterAll(async () => {
    await cleanUp();
    await trio?.end();
  });

  const send = (at: number, content: string) =>
    trio.call(at, "POST", "messages", { type: "stream", to: "general", topic: "t", content });

  test("forward, follow and take over", async () => {
    const subscriptions = [{ name: "general" }];
    const leader = await trio.leader();
    const [one = 0, other = 0] = [0, 1, 2].filter((at) => at !== leader);
    expect(await trio.call(one, "POST", "users/me/subscriptions", { subscriptions })).toMatchObject({
      result: "success",
    });
    const sent = await send(one, "by a follower");
    expect(sent).toMatchObject({ result: "success" });
    expect(await trio.call(one, "GET", `messages/${sent.id}`)).toMatchObject({ result: "success" });
    await trio.kill(leader);
    const on = await until("writes continue", async () => {
      const answer = await send(other, "to the next leader");
      return answer.result === "success" && answer;
    });
    await trio.start(leader);
    expect(await trio.call(leader, "GET", `messages/${on.id}`)).toMatchObject({ result: "success" });
  }, 300_000);

  test("the doctor asks the nats-servers over TLS, and says if it does not trust them", async () => {
    const at = (await trio.leader()) === 2 ? 1 : 2;
    const data = trio.folders[at] as string;
    const examined = async () => {
      const { stdout } = await confab(["doctor", "--data", data, "--json"]);
      const { findings } = JSON.parse(stdout) as { findings: Finding[] };
      return findings.filter(({ check }) => check === "NATS");
    };
    expect(await examined()).toMatchObject([
      { verdict: "well", finding: expect.stringContaining("n1, n2, n3 answer") },
    ]);
    trio.configure(at, { nats_ca: (await certificate(folder, "of-the-doctor")).cert });
    const untrusted = await examined();
    trio.configure(at);
    expect(untrusted).toHaveLength(3);
    for (const { finding } of untrusted)
      expect(finding).toMatch(
        /^No nats-server could be asked for its settings at https:.*: its certificate is not signed by one of nats_ca/,
      );
  }, 300_000);

  test("a node with the wrong certificates or credentials for NATS does not start, and says why", async () => {
    const strange = (await certificate(folder, "strange")).cert;
    const stranger = join(folder, "stranger.creds");
    writeFileSync(stranger, natsAccount().credentials);
    const half = join(folder, "half.creds");
    writeFileSync(half, "nothing of use");
    const nats = trio.servers[0];
    const refused: [object, RegExp][] = [
      [{ nats_ca: strange }, /certificate (of the nats-servers )?is not signed by one of nats_ca/],
      [{ nats_ca: undefined }, /by one of nats_ca, or by a public authority if nats_ca is not set/],
      [{ nats_credentials: stranger }, /The nats-servers refuse this node's credentials.*nats_credentials/],
      [{ nats_credentials: undefined }, /The nats-servers refuse this node's credentials.*nats_credentials/],
      [{ nats_credentials: half }, /nats_credentials is no credentials file/],
    ];
    expect(nats?.isRunning).toBe(true);
    for (const [wrong, sentence] of refused) {
      const at = (await trio.leader()) === 2 ? 1 : 2;
      await trio.kill(at);
      trio.configure(at, wrong as Record<string, string>);
      const { status, stderr } = await confab(["serve", "--data", trio.folders[at] as string, "--port", "1"]);
      expect({ wrong, status, stderr }).toEqual({
        wrong,
        status: 1,
        stderr: expect.stringMatching(sentence),
      });
      trio.configure(at);
      await trio.start(at);
    }
  }, 300_000);

  test("a node that does not trust the leader's certificate says so, and sends nothing", async () => {
    const leader = await trio.leader();
    const at = (leader + 1) % 3;
    await trio.kill(at);
    trio.configure(at, { node_ca: (await certificate(folder, "other-nodes")).cert });
    await trio.start(at);
    // Otherwise it would lead after some seconds: the others reach it, and it does not reach the leader.
    await json(["node", "drain", "--data", trio.folders[at] as string]);
    expect(await send(at, "not sent")).toMatchObject({
      code: "SERVER_NOT_READY",
      msg: "The server could not save this just now. Please try again.",
    });
    expect(trio.running[at]?.printed().stderr).toMatch(
      /"cluster_forwarding_failed".*The certificate of [abc] at https:\/\/localhost:\d+ is not signed by one of node_ca/,
    );
    const all = await trio.call(leader, "GET", "messages", {
      anchor: "newest",
      num_before: 50,
      num_after: 0,
    });
    expect(JSON.stringify(all)).not.toContain("not sent");
    await trio.kill(at);
    trio.configure(at);
    await trio.start(at);
    expect(await send(at, "sent again")).toMatchObject({ result: "success" });
  }, 300_000);

  test("a request without the nodes' secret is refused", async () => {
    const response = await fetch(`${trio.url(await trio.leader())}/api/v1/users/me`, {
      headers: { "x-confab-node-secret": "guessed", "x-confab-node-address": "127.0.0.1" },
      tls: { ca: readFileSync(right.node_ca as string, "utf8") },
    });
    expect([response.status, await response.json()]).toEqual([
      403,
      {
        result: "error",
        code: "BAD_REQUEST",
        msg: "The server that passed this request on belongs to another cluster.",
      },
    ]);
  });
});

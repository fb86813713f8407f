// Links in a cluster: the leader looks, every node shows what it found, and a picture that is gone is looked for by the leader.
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { lookAtLinks } from "@/outside/link-previews/fetching.ts";
import { type MemoryCluster, type MemoryNode, memoryCluster } from "../support/memory-cluster.ts";
import { png } from "../support/pictures.ts";
import { servePlain } from "../support/plain-server.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A cluster whose nodes have their files in common, and a site with a picture. */
async function scene(): Promise<{ cluster: MemoryCluster; picture: string; asked: string[] }> {
  const asked: string[] = [];
  const site = await servePlain(({ url }) => {
    asked.push(url);
    return { headers: { "content-type": "image/png" }, body: png(6, 4) };
  });
  ends.push(() => site.stop());
  const files = mkdtempSync(join(tmpdir(), "confab-files-"));
  ends.push(() => rmSync(files, { recursive: true }));
  const cluster = await memoryCluster(2);
  ends.push(() => cluster.close());
  const [leader] = cluster.nodes as [MemoryNode];
  for (const { app } of cluster.nodes) Object.assign(app.env, { files });
  await setServerOptions(leader.app.system, { preview_networks: "127.0.0.1" });
  return { cluster, picture: `http://127.0.0.1:${site.port}/cat.png`, asked };
}

const look = async (cluster: MemoryCluster) => {
  for (const { app } of cluster.nodes) await lookAtLinks(app.system);
  await cluster.caughtUp();
};
const contentAt = async (cluster: MemoryCluster, node: MemoryNode, id: number): Promise<string> =>
  (await node.call(cluster.olive, "GET", `messages/${id}`)).message.content;

test("are looked at by the leader alone, and shown by every node", async () => {
  const { cluster, picture, asked } = await scene();
  const [leader, other] = cluster.nodes as [MemoryNode, MemoryNode];
  const { id } = await cluster.send(other, picture);
  await cluster.caughtUp();
  await lookAtLinks(other.app.system);
  expect(asked).toEqual([]);
  await look(cluster);
  const html = await contentAt(cluster, leader, id);
  expect(await contentAt(cluster, other, id)).toBe(html);
  const [src = ""] = /\/external_content\/[^"]+/.exec(html) ?? [];
  for (const node of cluster.nodes) {
    expect((await node.ask(null, "GET", src)).headers.get("content-type")).toBe("image/webp");
  }
  expect(asked).toHaveLength(1);
});

test("are looked at by the next leader if the first one is gone", async () => {
  const { cluster, picture, asked } = await scene();
  const [leader, other] = cluster.nodes as [MemoryNode, MemoryNode];
  const { id } = await cluster.send(leader, picture);
  await cluster.caughtUp();
  leader.line.isCut = true;
  await cluster.leadBy(other);
  await lookAtLinks(other.app.system);
  expect(await contentAt(cluster, other, id)).toContain("/external_content/");
  expect(asked).toHaveLength(1);
});

test("to a picture that is gone are followed by the leader again, whichever node is asked", async () => {
  const { cluster, picture, asked } = await scene();
  const [leader, other] = cluster.nodes as [MemoryNode, MemoryNode];
  const { id } = await cluster.send(leader, picture);
  await look(cluster);
  const [src = ""] = /\/external_content\/[^"]+/.exec(await contentAt(cluster, other, id)) ?? [];
  const { files } = leader.app.env;
  rmSync(join(files, "thumbnails"), { recursive: true });
  const answer = await other.ask(null, "GET", src);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
  expect(new URL(answer.url).pathname).toBe(`${src}/again`);
  await cluster.caughtUp();
  expect((await other.ask(null, "GET", src)).redirected).toBe(false);
  expect(asked).toHaveLength(2);
});

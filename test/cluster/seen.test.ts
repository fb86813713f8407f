// What clients see that ask one node after the other.
import { afterEach, describe, expect, test } from "bun:test";
import { type MemoryCluster, type MemoryNode, memoryCluster } from "../support/memory-cluster.ts";
import type { Json } from "../support/requests.ts";

let cluster: MemoryCluster;
afterEach(() => cluster.close());

const cookieOf = (answer: Response) =>
  answer.headers.getSetCookie().map((one) => one.split(";")[0] as string)[0] ?? null;
const newest = { anchor: "newest", num_before: 1, num_after: 0 };
const outdated =
  "This server does not get the changes of the others just now, so what it has is too old. Please try again.";

async function begun() {
  cluster = await memoryCluster(2);
  const [leader, follower] = cluster.nodes as [MemoryNode, MemoryNode];
  const { olive } = cluster;
  const send = async (content: string, node = leader) => {
    const params = { type: "stream", to: "general", topic: "t", content };
    const answer = await node.ask(olive, "POST", "messages", params);
    return { id: ((await answer.json()) as Json).id as number, cookie: cookieOf(answer) };
  };
  const newestAt = async (node: MemoryNode, cookie?: string) => {
    const answer = await node.ask(olive, "GET", "messages", newest, cookie === undefined ? {} : { cookie });
    return { answer, body: (await answer.json()) as Json };
  };
  return { leader, follower, olive, send, newestAt };
}

describe("a client that asks one node after the other", () => {
  test("reads at any node what it has written or read at another", async () => {
    const { leader, follower, send, newestAt } = await begun();
    follower.line.isCut = true;
    const { id, cookie } = await send("new");
    expect(cookie).toBe(`confab_seen=${leader.node.position}`);
    // Without the cookie, the node answers with what it has.
    expect((await newestAt(follower)).body.messages.at(-1)?.id).not.toBe(id);
    Object.assign(follower.line, { isCut: false, isDeaf: true });
    const { answer, body } = await newestAt(follower, `other=1; ${cookie}`);
    expect(body.messages.at(-1)?.id).toBe(id);
    expect(answer.headers.getSetCookie()).toEqual([]);

    const next = await send("newer");
    const read = await newestAt(leader);
    const again = await newestAt(follower, cookieOf(read.answer) ?? "");
    expect(again.body.messages.at(-1)?.id).toBe(next.id);
  });

  test("has the cookie of what it wrote through a node that does not lead", async () => {
    const { leader, follower, send } = await begun();
    const { cookie } = await send("through the follower", follower);
    expect(cookie).toBe(`confab_seen=${leader.node.position}`);
  });

  test("is told to try again by a node that cannot get what it has seen, and others are answered", async () => {
    const { follower, send, newestAt } = await begun();
    follower.line.isCut = true;
    const { cookie } = await send("new");
    const { answer, body } = await newestAt(follower, cookie ?? "");
    expect([answer.status, answer.headers.get("retry-after"), body]).toEqual([
      503,
      "1",
      { result: "error", code: "SERVER_NOT_READY", msg: outdated },
    ]);
    expect((await newestAt(follower)).answer.status).toBe(200);
    follower.line.isCut = false;
    expect((await newestAt(follower, cookie ?? "")).answer.status).toBe(200);
  });

  test("is answered if it has seen more than there is, as before the log started over", async () => {
    const { follower, newestAt } = await begun();
    for (const cookie of [
      "confab_seen=999999999999999",
      "confab_seen=1e9",
      "confab_seen=-1",
      "confab_seen=",
    ]) {
      const { answer } = await newestAt(follower, cookie);
      expect([cookie, answer.status, cookieOf(answer)]).toEqual([
        cookie,
        200,
        `confab_seen=${follower.node.position}`,
      ]);
    }
  });

  test("gets a cookie that scripts cannot read, only if it is known, and only when it has seen more", async () => {
    const { leader, newestAt } = await begun();
    const unknown = await leader.ask(null, "GET", "server_settings");
    const wrong = await leader.ask({ email: "olive@example.com", key: "wrong" }, "GET", "users/me");
    expect([unknown.status, wrong.status]).toEqual([200, 401]);
    for (const one of [unknown, wrong]) expect(one.headers.getSetCookie()).toEqual([]);
    const first = await newestAt(leader);
    const set = `confab_seen=${leader.node.position}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax`;
    expect(first.answer.headers.getSetCookie()).toEqual([set]);
    const second = await newestAt(leader, cookieOf(first.answer) ?? "");
    expect(second.answer.headers.getSetCookie()).toEqual([]);
  });
});

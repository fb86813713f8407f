// What has ended at one node of a cluster is not accepted by another: the answer waits until the others know.
import { describe, expect, test } from "bun:test";
import { Spreading } from "@/cluster/watching/spreading.ts";
import { setPassword } from "@/foundation/accounts/actions.ts";
import { type TestNode, testNodes } from "../support/nodes.ts";
import { password, type WebClient, webClient } from "../support/web-session.ts";

const site = "https://chat.example.com";
const mel = "mel@example.com";

async function scene() {
  const made = testNodes(3, { site, lateTurns: 30 });
  const [leader, ...others] = made.nodes as [TestNode, ...TestNode[]];
  const { id } = made.w.user("mel");
  await setPassword(leader.app.ctx({ kind: "user", id, client: "test" }), { user_id: id, password });
  /** A browser that is signed in, at each node. */
  const browsers = async (): Promise<WebClient[]> => {
    const first = webClient(leader.app, { site });
    expect(await first.signIn(mel)).toMatchObject({ status: 200 });
    await made.caughtUp();
    return [
      first,
      ...others.map(({ app }) => {
        const same = webClient(app, { site });
        for (const [name, value] of first.cookies) same.cookies.set(name, value);
        return same;
      }),
    ];
  };
  return { ...made, leader, others, id, browsers };
}

describe("a session that ended at one node", () => {
  test.each([
    ["signing out", (first: WebClient) => first.ask("POST", "/logout")],
    [
      "a new password",
      (first: WebClient) =>
        first.ask("PATCH", "/json/settings", {
          old_password: password,
          new_password: "staple of another kind",
        }),
    ],
  ])("by %s is refused by all others once that is answered", async (_, end) => {
    const { browsers, close } = await scene();
    const [first, ...same] = (await browsers()) as [WebClient, ...WebClient[]];
    for (const one of same) expect(await one.ask("GET", "/json/users/me")).toMatchObject({ status: 200 });
    expect(await end(first)).toMatchObject({ status: 200 });
    const answers = await Promise.all(same.map((one) => one.ask("GET", "/json/users/me")));
    expect(answers).toMatchObject([{ status: 401 }, { status: 401 }]);
    await close();
  });
});

describe("waiting for the others", () => {
  function cluster(names: string[], answers: (asked: number) => number[]) {
    const asked: (number | undefined)[] = [];
    const at = Date.now();
    const seen = new Map(names.map((node) => [node, { value: JSON.stringify({ node, url: "", at }), at }]));
    const facts = { list: async () => seen };
    const talk = {
      positions: async (enough?: number) => {
        asked.push(enough);
        return answers(asked.length);
      },
    };
    const shared = { facts, talk } as unknown as ConstructorParameters<typeof Spreading>[0];
    return { asked, seen, spreading: new Spreading(shared, "a") };
  }

  test("asks until each has applied the entry", async () => {
    const { asked, spreading } = cluster(["a", "b", "c"], (n) => (n < 3 ? [8, 7, 8] : [8, 8, 8]));
    await spreading.wait(8);
    expect(asked).toEqual([3, 3, 3]);
  });

  test("asks nobody where there is nobody", async () => {
    const { asked, spreading } = cluster(["a"], () => []);
    await spreading.wait(8);
    expect(asked).toEqual([]);
  });

  test("gives up on those that do not answer, and waits for them again once they have started again", async () => {
    const { asked, seen, spreading } = cluster(["a", "b", "c"], () => [8, 8]);
    await spreading.wait(8);
    expect(asked.length).toBeGreaterThan(0);
    asked.length = 0;
    await spreading.wait(8);
    expect(asked).toEqual([2]);
    asked.length = 0;
    seen.set("c", { value: JSON.stringify({ node: "c", url: "", at: Date.now() + 1 }), at: Date.now() + 1 });
    await spreading.wait(8);
    expect(asked[0]).toBe(3);
  });
});

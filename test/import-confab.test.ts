import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, cleanUp, confab, json, newFolder, serve } from "./support/executable.ts";
import { zipped } from "./support/imports/archives.ts";
import { flagsOf, imported, refusal } from "./support/imports/outcome.ts";
import { slackExport } from "./support/imports/slack.ts";

afterAll(() => cleanUp());

/** An organization with rows in every section that a command or a request can fill. */
async function organization(): Promise<string> {
  const archive = await zipped(join(newFolder(), "export.zip"), slackExport());
  const { data } = await imported("slack", archive, { args: ["--org", "Crew"] });
  const at = ["--data", data];
  await json(["folder", "create", "Projects", ...at]);
  await json(["profile-field", "create", "Team", ...at]);
  await json(["group", "create", "crabs", ...at]);
  const { api_key } = await json<{ api_key: string }>([
    "user",
    "api-key",
    "olive@example.com",
    "--rotate",
    ...at,
  ]);
  const olive = { email: "olive@example.com", api_key };
  const server = await serve(data);
  const post = async (path: string, params: Record<string, string>) => {
    const { status, body } = await call(server, olive, ["POST", path], params);
    expect([path, status]).toEqual([path, 200]);
    return body as { id: number };
  };
  const to = { type: "channel", to: "secret", topic: "news" };
  const { id } = await post("/messages", { ...to, content: "To be **edited** by @**Ada Admin**" });
  await call(server, olive, ["PATCH", `/messages/${id}`], { content: "Edited here", topic: "other news" });
  const gone = await post("/messages", { ...to, content: "Deleted" });
  await call(server, olive, ["DELETE", `/messages/${gone.id}`]);
  const poll = await post("/messages", { ...to, content: "/poll Tea or coffee?\nTea\nCoffee" });
  await post("/submessage", {
    message_id: String(poll.id),
    msg_type: "widget",
    content: '{"type":"vote","key":"canned,0","vote":1}',
  });
  await call(server, olive, ["PATCH", "/realm"], { description: '"Everything of ours"' });
  await call(server, olive, ["PATCH", "/users/me/profile_data"], {
    data: JSON.stringify([{ id: 1, value: "Blue" }]),
  });
  await server.end("SIGTERM");
  return data;
}

async function written(data: string): Promise<{ file: string; document: Record<string, unknown> }> {
  const file = join(newFolder(), "crew.json");
  await json(["export", "organization", file, "--data", data]);
  return { file, document: JSON.parse(readFileSync(file, "utf8")) };
}

describe("import confab", () => {
  test("gives the same document again, and people can read it", async () => {
    const { file, document } = await written(await organization());
    for (const section of [
      "profile_fields",
      "submessages",
      "channel_folders",
      "message_edits",
      "reactions",
      "permissions",
    ])
      expect([section, (document[section] as unknown[]).length > 0]).toEqual([section, true]);
    const { data, report, document: again } = await imported("confab", file);
    expect({ ...again, exported_at: 0 } as unknown).toEqual({ ...document, exported_at: 0 });
    expect(report).toMatchObject({
      source: "confab",
      organization: "Crew",
      messages: (document.messages as []).length,
    });
    const server = await serve(data);
    const flags = await flagsOf(server, data, "ada@example.com");
    expect(Object.values(flags).every((some) => some.includes("read"))).toBe(true);
    expect(flags[1]).toEqual(["read", "mentioned"]);
    await server.end("SIGTERM");
    expect(await refusal(["confab", file, "--data", data])).toContain("holds an organization");
  });

  test("refuses what is broken, and makes nothing", async () => {
    const { file, document } = await written(await organization());
    const whole = readFileSync(file, "utf8");
    const message = whole.indexOf('"messages":[') + 13;
    const broken: Record<string, [string, string]> = {
      "cut off": [whole.slice(0, message + 500), "is not a row of an export"],
      "without its end": [whole.slice(0, whole.indexOf('"reports":[')), "its end is missing"],
      "of a person": [whole.replace('"users":[', '"user":['), "have no section user"],
      "of another format": [whole.replace('"format":1', '"format":9'), "Only format 1 can be read"],
      "with a wrong type": [whole.replace(/"sender_id":\d+/, '"sender_id":"x"'), "sender_id in crew.json"],
      "with people missing": [whole.replace(/"sender_id":\d+/, '"sender_id":999'), "contradicts itself"],
      "with a message twice": [whole.replace(/\n(\{"id":2,"sender_id".*\n)/, "\n$1$1"), "contradicts itself"],
    };
    expect(document.format).toBe(1);
    for (const [what, [text, sentence]] of Object.entries(broken)) {
      const path = join(newFolder(), "crew.json");
      writeFileSync(path, text);
      const data = join(newFolder(), "data");
      expect([what, await refusal(["confab", path, "--data", data])]).toEqual([
        what,
        expect.stringContaining(sentence),
      ]);
      expect((await confab(["user", "list", "--data", data])).stderr).toContain("There is no organization");
    }
    const { stdout } = await confab(["import", "confab", file, "--dry-run"]);
    expect(stdout).toContain("Nothing was imported. This would come, from Confab:");
  });
});

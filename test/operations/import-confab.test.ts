import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabaseOf } from "../support/database.ts";
import { call, cleanUp, confab, json, newFolder, type Server, serve } from "../support/executable.ts";
import { zipped } from "../support/imports/archives.ts";
import { flagsOf, imported, refusal } from "../support/imports/outcome.ts";
import { slackExport } from "../support/imports/slack.ts";

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
    "--yes",
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
  await post("/realm/domains", { domain: "example.com", allow_subdomains: "true" });
  await post("/realm/filters", { pattern: "#(?P<id>[0-9]+)", url_template: "https://bugs.example.com/{id}" });
  await post("/realm/filters", { pattern: "!(?P<id>[0-9]+)", url_template: "https://code.example.com/{id}" });
  const playground = {
    name: "Try",
    pygments_language: "Python",
    url_template: "https://try.example.com/{code}",
  };
  await post("/realm/playgrounds", playground);
  await post("/channels/create", { name: "lab", subscribers: "[]" });
  await post("/default_stream_groups/create", {
    ...{ group_name: "Labs", description: "For labs", stream_names: '["lab"]' },
  });
  const defaults = { twenty_four_hour_time: "true" };
  expect((await call(server, olive, ["PATCH", "/realm/user_settings_defaults"], defaults)).status).toBe(200);
  const place = await post("/channels/create", { name: "mods", subscribers: "[]", invite_only: "true" });
  await call(server, olive, ["PATCH", "/realm"], { moderation_request_channel_id: String(place.id) });
  await post(`/messages/${id}/report`, { report_type: "spam" });
  const decisions: Record<string, string>[] = [
    { is_handled: "true", warning: "Stop", note: "Twice" },
    { is_handled: "false" },
    { is_handled: "true", is_dismissed: "true", note: "A joke" },
  ];
  for (const decision of decisions)
    expect((await call(server, olive, ["PATCH", "/reports/1"], decision)).status).toBe(200);
  await signIn(server, data);
  await server.end("SIGTERM");
  const bot = ["bot", "create", "--name", "Builder", "--short-name", "builder", ...at];
  const { email } = await json<{ email: string }>(bot);
  await json(["webhook", "secret", email, ...at]);
  await json(["user", "reset-link", "ada@example.com", ...at]);
  return data;
}

/** Opens a session of Olive's. */
async function signIn(server: Server, data: string): Promise<void> {
  const { url } = await json<{ url: string }>(["user", "login-link", "olive@example.com", "--data", data]);
  const followed = await fetch(server.url + new URL(url).pathname, { method: "POST" });
  expect([followed.status, followed.headers.getSetCookie().length > 0]).toEqual([200, true]);
}

/** How many rows tables have. */
function rowsIn(data: string, tables: readonly string[]): Record<string, number> {
  const database = openDatabaseOf(data, { readonly: true });
  try {
    const count = (table: string) =>
      database.query<{ n: number }, []>(`SELECT COUNT(*) AS n FROM ${table}`).get()?.n ?? 0;
    return Object.fromEntries(tables.map((table) => [table, count(table)]));
  } finally {
    database.close();
  }
}

async function written(data: string): Promise<{ file: string; document: Record<string, unknown> }> {
  const file = join(newFolder(), "crew.json");
  await json(["export", "organization", file, "--data", data]);
  return { file, document: JSON.parse(readFileSync(file, "utf8")) };
}

describe("import confab", () => {
  test("gives the same document again, and people can read it", async () => {
    const source = await organization();
    const { file, document } = await written(source);
    for (const section of [
      ...["domains", "linkifiers", "playgrounds", "user_defaults"],
      ...["default_channels", "default_channel_groups", "default_channel_group_channels"],
      "profile_fields",
      "submessages",
      "channel_folders",
      "message_edits",
      "reactions",
      "permissions",
      "reports",
      "report_decisions",
    ])
      expect([section, (document[section] as unknown[]).length > 0]).toEqual([section, true]);
    const { data, report, document: again } = await imported("confab", file);
    expect({ ...again, exported_at: 0 } as unknown).toEqual({ ...document, exported_at: 0 });
    const secret = ["sessions", "api_keys", "reset_links", "known_logins", "webhook_secrets"];
    expect(Object.values(rowsIn(source, secret)).every((count) => count > 0)).toBe(true);
    const unused = ["login_links", "two_step", "external_identities", "push_subscriptions"];
    const left = [...secret, ...unused];
    expect(rowsIn(data, left)).toEqual(Object.fromEntries(left.map((table) => [table, 0])));
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

  test("imports a document of a version that had fewer sections", async () => {
    const { file } = await written(await organization());
    const document = JSON.parse(readFileSync(file, "utf8"));
    const whole = readFileSync(file, "utf8");
    const text = whole
      .replace('"login_settings":[],\n', "")
      .replace(/"linkifiers":\[[\s\S]*?\n(?="playgrounds")/, "");
    expect(/"(login_settings|linkifiers)"/.test(text)).toBe(false);
    writeFileSync(file, text);
    const { document: again } = await imported("confab", file);
    expect({ ...again, exported_at: 0 } as unknown).toEqual({ ...document, exported_at: 0, linkifiers: [] });
  }, 300_000);

  test("refuses a damaged document, and creates nothing", async () => {
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
      "with a message twice": [whole.replace(/\n(\{"id":2,"sender_id".*\n)/, "\n$1$1"), "not in order"],
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
    expect(stdout).toContain("Nothing was imported. From Confab, this would be imported:");
  });
});

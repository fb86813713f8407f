// The executable by itself: no Node, no Bun, no node_modules, no environment.

import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, newFolder } from "../support/executable.ts";
import { freePort } from "../support/ports.ts";

const built = process.env.CONFAB_TEST_BINARY ?? join(import.meta.dir, "..", "..", "dist", "confab");
const started: Bun.Subprocess[] = [];

afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  await cleanUp();
});

async function firstLineOf(stream: ReadableStream<Uint8Array>, until: RegExp): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk);
    if (until.test(text)) break;
  }
  return text;
}

describe("the executable alone in a folder", () => {
  test("serves and renders without any other file", async () => {
    expect(existsSync(built)).toBe(true);
    const folder = newFolder();
    copyFileSync(built, join(folder, "confab"));
    const port = await freePort();
    const child = Bun.spawn(["./confab", "serve", "--port", String(port)], {
      cwd: folder,
      env: {},
      stdout: "pipe",
      stderr: "ignore",
    });
    started.push(child);

    const printed = await firstLineOf(child.stdout, /Stop with/);
    const command = /curl -sS -u '([^']+)' (\S+)/.exec(printed);
    const [, credentials = "", url = ""] = command ?? [];
    const headers = { authorization: `Basic ${btoa(credentials)}` };
    const me = await (await fetch(url, { headers })).json();
    expect(me).toMatchObject({ result: "success", is_owner: true });

    const api = `http://127.0.0.1:${port}/api/v1`;
    const content = ":tada: *it* works, see example.com\n\n|a|b|\n|-|-|\n|1|2|";
    const body = new URLSearchParams({ content });
    const { rendered } = (await (
      await fetch(`${api}/messages/render`, { method: "POST", headers, body })
    ).json()) as {
      rendered: string;
    };
    expect(rendered).toContain('class="emoji emoji-1f389"');
    expect(rendered).toContain("<em>it</em>");
    expect(rendered).toContain('href="http://example.com"');
    expect(rendered).toContain("<table>");

    const invited = await (await fetch(`${api}/invites/multiuse`, { method: "POST", headers })).json();
    const { pathname } = new URL((invited as { invite_link: string }).invite_link);
    const ann = { full_name: "Ann", email: "ann@example.org" };
    for (const [password, status] of [
      ["iloveyou", 400],
      ["correct horse", 200],
    ] as const) {
      const joining = { method: "POST", body: new URLSearchParams({ ...ann, password }) };
      expect((await fetch(`http://127.0.0.1:${port}${pathname}`, joining)).status).toBe(status);
    }
    expect(existsSync(join(folder, "confab-data", "confab.db"))).toBe(true);
  });
});

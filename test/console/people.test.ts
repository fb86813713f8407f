// How an administrator restores people's access at the console, in a real terminal: a link for a new password, and two-step
// sign-in.
import { afterAll, describe, expect, test } from "bun:test";
import { generateSync } from "otplib";
import { type Credentials, cleanUp, confab, json, newFolder, serve } from "../support/executable.ts";
import { hasTmux, openTerminal } from "../support/tmux.ts";

afterAll(() => cleanUp());

describe.skipIf(!hasTmux)("confab console, in tmux (skipped where there is none)", () => {
  test("makes links for a new password, and resets two-step sign-in", async () => {
    const data = newFolder();
    const owner = ["--owner-email", "olive@example.com", "--owner-name", "Olive"];
    expect((await confab(["init", "--data", data, "--org", "Crew", ...owner])).status).toBe(0);
    const person = ["--email", "mel@example.com", "--name", "Mel", "--data", data];
    const { api_key } = await json<Credentials>(["user", "create", ...person]);
    const server = await serve(data);
    const headers = { authorization: `Basic ${btoa(`mel@example.com:${api_key}`)}` };
    const post = async (path: string, params: Record<string, string> = {}) =>
      (
        await fetch(`${server.url}${path}`, { method: "POST", headers, body: new URLSearchParams(params) })
      ).json() as Promise<Record<string, string>>;
    const { secret = "" } = await post("/api/v1/users/me/two_step");
    await post("/api/v1/users/me/two_step/confirm", { code: generateSync({ secret }) });

    const terminal = openTerminal(["console", "--data", data], { columns: 80, rows: 24 });
    try {
      await terminal.sees("? help");
      terminal.press("2");
      await terminal.sees("mel@example.com");
      terminal.press("/");
      terminal.type("mel");
      terminal.press("Enter");
      await terminal.sees(/▸ +Mel/);
      terminal.press("Y");
      const mel = /^Mel\tmel@example\.com\tmember\tactive\t\d{4}-\d\d-\d\d$/;
      expect(await terminal.copied()).toMatch(mel);
      terminal.press("Z");
      const known = { Name: "Mel", Email: "mel@example.com", Role: "member", "Two-step": "on" };
      expect(JSON.parse(await terminal.copied())).toMatchObject(known);
      terminal.press("Enter");
      await terminal.sees(/Two-step +on/);

      terminal.press("l");
      const shown = await terminal.sees("This is not shown again");
      expect(shown).toContain("Mel chooses a new password, once, within an hour.");
      const link = /^http\S+\/password\/reset\/\w{32}$/m.exec(shown)?.[0] ?? "";
      terminal.resize(60, 24);
      await terminal.sees(`${link.slice(0, 60)}\n${link.slice(60)}\n`);
      expect(terminal.selectable()).toMatch(new RegExp(`^${RegExp.escape(link)} *$`, "m"));
      terminal.press("y");
      expect(await terminal.copied()).toBe(link);
      const path = new URL(link).pathname;
      const chosen = await post(path, { password: "correct horse battery" });
      expect(chosen.result).toBe("success");
      expect((await post(path, { password: "another horse battery" })).result).toBe("error");
      const login = { username: "mel@example.com", password: "correct horse battery" };
      expect((await post("/login", login)).code).toBe("TWO_STEP_REQUIRED");
      terminal.press("Enter");
      await terminal.sees("? help");

      terminal.press("t");
      await terminal.sees("Turn two-step sign-in off for Mel?");
      terminal.press("y");
      await terminal.sees("Two-step sign-in is off for Mel.");
      expect((await post("/login", login)).result).toBe("success");
      terminal.press("t");
      await terminal.sees("Turn two-step sign-in off for Mel?");
      terminal.press("y");
      await terminal.sees("Mel does not use two-step sign-in.");
      terminal.press("C-c");
      await terminal.sees("left with 0");
    } finally {
      terminal.close();
      await server.end("SIGTERM");
    }
  }, 300_000);
});

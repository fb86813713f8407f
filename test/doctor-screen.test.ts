// The doctor's screen of the console, in a real terminal, while the server comes and goes.
import { afterAll, describe, expect, test } from "bun:test";
import { cleanUp, newOrganization, serve } from "./support/executable.ts";
import { hasTmux, openTerminal } from "./support/tmux.ts";

afterAll(() => cleanUp());

describe.skipIf(!hasTmux)("the doctor's screen (skipped where there is no tmux)", () => {
  test("says when it looked, and looks again when the server comes or goes", async () => {
    const { data } = await newOrganization();
    const first = await serve(data);
    await first.end("SIGTERM");
    const terminal = openTerminal(["console", "--data", data], { columns: 160, rows: 50 });
    try {
      await terminal.sees("Overview");
      terminal.press("H");
      await terminal.sees(/✘ +Address +No server runs/);
      expect(await terminal.sees(/Looked at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/)).toBeString();
      const server = await serve(data);
      await terminal.sees(/✔ +Server +It works/);
      await server.end("SIGTERM");
      await terminal.sees(/✘ +Address +No server runs/);
    } finally {
      terminal.close();
    }
  });
});

// The doctor's screen of the console, in a real terminal, while the server comes and goes.
import { afterAll, describe, expect, test } from "bun:test";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import { openSources } from "../../console/source.ts";
import { stage } from "../support/console.ts";
import { cleanUp, newOrganization, serve } from "../support/executable.ts";
import { hasTmux, openTerminal } from "../support/tmux.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

afterAll(() => cleanUp());

const found = (finding: string): Finding[] => [{ check: "Data folder", finding, verdict: "well" }];

describe("a deep look", () => {
  test("is what is shown, also if it was asked for during another look", async () => {
    const first = Promise.withResolvers<void>();
    const asked: boolean[] = [];
    const examine = async (deep: boolean) => {
      asked.push(deep);
      if (!deep) await first.promise;
      return found(deep ? "Deeply well" : "Well at first sight");
    };
    const { press, sees, frame } = stage(world(), "olive", { examine });
    await press("H", "d");
    first.resolve();
    await sees("Deeply well");
    expect(frame()).not.toContain("at first sight");
    expect(asked).toEqual([false, true]);
    await press("r");
    await sees("Well at first sight");
  });

  test("is not replaced by a usual one that is due meanwhile", async () => {
    const sources = openSources(() => {});
    const get = () => sources.get("findings", 300_000, async () => "usual");
    await until(() => !get().isLoading, "it is loaded first");
    const deep = Promise.withResolvers<string>();
    sources.refresh("findings", () => deep.promise);
    sources.refresh("findings");
    expect(get().isLoading).toBe(true);
    deep.resolve("deep");
    await until(() => !get().isLoading, "it is loaded");
    expect(get().value).toBe("deep");
    sources.refresh("findings");
    await until(() => !get().isLoading, "it is loaded again");
    expect(get().value).toBe("usual");
    sources.close();
  });
});

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

// The first start may be killed at any moment: the next one serves the folder, and shows the owner's key.

import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, utimesSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  call,
  cleanUp,
  confab,
  executable,
  founding,
  json,
  newFolder,
  newOrganization,
  serve,
  surroundings,
} from "../support/executable.ts";
import { tarred } from "../support/imports/archives.ts";
import { zulipExport } from "../support/imports/zulip.ts";
import { freePort } from "../support/ports.ts";

afterEach(() => cleanUp());

/** Runs a command and kills it once its folder has changed so often, or once it says that it is done. */
async function killAfter(changes: number, data: string, args: readonly string[]): Promise<string> {
  let seen = 0;
  return killWhen(() => ++seen >= changes, data, args);
}

/** The same, once this is true of a name that appears or changes in the folder. */
async function killWhen(
  isMoment: (name: string) => boolean,
  data: string,
  args: readonly string[],
): Promise<string> {
  const child = Bun.spawn([...executable, ...args, "--data", data], {
    env: surroundings(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const watcher = watch(data, { recursive: true }, (_, name) => {
    if (isMoment(name ?? "")) child.kill("SIGKILL");
  });
  let printed = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    printed += chunk;
    child.kill("SIGKILL");
  }
  await child.exited;
  watcher.close();
  return printed;
}

const keyIn = (printed: string) => /API key +(\w+)/.exec(printed)?.[1];
const notes = (data: string) => readdirSync(data).filter((name) => /beginning|sample-/.test(name));

/** Whether the owner's key is the one that was shown last. */
async function isOpenedBy(printed: readonly (string | undefined)[], data: string, email: string) {
  const server = await serve(data);
  const keys = [...printed, server.printed().stdout].map((text) => keyIn(text ?? ""));
  const owner = { email, api_key: keys.findLast((key) => key !== undefined) ?? "none was shown" };
  const { status } = await call(server, owner, ["GET", "/users/me"]);
  await server.end("SIGTERM");
  return status === 200 && notes(data).length === 0;
}

describe("a first start that is killed", () => {
  // From the lock to what is written after the organization: it changes its folder about 30 times.
  test.each([3, 4, 5, 6, 8, 10, 12, 14, 17, 20, 23, 26])(
    "after %i changes of its folder is begun again or continued, and the owner's key is shown",
    async (moment) => {
      const data = newFolder();
      const printed = await killAfter(moment, data, ["serve", "--port", String(await freePort())]);
      expect(await isOpenedBy([printed], data, "owner@localhost")).toBe(true);
    },
  );

  test.each([4, 6, 10, 14, 18])(
    "after %i changes by 'init' is continued by 'init' with the same names, and by 'serve'",
    async (moment) => {
      const data = newFolder();
      const printed = await killAfter(moment, data, ["init", ...founding]);
      const again = await confab(["init", ...founding, "--data", data]);
      if (!again.stderr.includes("already holds an organization")) expect(again.stderr).toBe("");
      expect(await isOpenedBy([printed, again.stdout], data, "olive@example.com")).toBe(true);
    },
  );

  test.each([4, 12, 40, 120])(
    "after %i changes by 'serve --dev' has filled in all of the sample, or nothing",
    async (moment) => {
      const data = newFolder();
      // As the server that goes on: the sample alone is counted.
      await killAfter(moment, data, ["serve", "--dev", "--no-welcome", "--port", String(await freePort())]);
      const server = await serve(data, ["--dev"]);
      const found = await json<{ messages: { all: number } }>(["stats", "--data", data]);
      const whole = newFolder();
      await (await serve(whole, ["--dev"])).end("SIGTERM");
      const expected = await json<{ messages: { all: number } }>(["stats", "--data", whole]);
      await server.end("SIGTERM");
      expect([found.messages.all, notes(data)]).toEqual([expected.messages.all, []]);
    },
  );

  test("is not continued with the names of another organization, nor once somebody has used it", async () => {
    const { data } = await newOrganization();
    rmSync(join(data, "confab.organization"));
    writeFileSync(join(data, "confab.beginning"), "");
    utimesSync(join(data, "confab.beginning"), 1_600_000_000, 1_600_000_000);
    const other = ["--org", "Other", "--owner-email", "olive@example.com", "--owner-name", "Olive"];
    const refused = await confab(["init", ...other, "--data", data]);
    expect(refused.stderr).toContain("already holds an organization");
    expect(notes(data)).toEqual(["confab.beginning"]);
    await json(["user", "list", "--data", data]);
    expect(notes(data)).toEqual([]);
    const server = await serve(data);
    expect(keyIn(server.printed().stdout)).toBeUndefined();
  });

  test("gives no other key to an organization that was there before it", async () => {
    const { data, owner } = await newOrganization();
    writeFileSync(join(data, "confab.beginning"), "");
    utimesSync(join(data, "confab.beginning"), 4_000_000_000, 4_000_000_000);
    const server = await serve(data);
    expect(keyIn(server.printed().stdout)).toBeUndefined();
    expect((await call(server, owner, ["GET", "/users/me"])).status).toBe(200);
  });

  test("leaves nothing to tell a folder that lost its organization from", async () => {
    const { data } = await newOrganization();
    writeFileSync(join(data, "confab.beginning"), "");
    rmSync(join(data, "confab.db"));
    const { stderr } = await confab(["serve", "--data", data]);
    expect(stderr).toContain("held an organization");
  });
});

describe("an import into an empty folder that is killed", () => {
  test.each(["zulip", "confab"] as const)(
    "from %s while it places its files is done by the same command",
    async (source) => {
      const [data, from] = [newFolder(), newFolder()];
      const archive = await tarred(join(from, "export.tar.gz"), zulipExport());
      const imported = newFolder();
      await json(["import", "zulip", archive, "--data", imported]);
      const document = join(from, "crew.json");
      await json(["export", "organization", document, "--data", imported]);
      const args = ["import", source, source === "zulip" ? archive : document];
      const isPlacing = (name: string) => name === "files" || name.startsWith(join("files", ""));
      await killWhen(isPlacing, data, args);
      expect(existsSync(join(data, "files"))).toBe(true);
      const { status, stderr } = await confab([...args, "--data", data]);
      // The kill may have come once all was in place.
      const isDone = /already|holds an organization/.test(stderr) || status === 0;
      expect([isDone, stderr]).toEqual([true, expect.any(String)]);
      const server = await serve(data);
      await server.end("SIGTERM");
      const { all } = (await json<{ messages: { all: number } }>(["stats", "--data", data])).messages;
      expect(all).toBe(
        (await json<{ messages: { all: number } }>(["stats", "--data", imported])).messages.all,
      );
      expect(notes(data)).toEqual([]);
    },
  );

  test("or refused leaves a folder that can be used", async () => {
    const data = newFolder();
    const { status } = await confab(["import", "zulip", join(data, "none.tar.gz"), "--data", data]);
    expect([status, notes(data)]).toEqual([1, []]);
    await (await serve(data)).end("SIGTERM");
  });
});

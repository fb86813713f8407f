import { afterEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { lineOf } from "@cli/progress.ts";
import {
  type Credentials,
  call,
  cleanUp,
  confab,
  json,
  newFolder,
  type Server,
  serve,
} from "./support/executable.ts";

afterEach(() => cleanUp());
const founding = ["--org", "Crew", "--owner-email", "olive@example.com", "--owner-name", "Olive"];

interface Saved {
  file: string;
  bytes: number;
  sha256: string;
  files: number;
  last_message_id: number;
}

async function organization(): Promise<{ data: string; owner: Credentials & { user_id: number } }> {
  const data = newFolder();
  const { owner } = await json<{ owner: Credentials & { user_id: number } }>([
    "init",
    "--data",
    data,
    ...founding,
  ]);
  return { data, owner };
}

function idsOf(body: Record<string, unknown>): number[] {
  return (body.messages as { id: number }[]).map(({ id }) => id);
}

describe("backup and restore", () => {
  test("under load keep every message acknowledged before, and what was uploaded", async () => {
    const { data, owner } = await organization();
    const server = await serve(data);
    const direct = { type: "direct", to: JSON.stringify([owner.user_id]) };
    const send = async (content: string) =>
      (await call(server, owner, ["POST", "/messages"], { ...direct, content })).body.id as number;
    const picture = "a picture, or nearly so";
    const headers = { authorization: `Basic ${btoa(`${owner.email}:${owner.api_key}`)}` };
    const form = new FormData();
    form.append("file", new File([picture], "note.txt"));
    const url = `${server.url}/api/v1/user_uploads`;
    const answer = await fetch(url, { method: "POST", headers, body: form });
    const uploaded = ((await answer.json()) as { url: string }).url;
    const download = async (from: Server) => {
      const file = await fetch(`${from.url}${uploaded}`, { headers });
      return [file.status, await file.text()] as [number, string];
    };
    expect(await download(server)).toEqual([200, picture]);
    mkdirSync(join(data, "files", "incoming"), { recursive: true });
    writeFileSync(join(data, "files", "incoming", "half"), "not whole yet");

    const acknowledged: number[] = [];
    for (let n = 0; n < 50; n++) acknowledged.push(await send(`Before ${n}`));
    let isLoaded = true;
    const load = Array.from({ length: 8 }, async () => {
      for (let n = 0; isLoaded; n++) await send(`Meanwhile ${n}`);
    });
    const file = join(newFolder(), "crew.tar.gz");
    const saved = await json<Saved>(["backup", file, "--data", data]);
    isLoaded = false;
    await Promise.all(load);
    expect(saved).toMatchObject({ file, bytes: statSync(file).size, files: 2 });
    expect(saved.sha256).toBe(createHash("sha256").update(readFileSync(file)).digest("hex"));
    expect(saved.last_message_id).toBeGreaterThanOrEqual(acknowledged.at(-1) as number);
    expect(readdirSync(dirname(file))).toEqual([basename(file)]);
    expect(readdirSync(data).filter((name) => name.startsWith("backup-"))).toEqual([]);
    expect(statSync(file).mode & 0o077).toBe(0);
    await server.end("SIGTERM");

    const copy = join(newFolder(), "restored");
    const { stdout } = await confab(["restore", file, "--data", copy]);
    expect(stdout).toStartWith("Restored Crew as of ");
    expect(existsSync(join(copy, "files", "incoming"))).toBe(false);
    expect(existsSync(join(copy, "manifest.json"))).toBe(false);
    const again = await serve(copy);
    const ids = JSON.stringify(acknowledged);
    const found = await call(again, owner, ["GET", "/messages"], { message_ids: ids });
    expect(idsOf(found.body)).toEqual(acknowledged);
    const narrow = '[{"operator":"search","operand":"before"}]';
    const searched = await call(again, owner, ["GET", "/messages"], {
      anchor: "newest",
      num_before: "100",
      narrow,
    });
    expect(idsOf(searched.body)).toEqual(acknowledged);
    expect(await download(again)).toEqual([200, picture]);
  });

  test("a backup that is damaged, cut off or none of ours restores nothing", async () => {
    const { data } = await organization();
    const folder = newFolder();
    const file = join(folder, "crew.tar.gz");
    await json(["backup", file, "--data", data]);
    const whole = readFileSync(file);
    const changed = Buffer.from(whole);
    changed[Math.floor(whole.length / 2)] = (changed[Math.floor(whole.length / 2)] ?? 0) ^ 0xff;
    const cases: [string, Uint8Array][] = [
      ["changed", changed],
      ["cut", whole.subarray(0, whole.length - 2000)],
      ["text", Buffer.from("not an archive")],
      ["empty", Buffer.alloc(0)],
    ];
    for (const [name, content] of cases) {
      const path = join(folder, name);
      writeFileSync(path, content);
      const target = join(folder, `${name}-restored`);
      const refused = await confab(["restore", path, "--data", target]);
      expect([name, refused.status]).toEqual([name, 1]);
      expect(refused.stderr).toMatch(/is no backup, or not a whole one|is damaged|not a backup of Confab/);
      expect(existsSync(target)).toBe(false);
    }
    expect(readdirSync(folder).filter((name) => name.startsWith("restore-"))).toEqual([]);
  });

  test("refuse what would overwrite, and what is not there", async () => {
    const { data } = await organization();
    const file = join(newFolder(), "crew.tar.gz");
    writeFileSync(file, "precious");
    const refused = await confab(["backup", file, "--data", data]);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("exists already") });
    expect(readFileSync(file, "utf8")).toBe("precious");
    expect((await confab(["backup", file, "--yes", "--data", data])).status).toBe(0);

    const fresh = join(newFolder(), "new one");
    const restored = await confab(["restore", file, "--data", fresh]);
    expect(restored.stdout).toMatch(/ as of \d{4}-\d\d-\d\d \d\d:\d\d UTC, /);
    expect(restored.stdout).toEndWith(`Start it with 'confab serve --data "${fresh}"'.\n`);

    const onto = await confab(["restore", file, "--data", data]);
    expect(onto).toMatchObject({ status: 1, stderr: expect.stringContaining("is not empty") });
    const nothing = await confab(["backup", `${file}2`, "--data", newFolder()]);
    expect(nothing).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("There is no organization in"),
    });
    const absent = await confab(["restore", `${file}3`, "--data", join(newFolder(), "new")]);
    expect(absent).toMatchObject({ status: 1, stderr: expect.stringContaining("There is no file") });
    const folder = await confab(["backup", data, "--yes", "--data", data]);
    expect(folder).toMatchObject({ status: 1, stderr: expect.stringContaining("is a folder; name a file") });
    const piped = await confab(["backup", "-", "--data", data]);
    expect(piped).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("Name a file") });
    const nowhere = await confab(["backup", join(file, "x", "y"), "--data", data]);
    expect(nowhere).toMatchObject({ status: 1, stderr: expect.stringContaining("There is no folder") });
  });
});

test.skipIf(process.platform === "win32").each([["backup"], ["export organization"]])(
  "%s writes a file for its owner alone, whatever lies where it begins",
  async (command) => {
    const { data } = await organization();
    const folder = newFolder();
    const [file, other] = [join(folder, "crew"), join(folder, "other")];
    writeFileSync(other, "precious");
    symlinkSync(other, `${file}.partial`);
    expect((await confab([...command.split(" "), file, "--data", data])).status).toBe(0);
    expect(readFileSync(other, "utf8")).toBe("precious");
    const { mode } = lstatSync(file);
    expect(mode & 0o170777).toBe(0o100600);
  },
);

test("progress is a bar with figures", () => {
  expect(lineOf({ doing: "Packing", done: 1_500_000, of: 3_000_000 })).toBe(
    "Packing ████████████░░░░░░░░░░░░ 50 %  1.5 MB of 3.0 MB",
  );
  expect(lineOf({ doing: "Copying the database", done: 0, of: 0 })).toBe("Copying the database …");
});

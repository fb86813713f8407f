// Files in an S3 store: the same requests, answers and refusals as with files on the disk.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { serverSettings } from "@cli/settings.ts";
import { claimStore, storeAt } from "@/foundation/file-stores/access.ts";
import { openS3 } from "@/foundation/file-stores/host.ts";
import { newName } from "@/foundation/file-stores/names.ts";
import { onThisMachine } from "@/foundation/files/files.ts";
import { moveFile } from "@/foundation/files/moving.ts";
import { sweepFiles } from "@/foundation/files/sweep.ts";
import { setPlacement } from "@/operations/file-moves/actions.ts";
import {
  type Credentials,
  cleanUp,
  confab,
  executable,
  json,
  newFolder,
  newOrganization,
  type Server,
  serve,
  surroundings,
} from "../support/executable.ts";
import { zipped } from "../support/imports/archives.ts";
import { imported } from "../support/imports/outcome.ts";
import { slackExport, slackFile } from "../support/imports/slack.ts";
import { runJob } from "../support/jobs.ts";
import { file, gif, png } from "../support/pictures.ts";
import type { Json } from "../support/requests.ts";
import { s3Bucket, s3Keys, startS3, type TestS3 } from "../support/s3.ts";
import { until } from "../support/waiting.ts";
import { type World, world } from "../support/world.ts";

let s3: TestS3;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.stop());
afterEach(async () => {
  await cleanUp();
  s3.fault = () => null;
  s3.objects.clear();
  s3.requests.length = 0;
});

const impatient = { patienceMs: 30_000, pauseMs: 5 };

/** An organization whose files are in the S3 store. */
async function stored(given: Partial<TestS3["settings"]> = {}): Promise<World> {
  const w = world({
    stores: (kind) => (kind === "s3" ? openS3({ ...s3.settings, ...impatient, ...given }) : null),
  });
  await setPlacement(w.ctx("system"), { at: "s3", also: null });
  return w;
}

const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
const keys = (shelf: string) => s3.objects.keys().filter((key) => key.startsWith(`${shelf}/`));
const away = {
  result: "error",
  code: "SERVER_NOT_READY",
  msg: "The server's file store does not answer just now, so files can be neither stored nor read. Please try again in a few minutes.",
};

async function uploaded(w: World, content: Uint8Array<ArrayBuffer>, name = "a.bin"): Promise<string> {
  return (await w.as("mel").upload("/user_uploads", file(content, name))).body.url as string;
}

describe("in an S3 store", () => {
  test("uploads are stored, served whole and in ranges, and deleted", async () => {
    const w = await stored();
    const content = random(50_000);
    const url = await uploaded(w, content);
    const name = url.split("/")[3] as string;
    const key = `uploads/${name.slice(0, 2)}/${name}`;
    expect(s3.objects.get(key)).toEqual(Buffer.from(content));
    expect(existsSync(join(w.app.env.files, "uploads", name.slice(0, 2), name))).toBe(false);

    const get = (headers: Record<string, string> = {}) => w.as("mel").request(url, { headers });
    const whole = await get();
    expect(whole.headers.get("content-length")).toBe("50000");
    expect(await bytesOf(whole)).toEqual(content);
    const ranges = ["bytes=10-19", "bytes=49990-", "bytes=-5"];
    const parts = await Promise.all(ranges.map(async (range) => bytesOf(await get({ range }))));
    expect(parts).toEqual([content.slice(10, 20), content.slice(49_990), content.slice(-5)]);
    expect((await get({ range: "bytes=50000-" })).status).toBe(416);
    expect((await get({ "if-none-match": whole.headers.get("etag") ?? "" })).status).toBe(304);
    expect((await w.as("max").request(url)).status).toBe(403);

    const { attachments } = (await w.as("mel").get("/attachments")).body;
    await w.as("mel").delete(`/attachments/${attachments[0].id}`);
    expect(keys("uploads")).toEqual([]);
    expect((await get()).status).toBe(404);
  });

  test("a file is found that moves to the other store between the looks at the two", async () => {
    const w = await stored();
    const content = random(3_000);
    const url = await uploaded(w, content);
    const name = url.split("/")[3] as string;
    const key = `uploads/${name.slice(0, 2)}/${name}`;
    await setPlacement(w.ctx("system"), { at: "disk", also: "s3" });
    s3.fault = (method) => {
      if (method === "HEAD" && s3.objects.get(key)) {
        const path = join(w.app.env.files, key);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
        s3.objects.delete(key);
      }
      return null;
    };
    const answer = await w.as("mel").request(url);
    expect([answer.status, await bytesOf(answer)]).toEqual([200, content]);
    expect((await w.as("mel").request(url.replace(name, newName()))).status).toBe(404);
  });

  test("a file that leaves this machine while something works with it is worked with again", async () => {
    const w = await stored();
    const { env } = w.app;
    await setPlacement(w.ctx("system"), { at: "disk", also: null });
    const content = random(3_000);
    const file = { shelf: "uploads", name: (await uploaded(w, content)).split("/")[3] as string } as const;
    const paths = new Set<string>();
    const read = await onThisMachine(env, file, async (path) => {
      if (paths.size === 0) {
        await setPlacement(w.ctx("system"), { at: "s3", also: "disk" });
        await moveFile(env, file, { from: storeAt(env, "disk"), to: storeAt(env, "s3") });
      }
      paths.add(path);
      return new Uint8Array(readFileSync(path));
    });
    expect([paths.size, read]).toEqual([2, content]);
  });

  test("a file that leaves the store before something works with it is found on this machine", async () => {
    const w = await stored();
    const content = random(3_000);
    const name = (await uploaded(w, content)).split("/")[3] as string;
    const key = `uploads/${name.slice(0, 2)}/${name}`;
    await setPlacement(w.ctx("system"), { at: "disk", also: "s3" });
    s3.fault = (method) => {
      if (method === "GET" && s3.objects.get(key)) {
        const path = join(w.app.env.files, key);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
        s3.objects.delete(key);
      }
      return null;
    };
    const read = await onThisMachine(w.app.env, { shelf: "uploads", name }, async (path) => {
      return new Uint8Array(readFileSync(path));
    });
    expect(read).toEqual(content);
  });

  test("large files are fetched piece by piece, as the client reads them", async () => {
    const w = await stored();
    const content = random(1_500_000);
    const url = await uploaded(w, content);
    s3.requests.length = 0;
    const reader = ((await w.as("mel").request(url)).body as ReadableStream<Uint8Array>).getReader();
    const gets = () => s3.requests.filter((one) => one.startsWith("GET")).length;
    expect(gets()).toBe(0);
    const first = (await reader.read()).value as Uint8Array;
    expect(gets()).toBe(1);
    const pieces = [first];
    for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value);
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
    expect(gets()).toBe(3);
  });

  test("a file of several parts is stored and served whole", async () => {
    const w = await stored();
    const content = Buffer.concat(Array.from({ length: 100 }, () => random(60_000)));
    const url = await uploaded(w, content);
    const [key] = keys("uploads") as [string];
    const how = s3.requests.filter((one) => /^(PUT|POST)/.test(one));
    expect(how.toSorted()).toEqual([`POST ${key}`, `POST ${key}`, `PUT ${key}`, `PUT ${key}`]);
    expect(content.equals(s3.objects.get(key) ?? Buffer.of())).toBe(true);
    expect(content.equals(await bytesOf(await w.as("mel").request(url)))).toBe(true);
  });

  test("thumbnails, pictures of people, emoji and icons are kept and served, and the old ones deleted", async () => {
    const w = await stored();
    const url = await uploaded(w, png(900, 600), "cat.png");
    const small = `${url.replace("/user_uploads/", "/user_uploads/thumbnail/")}/840x560.webp`;
    const thumbnail = await bytesOf(await w.as("mel").request(small));
    expect(Buffer.from(thumbnail).toString("latin1", 8, 12)).toBe("WEBP");
    expect(keys("thumbnails").map((key) => s3.objects.get(key))).toEqual([Buffer.from(thumbnail)]);
    expect(await bytesOf(await w.as("mel").request(small))).toEqual(thumbnail);

    const { avatar_url } = (await w.as("mel").upload("/users/me/avatar", file(png(80, 80), "me.png"))).body;
    await w.as("ada").upload("/realm/emoji/spin", file(gif(3, { side: 16, frameSide: 16 }), "spin.gif"));
    const { emoji } = (await w.as("mel").get("/realm/emoji")).body;
    const { source_url, still_url } = Object.values(emoji as Record<string, Json>).find(
      ({ name }) => name === "spin",
    ) as Json;
    await w.as("ada").upload("/realm/icon", file(png(90, 90), "icon.png"));
    const { realm_icon } = (await w.anonymous.get("/server_settings")).body;
    for (const one of [avatar_url, source_url, still_url, realm_icon]) {
      const { pathname } = new URL(one, "https://chat.example.com");
      const answer = await w.anonymous.request(pathname);
      expect([one, answer.status, answer.headers.get("content-type")]).toEqual([one, 200, "image/webp"]);
    }
    const before = keys("pictures").length;
    await w.as("mel").upload("/users/me/avatar", file(png(60, 60), "me.png"));
    expect(keys("pictures").length).toBe(before);
    await w.as("mel").delete("/users/me/avatar");
    expect(keys("pictures").length).toBe(before - 2);
  });

  test("exports are written and downloaded", async () => {
    const w = await stored();
    await w.as("ada").post("/export/realm", { export_type: 1 });
    await runJob(w, "write-exports");
    const [one] = (await w.as("ada").get("/export/realm")).body.exports as Json[];
    const answer = await w.as("ada").request(new URL(one?.export_url).pathname);
    expect(await answer.json()).toMatchObject({ format: 1 });
    await w.as("ada").delete(`/export/realm/${one?.id}`);
    expect(keys("exports")).toEqual([]);
  });

  test("a sweep deletes files without a row, page by page, but not those of another organization", async () => {
    const w = await stored();
    const url = await uploaded(w, random(10));
    const used = keys("uploads")[0] as string;
    w.clock.advance(30 * 86_400);
    const put = (age: number) => {
      const name = newName();
      const key = `uploads/${name.slice(0, 2)}/${name}`;
      s3.objects.set(key, random(1), new Date((w.clock.now() - age) * 1000));
      return key;
    };
    const day = 86_400;
    const young = put(day - 60);
    for (let i = 0; i < 7; i++) put(day + 60 + i);
    s3.objects.set("uploads/ab/somebody-elses.txt", random(1), new Date(0));
    s3.objects.touch(used, new Date((w.clock.now() - 20 * day) * 1000));

    await expect(sweepFiles(w.ctx("system"))).rejects.toThrow("may be the wrong one");
    expect(keys("uploads").length).toBe(10);
    await claimStore(w.ctx("system").env, "s3");
    await sweepFiles(w.ctx("system"));
    expect(keys("uploads").toSorted()).toEqual([used, young, "uploads/ab/somebody-elses.txt"].toSorted());
    expect((await w.as("mel").request(url)).status).toBe(200);

    s3.objects.set("confab.organization", "others");
    await expect(sweepFiles(w.ctx("system"))).rejects.toThrow("another organization");
  });
});

describe("an S3 store that fails", () => {
  test("refuses uploads and pictures with advice, and leaves nothing of them", async () => {
    const w = await stored();
    s3.fault = (method) => (method === "PUT" ? 503 : null);
    for (const [path, given] of [
      ["/user_uploads", file("hello", "a.txt")],
      ["/users/me/avatar", file(png(80, 80), "me.png")],
    ] as const) {
      const { status, body, events } = await w.as("mel").upload(path, given);
      expect({ path, status, body, events }).toEqual({ path, status: 500, body: away, events: [] });
    }
    s3.fault = () => null;
    expect((await w.as("mel").get("/attachments")).body).toMatchObject({
      attachments: [],
      upload_space_used: 0,
    });
    expect(s3.objects.size).toBe(0);
    const incoming = join(w.app.env.files, "incoming");
    const left = existsSync(incoming) ? readdirSync(incoming, { recursive: true, withFileTypes: true }) : [];
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
    expect(await uploaded(w, random(5))).toStartWith("/user_uploads/");
  });

  test("gets the request again if an answer is incomplete or missing", async () => {
    const w = await stored({ patienceMs: 2_000 });
    const content = random(200_000);
    const url = await uploaded(w, content);
    for (const fault of ["short", "never"] as const) {
      let asked = 0;
      s3.fault = (method) => (method === "GET" && asked++ === 0 ? fault : null);
      expect(await bytesOf(await w.as("mel").request(url))).toEqual(content);
      expect(asked).toBeGreaterThan(1);
    }
    s3.fault = () => 503;
    const answer = await w.as("mel").request(url);
    expect([answer.status, await answer.json()]).toEqual([500, away]);
    expect((await w.as("mel").get("/users/me")).status).toBe(200);
  });

  test("with wrong credentials refuses at once", async () => {
    const w = await stored({ secretAccessKey: "wrong" });
    const { status, body } = await w.as("mel").upload("/user_uploads", file("hello", "a.txt"));
    expect([status, body]).toEqual([500, away]);
    expect(s3.requests.filter((one) => one.startsWith("PUT")).length).toBe(1);
    expect(s3.objects.size).toBe(0);
  });

  test("deletes files in the next sweep that could not be deleted at once", async () => {
    const w = await stored();
    await uploaded(w, random(5));
    s3.fault = (method) => (method === "DELETE" ? 503 : null);
    const { attachments } = (await w.as("mel").get("/attachments")).body;
    expect((await w.as("mel").delete(`/attachments/${attachments[0].id}`)).status).toBe(200);
    expect(keys("uploads").length).toBe(1);
    s3.fault = () => null;
    await claimStore(w.ctx("system").env, "s3");
    w.clock.advance(30 * 86_400);
    for (const key of s3.objects.keys()) s3.objects.touch(key, new Date((w.clock.now() - 2 * 86_400) * 1000));
    await sweepFiles(w.ctx("system"));
    expect(keys("uploads")).toEqual([]);
  });
});

/** Names the store in the settings of a data folder. */
function setS3(data: string, more = ""): void {
  writeFileSync(
    join(data, "credentials"),
    `[default]\naws_access_key_id = ${s3Keys.accessKeyId}\naws_secret_access_key = ${s3Keys.secretAccessKey}\n`,
  );
  const lines = [
    `s3_endpoint = "${s3.endpoint}"`,
    `s3_bucket = "${s3Bucket}"`,
    's3_region = "here"',
    's3_prefix = "crew"',
    `s3_credentials = ${JSON.stringify(join(data, "credentials"))}`,
  ];
  writeFileSync(join(data, "confab.toml"), `${lines.join("\n")}\n${more}`);
}

const authorization = ({ email, api_key }: Credentials) => ({
  authorization: `Basic ${btoa(`${email}:${api_key}`)}`,
});

async function upload(server: Server, owner: Credentials, content: Uint8Array<ArrayBuffer>): Promise<string> {
  const body = new FormData();
  body.append("file", new File([content], "a.bin"));
  const headers = authorization(owner);
  const answer = await fetch(`${server.url}/api/v1/user_uploads`, { method: "POST", headers, body });
  const { url } = (await answer.json()) as { url: string };
  return url;
}

async function download(server: Server, owner: Credentials, url: string): Promise<string> {
  const answer = await fetch(server.url + url, { headers: authorization(owner) });
  return answer.status === 200 ? digest(await bytesOf(answer)) : String(answer.status);
}

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
/** How many files the data folder has, except those that are still being received. */
const onDisk = (data: string) => {
  const folder = join(data, "files");
  const all = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  return all.filter((entry) => entry.isFile() && !entry.parentPath.includes("incoming")).length;
};

describe("confab files move", () => {
  test("moves everything there and back while people upload and read, however often it is killed", async () => {
    const { data, owner } = await newOrganization();
    const files = new Map<string, string>();
    let server = await serve(data);
    const add = async (bytes: number) => {
      const content = random(bytes);
      files.set(await upload(server, owner, content), digest(content));
    };
    for (let i = 0; i < 8; i++) await add(1_000 + i);
    await add(700_000);
    setS3(data);
    const move = (to: string) => ["files", "move", "--to", to, "--data", data];
    const unset = await confab(move("s3"));
    expect([unset.status, unset.stderr]).toEqual([
      1,
      `confab: The server runs without the settings for ${s3.endpoint}/${s3Bucket}/crew: restart it, then move the files.\n`,
    ]);
    await server.end("SIGTERM");
    server = await serve(data);
    const isAdvised = () => server.printed().stderr.includes("confab files move --to s3");
    await until(isAdvised, "the log says how to move the files");

    let isDone = false;
    const wrong: string[] = [];
    const people = (async () => {
      for (let n = 0; !isDone; n++) {
        await add(500 + n);
        for (const [url, expected] of files) {
          const found = await download(server, owner, url);
          if (found !== expected) wrong.push(`${url}: ${found}`);
        }
      }
    })();
    for (const [to, method] of [
      ["s3", "PUT"],
      ["disk", "DELETE"],
    ] as const) {
      const child = Bun.spawn([...executable, ...move(to)], {
        env: surroundings(),
        stdout: "ignore",
        stderr: "pipe",
      });
      const said = new Response(child.stderr).text();
      let count = 0;
      s3.fault = (one, key) => {
        if (one === method && key.startsWith("crew/uploads/") && ++count === 4) child.kill("SIGKILL");
        return null;
      };
      await child.exited;
      expect([to, child.signalCode, await said]).toEqual([to, "SIGKILL", expect.any(String)]);
      s3.fault = () => null;
      const shown = await json(["files", "show", "--data", data]);
      expect(shown).toMatchObject({ at: to, also_at: to === "s3" ? "disk" : "s3" });
      const moved = await json(move(to));
      expect(moved).toMatchObject({ at: to });
      expect(await json(["files", "show", "--data", data])).toMatchObject({ at: to, also_at: null });
      if (to === "s3") expect(onDisk(data)).toBe(0);
    }
    isDone = true;
    await people;
    expect(wrong).toEqual([]);
    expect(s3.objects.keys()).toEqual(["crew/confab.organization"]);
    for (const [url, expected] of files) expect(await download(server, owner, url)).toBe(expected);
    expect(onDisk(data)).toBe(files.size);
    const again = await confab(move("disk"));
    expect(again.stdout).toStartWith("Nothing was left to move: all are in the disk");
    const { findings } = await json<{ findings: Json[] }>(["doctor", "--deep", "--data", data]);
    expect(findings.filter(({ check }) => check === "Files")).toMatchObject([
      { verdict: "well" },
      { verdict: "note" },
    ]);
  }, 300_000);

  test("keeps the original of a file whose copy differs", async () => {
    const { data, owner } = await newOrganization();
    const server = await serve(data);
    const content = random(300);
    const url = await upload(server, owner, content);
    await server.end("SIGTERM");
    setS3(data);
    s3.fault = (method, key) => {
      if (method === "GET" && s3.objects.get(key) && key.startsWith("crew/uploads/"))
        s3.objects.set(key, random(300));
      return null;
    };
    const refused = await confab(["files", "move", "--to", "s3", "--data", data]);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("differs");
    expect(onDisk(data)).toBe(1);
    const recorded = () => json<unknown[]>(["audit", "--event", "files_moved", "--data", data]);
    expect(await recorded()).toEqual([]);
    s3.fault = () => null;
    expect(await json(["files", "move", "--to", "s3", "--data", data])).toMatchObject({
      files: 1,
      bytes: 300,
    });
    expect(await recorded()).toMatchObject([{ data: { from: "disk", to: "s3" } }]);
    const after = await serve(data);
    expect(await download(after, owner, url)).toBe(digest(content));
  });
});

describe("an organization with an S3 store", () => {
  test("needs only the settings that the guide names", () => {
    const guide = readFileSync(join(import.meta.dir, "..", "..", "docs", "files.md"), "utf8");
    const named = [...guide.matchAll(/^ {4}(s3_\w+) = "/gm)].map(([, name]) => name);
    expect(named.toSorted()).toEqual(
      Object.keys(serverSettings)
        .filter((name) => name.startsWith("s3_"))
        .toSorted(),
    );
  });

  test("starts in the S3 store, is backed up completely, and restored to the disk; doctor finds missing files", async () => {
    const { data, owner } = await newOrganization();
    setS3(data);
    const server = await serve(data);
    const contents = [random(400), random(600_000)] as const;
    const urls = await Promise.all(contents.map((content) => upload(server, owner, content)));
    expect(onDisk(data)).toBe(0);
    expect(await json<unknown[]>(["audit", "--event", "files_moved", "--data", data])).toEqual([]);
    expect(await json(["stats", "--data", data])).toMatchObject({ bytes: { files: expect.any(Number) } });
    const shown = await json(["files", "show", "--data", data]);
    const address = `${s3.endpoint}/${s3Bucket}/crew`;
    expect(shown).toEqual({
      at: "s3",
      also_at: null,
      stores: [{ store: "s3", address, files: 2, bytes: 600_400 }],
    });
    const config = await confab(["config", "--data", data]);
    expect(config.stdout).not.toContain(s3Keys.secretAccessKey);

    const archive = join(newFolder(), "crew.tar.gz");
    await json(["backup", archive, "--data", data]);
    const small = join(newFolder(), "small.tar.gz");
    const { files: without } = await json<{ files: number }>([
      "backup",
      small,
      "--without-files",
      "--data",
      data,
    ]);
    await server.end("SIGTERM");
    const copy = join(newFolder(), "copy");
    const { files } = await json<{ files: number }>(["restore", archive, "--data", copy]);
    expect(files - without).toBe(2);
    writeFileSync(join(copy, "confab.toml"), "");
    const restored = await serve(copy);
    const found = await Promise.all(urls.map((url) => download(restored, owner, url)));
    expect(found).toEqual(contents.map(digest));
    await restored.end("SIGTERM");

    const findings = async () =>
      (
        JSON.parse((await confab(["doctor", "--json", "--data", data])).stdout) as { findings: Json[] }
      ).findings.filter(({ check }) => check === "Files");
    expect(await findings()).toMatchObject([{ verdict: "well" }]);
    s3.objects.delete(s3.objects.keys().find((key) => key.startsWith("crew/uploads/")) ?? "");
    expect(await findings()).toMatchObject([
      { verdict: "problem", finding: expect.stringContaining("1 of 2 are missing") },
    ]);
    s3.fault = () => 403;
    expect(await findings()).toMatchObject([{ verdict: "problem" }]);

    writeFileSync(join(data, "confab.toml"), "");
    await expect(serve(data)).rejects.toThrow("this process has no settings for it: set s3_bucket");
    const lost = await confab(["backup", join(newFolder(), "no.tar.gz"), "--data", data]);
    expect([lost.status, lost.stderr]).toEqual([
      1,
      "confab: The files are in an S3 store: set s3_bucket and the others in confab.toml.\n",
    ]);
  }, 300_000);

  test("gets imported files on the disk, and moves them from there", async () => {
    const { data, owner } = await newOrganization();
    setS3(data);
    expect(await json(["files", "move", "--to", "s3", "--data", data])).toMatchObject({ at: "s3", files: 0 });
    const file = await zipped(join(newFolder(), "export.zip"), slackExport());
    const { report, document } = await imported("slack", file, { data });
    expect(report.remarks.join("\n")).toContain("confab files move --to s3");
    const texts = document.messages.map(({ content }) => String(content));
    const [, url = ""] = /\((\/user_uploads\/[^)]+)\)/.exec(texts.join("\n")) ?? [];
    expect(s3.objects.keys()).toEqual(["crew/confab.organization"]);
    const server = await serve(data);
    const expected = digest(Buffer.from(slackFile));
    expect(await download(server, owner, url)).toBe(expected);
    const [lying, later] = [onDisk(data), await upload(server, owner, random(20))];
    expect(onDisk(data)).toBe(lying);
    expect(await json(["files", "move", "--to", "s3", "--data", data])).toMatchObject({
      at: "s3",
      files: lying,
    });
    expect(onDisk(data)).toBe(0);
    expect(await download(server, owner, url)).toBe(expected);
    expect(await download(server, owner, later)).not.toBe("404");
  }, 300_000);

  test("does not start if the store refuses, and says why", async () => {
    const { data } = await newOrganization();
    setS3(data);
    writeFileSync(join(data, "credentials"), "aws_access_key_id = TESTKEY\naws_secret_access_key = wrong\n");
    await expect(serve(data)).rejects.toThrow(
      `confab: The S3 store ${s3.endpoint}/${s3Bucket}/crew cannot be used: the secret key is wrong.`,
    );
    writeFileSync(join(data, "credentials"), "nothing");
    await expect(serve(data)).rejects.toThrow("must hold two lines");
    s3.objects.set("crew/confab.organization", "others");
    setS3(data);
    await expect(serve(data)).rejects.toThrow("holds the files of another organization");
  });
});

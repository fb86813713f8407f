import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolderOf, pathOf } from "@/foundation/file-stores/disk.ts";
import { newName } from "@/foundation/file-stores/names.ts";
import type { Shelf } from "@/foundation/file-stores/schema.ts";
import { sweepFiles } from "@/foundation/files/sweep.ts";
import { setUploadLimits } from "@/messaging/uploads/actions.ts";
import { file, gif, png, pngOf } from "../support/pictures.ts";
import { type CastName, formOf, type World, world } from "../support/world.ts";

const mib = 1_048_576;
const hello = () => file("hello", "notes.txt", "text/plain");

async function uploaded(w: World, given: File, who: CastName = "mel"): Promise<string> {
  return (await w.as(who).upload("/user_uploads", given)).body.url;
}

async function fetched({ as }: World, who: CastName, path: string, headers: Record<string, string> = {}) {
  return as(who).request(path, { headers });
}

/** Sends a message of mel's into a channel of mel, max and gus. */
async function shared(w: World, content: string, more: Record<string, unknown> = {}) {
  const subscribers = (["mel", "max", "gus"] as const).map((name) => w.user(name).id);
  await w.as("ada").post("/channels/create", { name: "files", subscribers, ...more });
  await w.as("mel").post("/messages", { type: "channel", to: "files", topic: "x", content });
}

/** The number of files there whose names begin with this one. */
function lying(w: World, shelf: Shelf | "incoming", name: string): number {
  const folder = join(w.app.env.files, shelf, name.slice(0, 2));
  return existsSync(folder)
    ? readdirSync(folder).filter((one) => one.startsWith(name.slice(0, 32))).length
    : 0;
}

const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());
const nameIn = (url: string) => url.split("/")[3] as string;

describe("upload-file", () => {
  test("stores the file, returns its address and emits only to the uploader", async () => {
    const w = world();
    const { status, body, events } = await w.as("mel").upload("/user_uploads", hello());

    expect(status).toBe(200);
    expect(body).toMatchObject({ uri: body.url, filename: "notes.txt" });
    expect(body.url).toMatch(/^\/user_uploads\/1\/[0-9a-f]{32}\/notes\.txt$/);
    expect(await (await fetched(w, "mel", body.url)).text()).toBe("hello");
    const path_id = body.url.slice("/user_uploads/".length);
    const create_time = w.clock.now() * 1000;
    expect(events).toEqual([
      {
        audience: ["mel"],
        event: {
          type: "attachment",
          op: "add",
          attachment: {
            ...{ id: 1, name: "notes.txt", path_id, size: 5, create_time, messages: [], message_ids: [] },
          },
          upload_space_used: 5,
        },
      },
    ]);
  });

  test("accepts any field name, even a path, next to other fields", async () => {
    const w = world();
    const form = formOf({ topic: "x", "../../etc/passwd": hello() });
    const { body } = await w.as("gus").upload("/user_uploads", form);
    expect(body).toMatchObject({ filename: "notes.txt", ignored_parameters_unsupported: ["topic"] });
  });

  test("accepts a part without a type or declared length", async () => {
    const w = world();
    const body =
      '--b\r\nContent-Disposition: form-data; name=f; filename="a.bin"\r\n\r\n\0\r\n--c\r\n--b--\r\n';
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const answer = await w.as("mel").request("/api/v1/user_uploads", { method: "POST", headers, body });
    const { url } = (await answer.json()) as { url: string };
    expect(await (await fetched(w, "mel", url)).text()).toBe("\0\r\n--c");
  });

  test.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\mel\\Fotos\\a b.png", "a-b.png"],
    ["..", "uploaded-file"],
    [".htaccess", "uploaded-file.htaccess"],
    ["ünï – ✓ 日本.txt", "ünï-日本.txt"],
    ["a\u202egnp.exe", "agnp.exe"],
    ["a\u0000b c.txt", "ab-c.txt"],
    ["<script>alert(1)</script>.html", "script.html"],
    ["／etc／hosts", "hosts"],
    ["%2e%2e%2fx.txt", "2e2e2fx.txt"],
    [`${"n".repeat(300)}.jpeg`, `${"n".repeat(95)}.jpeg`],
    ["-.-", "uploaded-file"],
  ])("names %j safely", async (given, name) => {
    const w = world();
    const head = `Content-Disposition: form-data; name="f"; filename*=utf-8''${encodeURIComponent(given)}`;
    const { body } = await w.as("mel").upload("/user_uploads", file("x", "plain"));
    expect(body.filename).toBe("plain");
    const answer = await w.as("mel").request("/api/v1/user_uploads", {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body: `--b\r\n${head}\r\n\r\nx\r\n--b--`,
    });
    const { url, filename } = (await answer.json()) as { url: string; filename: string };
    expect(filename).toBe(name);
    expect(await (await fetched(w, "mel", encodeURI(url))).text()).toBe("x");
  });

  test("refuses a file name with a line break", async () => {
    const w = world();
    const answer = await w.as("mel").request("/api/v1/user_uploads", {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body: `--b\r\nContent-Disposition: form-data; name="f"; filename*=utf-8''a%0Ab.txt\r\n\r\nx\r\n--b--`,
    });
    expect(await answer.json()).toMatchObject({ msg: "You must specify a file to upload." });
    expect(w.events).toEqual([]);
  });

  test("accepts a large file", async () => {
    const w = world();
    const bytes = new Uint8Array(3 * mib).map((_, i) => (i * 7) % 251);
    const url = await uploaded(w, file(bytes, "large.bin"));
    expect(await bytesOf(await fetched(w, "mel", url))).toEqual(bytes);
  });

  test.each([
    ["no file", formOf({ a: "b" }), "You must specify a file to upload."],
    ["two files", formOf({ a: hello(), b: hello() }), "You may only upload one file at a time."],
  ])("refuses %s", async (_, form, msg) => {
    const answer = await world().as("mel").upload("/user_uploads", form);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
  });

  test.each([
    ["one that breaks off", "--b\r\nContent-Disposition: form-data; name=f; filename=a\r\n\r\nhalf of it"],
    ["a part without an end to its head", `--b\r\n${"x".repeat(20_000)}`],
    ["no boundary in it", "something else"],
  ])("refuses a body with %s, and stores nothing", async (_, body) => {
    const w = world();
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const answer = await w.as("mel").request("/api/v1/user_uploads", { method: "POST", headers, body });
    expect(await answer.json()).toMatchObject({
      code: "BAD_REQUEST",
      msg: "The multipart body of this request could not be read.",
    });
    const { files } = w.app.env;
    const left = existsSync(files) ? readdirSync(files, { recursive: true, withFileTypes: true }) : [];
    expect(left.filter((one) => one.isFile())).toEqual([]);
    expect(w.events).toEqual([]);
  });

  test("refuses a file above the maximum size, declared or not", async () => {
    const w = world();
    await setUploadLimits(w.ctx("olive"), { max_file_upload_size_mib: 1 });
    const msg = "The file is larger than the allowed 1 MiB.";
    for (const size of [mib + 1, 3 * mib]) {
      const given = file(new Uint8Array(size), "large.bin");
      const answer = await w.as("mel").upload("/user_uploads", given);
      expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
    }
    expect(await w.as("mel").upload("/user_uploads", file(new Uint8Array(mib), "a"))).toMatchObject({
      status: 200,
    });
    expect((await w.queue("mel")).state).toMatchObject({ max_file_upload_size_mib: 1 });
  });

  test("refuses a file above the organization's quota, until another is deleted", async () => {
    const w = world();
    await setUploadLimits(w.ctx("olive"), { upload_quota_mib: 1 });
    const most = () => file(new Uint8Array(mib - 400), "a");
    await uploaded(w, most());
    const full = await w.as("max").upload("/user_uploads", file(new Uint8Array(401), "b"));
    expect(full).toMatchObject({ status: 400, body: { code: "REALM_UPLOAD_QUOTA" }, events: [] });
    await w.as("mel").delete("/attachments/1");
    expect(await w.as("max").upload("/user_uploads", most())).toMatchObject({ status: 200 });
    expect((await w.queue("mel")).state).toMatchObject({ realm_upload_quota_mib: 1 });
  });

  test("refuses a file above the quota of each person, whose own files alone count", async () => {
    const w = world();
    await setUploadLimits(w.ctx("olive"), { upload_quota_per_user_mib: 1 });
    expect(w.events, "existing clients do not know this quota").toEqual([]);
    const most = () => file(new Uint8Array(mib - 400), "a");
    await uploaded(w, most());
    const full = await w.as("mel").upload("/user_uploads", file(new Uint8Array(401), "b"));
    const msg = "Your files may not take up more space. An owner of the organization can allow more.";
    expect(full).toMatchObject({ status: 400, body: { code: "REALM_UPLOAD_QUOTA", msg }, events: [] });
    expect((await w.as("max").upload("/user_uploads", most())).status).toBe(200);
    await w.as("mel").delete("/attachments/1");
    expect((await w.as("mel").upload("/user_uploads", most())).status).toBe(200);
  });

  test("lets only owners change the limits, and emits them to everyone", async () => {
    const w = world();
    await setUploadLimits(w.ctx("olive"), { upload_quota_mib: 7 });
    await setUploadLimits(w.ctx("olive"), { max_file_upload_size_mib: 5 });
    const data = { max_file_upload_size_mib: 5, upload_quota_mib: 7 };
    expect(w.events.at(-1)).toEqual({
      audience: "everyone",
      event: { type: "realm", op: "update_dict", property: "default", data },
    });
    expect(setUploadLimits(w.ctx("ada"), { upload_quota_mib: 1 })).rejects.toThrow(
      "Must be an organization owner",
    );
  });
});

describe("get-uploaded-file", () => {
  test.each([
    ["a picture", file(png(2, 2), "a.png"), "image/png", "inline"],
    ["a picture under another name", file(png(2, 2), "a.html", "text/html"), "image/png", "inline"],
    ["a PDF", file("%PDF-1.7", "a.pdf"), "application/pdf", "inline"],
    ["a text", file("a,b", "a.csv"), "text/plain; charset=utf-8", "inline"],
    ["a sound", file("ID3\x04\0\0\0\0\0\x0a", "a.mp3"), "audio/mpeg", "inline"],
    [
      "a text that begins as some picture does",
      file("BMW and Bell", "a.txt"),
      "text/plain; charset=utf-8",
      "inline",
    ],
    ["a film", file("\0\0\0\x20ftypisom", "a.mp4"), "video/mp4", "inline"],
    [
      "a page",
      file("<html><script>1</script>", "a.html", "text/html"),
      "application/octet-stream",
      "attachment",
    ],
    [
      "a drawing",
      file("<svg onload='1'/>", "a.svg", "image/svg+xml"),
      "application/octet-stream",
      "attachment",
    ],
    [
      "a page called a picture",
      file("<html>", "a.png", "image/png"),
      "application/octet-stream",
      "attachment",
    ],
    ["a page called a text", file("<html>", "a.txt", "text/html"), "text/plain; charset=utf-8", "inline"],
    ["a script", file("alert(1)", "a.js", "text/javascript"), "application/octet-stream", "attachment"],
    ["XML", file("<?xml version='1.0'?>", "a.xml", "text/xml"), "application/octet-stream", "attachment"],
  ])("serves %s without letting a browser run it", async (_, given, type, disposition) => {
    const w = world();
    const { status, headers } = await fetched(w, "mel", await uploaded(w, given));
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe(type);
    expect(headers.get("content-disposition")).toStartWith(`${disposition}; filename="a.`);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("content-security-policy")?.includes("sandbox")).toBe(type !== "application/pdf");
    expect(headers.get("cache-control")).toStartWith("private");
  });

  test("is open to users who may read a message that links to it, and nobody else", async () => {
    const w = world();
    const url = await uploaded(w, hello());
    expect((await fetched(w, "max", url)).status).toBe(403);
    await shared(w, `[notes](${url})`, { invite_only: true });

    const seen = async (name: CastName) => (await fetched(w, name, url)).status;
    expect([await seen("mel"), await seen("max"), await seen("gus")]).toEqual([200, 200, 200]);
    expect([await seen("moss"), await seen("olive")]).toEqual([403, 403]);
    const refused = await fetched(w, "moss", url);
    expect(await refused.json()).toEqual({
      result: "error",
      code: "BAD_REQUEST",
      msg: "You may not see this file.",
    });
    expect((await w.anonymous.request(url)).status).toBe(401);
  });

  test("in a public channel is open to all but guests who are not subscribed", async () => {
    const w = world();
    const url = await uploaded(w, hello());
    await shared(w, `[notes](${url})`);
    expect((await fetched(w, "moss", url)).status).toBe(200);
    await w.as("gus").delete("/users/me/subscriptions", { subscriptions: ["files"] });
    expect((await fetched(w, "gus", url)).status).toBe(403);
  });

  test("is closed when the last message with it is deleted", async () => {
    const w = world();
    const url = await uploaded(w, hello());
    const sent = await w
      .as("mel")
      .post("/messages", { type: "direct", to: [w.user("max").id], content: url });
    expect((await fetched(w, "max", url)).status).toBe(403);
    const linked = await w.as("mel").post("/messages", {
      type: "direct",
      to: [w.user("max").id],
      content: `[it](${url})`,
    });
    expect((await fetched(w, "max", url)).status).toBe(200);
    for (const { body } of [sent, linked]) await w.as("mel").delete(`/messages/${body.id}`);
    expect((await fetched(w, "max", url)).status).toBe(403);
  });

  test.each([
    ["bytes=0-1", 206, "he", "bytes 0-1/5"],
    ["bytes=3-", 206, "lo", "bytes 3-4/5"],
    ["bytes=-2", 206, "lo", "bytes 3-4/5"],
    ["bytes=2-999", 206, "llo", "bytes 2-4/5"],
    ["bytes=-999", 206, "hello", "bytes 0-4/5"],
    ["bytes=5-", 416, "", "bytes */5"],
    ["bytes=-0", 416, "", "bytes */5"],
    ["bytes=3-1", 200, "hello", null],
    ["bytes=0-0,2-3", 200, "hello", null],
    ["lines=1-2", 200, "hello", null],
  ])("answers the range %s", async (range, status, text, contentRange) => {
    const w = world();
    const answer = await fetched(w, "mel", await uploaded(w, hello()), { range });
    expect(answer.status).toBe(status);
    expect(await answer.text()).toBe(text);
    expect(answer.headers.get("content-range")).toBe(contentRange);
    expect(answer.headers.get("accept-ranges")).toBe("bytes");
  });

  test("answers 304 if the client has it", async () => {
    const w = world();
    const url = await uploaded(w, hello());
    const etag = (await fetched(w, "mel", url)).headers.get("etag") as string;
    const again = await fetched(w, "mel", url, { "if-none-match": `"x", ${etag}` });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const range = { range: "bytes=0-0" };
    expect((await fetched(w, "mel", url, { ...range, "if-range": etag })).status).toBe(206);
    expect((await fetched(w, "mel", url, { ...range, "if-range": '"x"' })).status).toBe(200);
  });

  test.each([
    "/user_uploads/1/00000000000000000000000000000000/notes.txt",
    "/user_uploads/2/NAME/notes.txt",
    "/user_uploads/1/NAME/other.txt",
    "/user_uploads/1/NAME/..%2f..%2fconfab.db",
    "/user_uploads/1/NAME/",
    "/user_uploads/1/NAME",
    "/user_uploads/%2e%2e/confab.db",
    "/user_uploads/../confab.db",
    "/user_uploads/1/..%2f..%2f..%2fetc/passwd",
    "/user_uploads//etc/passwd",
  ])("finds nothing at %s", async (path) => {
    const w = world();
    const url = await uploaded(w, hello());
    expect((await fetched(w, "mel", path.replace("NAME", nameIn(url)))).status).toBe(404);
  });
});

describe("get-file-temporary-url", () => {
  test("opens the file to anyone with the address, for a minute", async () => {
    const w = world();
    const url = await uploaded(w, file("x", "ü.bin"));
    const { body, events } = await w.as("mel").get(encodeURI(url));
    expect(events).toEqual([]);
    const opened = await w.anonymous.request(body.url);
    expect(await opened.text()).toBe("x");
    expect(opened.headers.get("content-security-policy")).toContain("sandbox");
    w.clock.advance(59);
    expect((await w.anonymous.request(body.url)).status).toBe(200);
    w.clock.advance(1);
    expect((await w.anonymous.request(body.url)).status).toBe(403);
  });

  test("refuses users who may not read the file, and unknown files", async () => {
    const w = world();
    const url = await uploaded(w, hello());
    expect(await w.as("max").get(url)).toMatchObject({ status: 403, body: { code: "BAD_REQUEST" } });
    expect(await w.as("mel").get(`${url}x`)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  });
});

describe("get-temporary-file", () => {
  test("refuses a wrong signature", async () => {
    const w = world();
    const mine = (await w.as("mel").get(await uploaded(w, hello()))).body.url as string;
    const other = nameIn(await uploaded(w, hello(), "max"));
    const [, , , expires = "", signature = "", , name = ""] = mine.split("/");
    const forged = [
      mine.replace(expires, String(Number(expires) + 3600)),
      mine.replace(name, other),
      mine.replace(signature, "0".repeat(64)),
      mine.replace(signature, "0"),
    ];
    for (const url of forged) {
      expect(url).not.toBe(mine);
      expect((await w.anonymous.request(url)).status).toBe(403);
    }
  });
});

describe("get-thumbnail", () => {
  test("returns a smaller image, with the file's own permissions", async () => {
    const w = world();
    const url = await uploaded(w, file(png(1000, 500), "wide.png"));
    const small = url.replace("/user_uploads/", "/user_uploads/thumbnail/");
    for (let time = 0; time < 2; time++) {
      const answer = await fetched(w, "mel", `${small}/840x560.webp`);
      expect(answer.headers.get("content-type")).toBe("image/webp");
      const { width, height, format } = await new Bun.Image(await bytesOf(answer)).metadata();
      expect({ width, height, format }).toEqual({ width: 840, height: 420, format: "webp" });
    }
    expect((await fetched(w, "max", `${small}/840x560.webp`)).status).toBe(403);
    expect((await fetched(w, "mel", `${small}/9999x9999.webp`)).status).toBe(404);
    expect((await w.anonymous.request(`${small}/840x560.webp`)).status).toBe(401);
  });

  test("lists its formats for clients", async () => {
    const { state } = await world().queue("mel");
    expect(state.server_thumbnail_formats).toEqual([
      { name: "840x560.webp", max_width: 840, max_height: 560, format: "webp", animated: false },
      { name: "840x560-anim.webp", max_width: 840, max_height: 560, format: "webp", animated: true },
    ]);
  });

  test("does not exist for other files, and for too large or damaged images", async () => {
    const w = world();
    const bomb = pngOf(60_000, 60_000, Buffer.alloc(10));
    const damaged = pngOf(20, 20, Buffer.alloc(10));
    for (const given of [hello(), file(bomb, "bomb.png"), file(damaged, "damaged.png")]) {
      const url = await uploaded(w, given);
      const small = url.replace("/user_uploads/", "/user_uploads/thumbnail/");
      expect((await fetched(w, "mel", `${small}/840x560.webp`)).status).toBe(404);
    }
  });

  test("of an animated image is still, or animated on request", async () => {
    const w = world();
    const moving = gif(3);
    const small = (await uploaded(w, file(moving, "a.gif"))).replace(
      "/user_uploads/",
      "/user_uploads/thumbnail/",
    );
    const still = await fetched(w, "mel", `${small}/840x560.webp`);
    expect(still.headers.get("content-type")).toBe("image/webp");
    const moved = await fetched(w, "mel", `${small}/840x560-anim.webp`);
    expect([moved.headers.get("content-type"), await bytesOf(moved)]).toEqual(["image/gif", moving]);
  });
});

describe("links to uploads in messages", () => {
  const rendered = async (w: World, content: string, who: CastName = "mel") =>
    (await w.as(who).post("/messages/render", { content })).body.rendered as string;

  test("show images with their size, and mark animated ones", async () => {
    const w = world();
    const [still, moving] = [
      await uploaded(w, file(png(30, 20), "cat.png")),
      await uploaded(w, file(gif(2), "cat.gif")),
    ];
    const small = (url: string) => url.replace("/user_uploads/", "/user_uploads/thumbnail/");
    expect(await rendered(w, `[cat](${still})`)).toBe(
      `<p><a href="${still}">cat</a></p>\n<div class="message_inline_image"><a href="${still}" title="cat">` +
        '<img data-original-dimensions="30x20" data-original-content-type="image/png" ' +
        `src="${small(still)}/840x560.webp"></a></div>`,
    );
    expect(await rendered(w, `[cat](${moving})`)).toContain(
      '<img data-original-dimensions="2x2" data-original-content-type="image/gif" data-animated="true" ' +
        `src="${small(moving)}/840x560-anim.webp">`,
    );
    expect(await rendered(w, `https://chat.example.com${still}`)).toContain("message_inline_image");
  });

  test("show no files the sender may not read, and none if previews are off", async () => {
    const w = world();
    const url = await uploaded(w, file(png(30, 20), "cat.png"));
    const link = `<p><a href="${url}">cat</a></p>`;
    expect(await rendered(w, `[cat](${url})`, "max")).toBe(link);
    await w.as("ada").patch("/realm", { inline_image_preview: false });
    expect(await rendered(w, `[cat](${url})`)).toBe(link);
  });
});

describe("files on disk", () => {
  test("are deleted after an aborted upload, or if the database does not refer to them", async () => {
    const w = world();
    w.clock.advance(30 * 86_400);
    const url = await uploaded(w, file(png(900, 9), "a.png"));
    await fetched(w, "mel", `${url.replace("/user_uploads/", "/user_uploads/thumbnail/")}/840x560.webp`);
    const put = (shelf: Shelf | "incoming", age: number) => {
      const name = newName();
      const path = pathOf(w.app.env, shelf, name);
      makeFolderOf(path);
      writeFileSync(path, "x");
      utimesSync(path, w.clock.now() - age, w.clock.now() - age);
      return [shelf, name] as const;
    };
    const [hour, day] = [3_600, 86_400];
    const gone = [put("incoming", hour + 9), put("uploads", day + 9), put("pictures", day + 9)];
    const young = [put("incoming", hour - 9), put("uploads", day - 9), put("thumbnails", day - 9)];
    const old = w.clock.now() - 9 * day;
    for (const shelf of ["uploads", "thumbnails"] as const) {
      const ending = shelf === "thumbnails" ? ".webp" : "";
      utimesSync(pathOf(w.app.env, shelf, nameIn(url) + ending), old, old);
    }

    await sweepFiles(w.ctx("system"));
    expect(gone.map(([shelf, name]) => lying(w, shelf, name))).toEqual([0, 0, 0]);
    expect(young.map(([shelf, name]) => lying(w, shelf, name))).toEqual([1, 1, 1]);
    expect([lying(w, "uploads", nameIn(url)), lying(w, "thumbnails", nameIn(url))]).toEqual([1, 1]);
  });

  test("are kept while the organization is new, and if older than it", async () => {
    const w = world();
    const put = (at: number) => {
      const path = pathOf(w.app.env, "uploads", newName());
      makeFolderOf(path);
      writeFileSync(path, "x");
      utimesSync(path, at, at);
      return path;
    };
    const founded = w.clock.now();
    const [former, own] = [put(founded - 60), put(founded + 60)];
    w.clock.advance(6 * 86_400);
    await sweepFiles(w.ctx("system"));
    expect([former, own].map((path) => existsSync(path))).toEqual([true, true]);
    w.clock.advance(2 * 86_400);
    await sweepFiles(w.ctx("system"));
    expect([former, own].map((path) => existsSync(path))).toEqual([true, false]);
  });
});

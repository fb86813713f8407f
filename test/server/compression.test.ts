// Large responses are compressed if the client accepts it, and not sent again if nothing changed.
import { describe, expect, test } from "bun:test";
import { brotliDecompressSync } from "node:zlib";
import { compressing, readableOf } from "@/kernel/http/compression.ts";
import type { CastName } from "../support/cast.ts";
import { file, png } from "../support/pictures.ts";
import { type World, world } from "../support/world.ts";

const path = "/api/v1/users";

async function fetched(w: World, headers: Record<string, string>, who: CastName = "mel", target = path) {
  const answer = await w.as(who).request(target, { headers });
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: new Uint8Array(await answer.arrayBuffer()),
  };
}

const decoders: Record<string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array> = {
  zstd: (bytes) => Bun.zstdDecompressSync(bytes),
  gzip: (bytes) => Bun.gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
};

describe("answers over a kilobyte", () => {
  test.each([
    ["zstd", "zstd"],
    ["gzip", "gzip"],
    ["br", "br"],
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip, deflate", "gzip"],
    ["zstd;q=0.5, gzip;q=0.8, br;q=0.1", "gzip"],
    ["ZSTD;Q=0, br", "br"],
    ["*", "zstd"],
    ["zstd;q=0, *", "gzip"],
    ["identity;q=0.5, gzip", "gzip"],
    ["gzip;q=0.5, identity;q=0", "gzip"],
  ])("for a client that accepts %j come as %s, with the same content", async (accepted, encoding) => {
    const w = world();
    const plain = await fetched(w, {});
    const packed = await fetched(w, { "accept-encoding": accepted });
    expect(packed.headers.get("content-encoding")).toBe(encoding);
    expect(packed.headers.get("vary")).toBe("Accept-Encoding");
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(Buffer.from(decoders[encoding]?.(packed.bytes) ?? []).equals(plain.bytes)).toBe(true);
  });

  test.each([
    "identity",
    "deflate",
    "",
    "zstd;q=0",
    "gzip;q=0.5, identity",
    "gzip;q=nonsense",
    ";;,,=",
    "x".repeat(300),
  ])("come as they are for a client that accepts %j", async (accepted) => {
    const w = world();
    const { headers, bytes } = await fetched(w, { "accept-encoding": accepted });
    expect(headers.get("content-encoding")).toBeNull();
    expect(bytes).toEqual((await fetched(w, {})).bytes);
  });

  test("small ones are never compressed", async () => {
    const w = world();
    const { headers } = await fetched(w, { "accept-encoding": "gzip" }, "mel", "/api/v1/drafts");
    expect([headers.get("content-encoding"), headers.get("vary")]).toEqual([null, null]);
  });
});

describe("the same events for several clients", () => {
  const clients = 4;
  const said = "A long message for everyone. ".repeat(60);

  test.each(Object.keys(decoders))(
    "are the same in %s as without, each with its own queue",
    async (encoding) => {
      const w = world();
      const queues = await Promise.all(
        Array.from({ length: clients }, () => w.queue("mel", { event_types: ["message"] })),
      );
      for (const content of [said, `${said} Again: é.`])
        await w.as("mel").post("/messages", { type: "direct", to: [w.user("mel").id], content });
      for (const { id } of queues) {
        const target = `/api/v1/events?queue_id=${id}&last_event_id=-1&dont_block=true`;
        const plain = await fetched(w, {}, "mel", target);
        const packed = await fetched(w, { "accept-encoding": encoding }, "mel", target);
        expect(packed.headers.get("content-encoding")).toBe(encoding);
        expect(packed.headers.get("vary")).toBe("Accept-Encoding");
        expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3);
        const text = Buffer.from(decoders[encoding]?.(packed.bytes) ?? []).toString();
        expect(text).toBe(Buffer.from(plain.bytes).toString());
        expect(JSON.parse(text)).toMatchObject({ queue_id: id, events: [{}, {}] });
      }
    },
  );
});

describe("texts that are not the usual JSON object", () => {
  test.each(["/api/openapi.json", "/api/docs", "/api/docs.js", "/metrics", "/"])(
    "%s is compressed, too",
    async (target) => {
      const w = world();
      const packed = await fetched(w, { "accept-encoding": "zstd", accept: "text/html" }, "olive", target);
      expect([packed.status, packed.headers.get("content-encoding")]).toEqual([200, "zstd"]);
      expect(packed.headers.get("vary")).toContain("Accept-Encoding");
      const plain = await fetched(w, { accept: "text/html" }, "olive", target);
      expect(plain.headers.get("content-encoding")).toBeNull();
      const text = Buffer.from(decoders.zstd?.(packed.bytes) ?? []).toString();
      if (target === "/metrics") expect(text).toContain("# TYPE");
      else expect(text).toBe(Buffer.from(plain.bytes).toString());
    },
  );

  test("pages that may hold a secret, pictures and small texts are not", async () => {
    const w = world();
    const headers = { "accept-encoding": "gzip", accept: "text/html" };
    for (const target of ["/password/reset", "/user_avatars/identicon/0123456789abcdef.png", "/health"]) {
      const { bytes, headers: got } = await fetched(w, headers, "olive", target);
      expect([target, got.get("content-encoding")]).toEqual([target, null]);
      if (target === "/password/reset") expect(bytes.length).toBeGreaterThan(1024);
    }
  });
});

describe("a long answer with a tag", () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `number ${i * 7919}`).join();
  const parts = [text.slice(0, 100_000), text.slice(100_000)];
  let read = 0;
  async function* pieces() {
    for (const part of parts) {
      read++;
      yield new TextEncoder().encode(part);
    }
  }
  const opened = (body: ReturnType<typeof compressing>) =>
    body instanceof ReadableStream ? body : readableOf(body);
  const packedBy = async (encoding: string, tag: string | null) => {
    const headers: Record<string, string> = {};
    const bytes = new Uint8Array(
      await new Response(opened(compressing(pieces(), encoding, { headers, tag }))).arrayBuffer(),
    );
    expect(headers).toEqual({ vary: "Accept-Encoding", "content-encoding": encoding });
    return bytes;
  };

  test("is compressed once for each encoding", async () => {
    read = 0;
    for (const encoding of ["zstd", "gzip", "br"]) {
      const first = await packedBy(encoding, "one");
      expect(Buffer.from(decoders[encoding]?.(first) ?? []).toString()).toBe(text);
      expect(await packedBy(encoding, "one")).toEqual(first);
    }
    expect(read).toBe(3 * parts.length);
    await packedBy("zstd", "two");
    await packedBy("zstd", null);
    await packedBy("zstd", null);
    expect(read).toBe(6 * parts.length);
  });

  test("is compressed again after a client hung up in the middle", async () => {
    const reader = opened(compressing(pieces(), "gzip", { headers: {}, tag: "three" })).getReader();
    await reader.read();
    await reader.cancel();
    read = 0;
    const again = await packedBy("gzip", "three");
    expect(read).toBe(parts.length);
    expect(Buffer.from(decoders.gzip?.(again) ?? []).toString()).toBe(text);
  });
});

describe("the list of people", () => {
  test("is not sent again to a client that has it, until it changes", async () => {
    const w = world();
    const first = await fetched(w, {});
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"\w+"$/);

    for (const known of [etag, `"other", ${etag}`, etag.slice(2), "*"]) {
      const again = await fetched(w, { "if-none-match": known });
      expect([again.status, again.bytes.length, again.headers.get("etag")]).toEqual([304, 0, etag]);
      expect(again.headers.get("vary")).toBe("Accept-Encoding");
    }
    const packed = await fetched(w, { "if-none-match": etag, "accept-encoding": "zstd" });
    expect(packed.status).toBe(304);
    const head = await w.as("mel").request(path, { method: "HEAD" });
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""]);
    const known = await w.as("mel").request(path, { method: "HEAD", headers: { "if-none-match": etag } });
    expect(known.status).toBe(304);
    expect((await fetched(w, { "if-none-match": '"other"' })).status).toBe(200);

    await w.as("max").patch("/settings", { full_name: "Maximilian" });
    const changed = await fetched(w, { "if-none-match": etag });
    expect(changed.status).toBe(200);
    expect(new TextDecoder().decode(changed.bytes)).toContain("Maximilian");
    expect(changed.headers.get("etag")).not.toBe(etag);
  });

  test("is current after each change that it shows, and only then sent again", async () => {
    const w = world();
    const idOf = (who: CastName) => w.user(who).id;
    const all = `${path}?client_gravatar=false&include_custom_profile_fields=true`;
    const done = async (answer: Promise<{ status: number; body: { id?: number; user_id?: number } }>) => {
      const { status, body } = await answer;
      expect([status, body]).toEqual([200, body]);
      return body;
    };
    const ids = { field: 0, bot: 0 };
    const admin = w.as("ada");
    const changes: readonly (readonly [what: string, isShown: boolean, change: () => Promise<unknown>])[] = [
      ["a name", true, () => done(w.as("max").patch("/settings", { full_name: "Maximilian" }))],
      ["a role", true, () => done(w.as("olive").patch(`/users/${idOf("max")}`, { role: 200 }))],
      ["a time zone", true, () => done(w.as("max").patch("/settings", { timezone: "Asia/Tokyo" }))],
      ["a hidden address", true, () => done(w.as("max").patch("/settings", { email_address_visibility: 5 }))],
      ["a picture", true, () => done(w.as("max").upload("/users/me/avatar", file(png(30, 20), "face.png")))],
      ["no picture", true, () => done(w.as("max").delete("/users/me/avatar"))],
      [
        "a profile field",
        false,
        async () => {
          const body = await done(admin.post("/realm/profile_fields", { field_type: 1, name: "Team" }));
          ids.field = body.id ?? 0;
        },
      ],
      [
        "its value",
        true,
        () => done(w.as("max").patch("/users/me/profile_data", { data: [{ id: ids.field, value: "red" }] })),
      ],
      ["the field's end", true, () => done(admin.delete(`/realm/profile_fields/${ids.field}`))],
      [
        "a bot",
        true,
        async () => {
          const body = await done(w.as("max").post("/bots", { full_name: "Helper", short_name: "helper" }));
          ids.bot = body.user_id ?? 0;
        },
      ],
      ["its owner", true, () => done(admin.patch(`/bots/${ids.bot}`, { bot_owner_id: idOf("mel") }))],
      ["somebody's end", true, () => done(w.as("olive").delete(`/users/${idOf("max")}`))],
      ["somebody's return", true, () => done(w.as("olive").post(`/users/${idOf("max")}/reactivate`))],
      [
        "a message",
        false,
        () => done(w.as("mel").post("/messages", { type: "direct", to: [idOf("max")], content: "hi" })),
      ],
      [
        "a setting that is not shown",
        false,
        () => done(w.as("max").patch("/settings", { starred_message_counts: false })),
      ],
    ];
    let { headers } = await fetched(w, {}, "mel", all);
    for (const [what, isShown, change] of changes) {
      await change();
      const known = { "if-none-match": headers.get("etag") ?? "" };
      const again = await fetched(w, { ...known, "accept-encoding": "zstd" }, "mel", all);
      expect([what, again.status]).toEqual([what, isShown ? 200 : 304]);
      const now = await fetched(w, {}, "mel", all);
      for (const member of JSON.parse(Buffer.from(now.bytes).toString()).members) {
        const params = { client_gravatar: false, include_custom_profile_fields: true };
        expect([what, member]).toEqual([
          what,
          (await w.as("mel").get(`/users/${member.user_id}`, params)).body.user,
        ]);
      }
      headers = now.headers;
    }
  });

  test("has a separate tag for each form that clients ask for", async () => {
    const w = world();
    const targets = [path, `${path}?client_gravatar=false`, `${path}?include_custom_profile_fields=true`];
    const tags = await Promise.all(
      targets.map(async (target) => (await fetched(w, {}, "mel", target)).headers.get("etag")),
    );
    expect(new Set(tags).size).toBe(3);
  });

  test("differs for readers with different permissions", async () => {
    const w = world();
    await w.as("max").patch("/settings", { email_address_visibility: 5 });
    const addressesFor = async (who: CastName) => {
      const { members } = (await w.as(who).get("/users")).body;
      return members.find((user: { full_name: string }) => user.full_name.startsWith("Max")).delivery_email;
    };
    const own = await addressesFor("max");
    expect(own).toContain("max");
    expect(await addressesFor("mel")).toBeNull();
    expect(await addressesFor("ada")).toBe(await addressesFor("olive"));
    expect(await addressesFor("max")).toBe(own);
  });
});

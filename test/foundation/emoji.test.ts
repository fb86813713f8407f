import { describe, expect, test } from "bun:test";
import { gifFrames } from "@/foundation/files/gif.ts";
import { imageOf, newRaster, rasterOf } from "@/foundation/files/raster.ts";
import { animationOf, webpFrames } from "@/foundation/files/webp.ts";
import { file, gif, png, pngOf } from "../support/pictures.ts";
import { type CastName, formOf, type World, world } from "../support/world.ts";

const dot = () => file(png(20, 10), "dot.png");
const address = /^\/user_avatars\/1\/emoji\/images\/[0-9a-f]{32}\.webp$/;

async function add(w: World, name: string, who: CastName = "mel", given = dot()) {
  return w.as(who).upload(`/realm/emoji/${name}`, given);
}

async function listed(w: World) {
  return (await w.as("gus").get("/realm/emoji")).body.emoji;
}

async function bytesAt(w: World, url: string): Promise<Buffer> {
  return Buffer.from(await (await w.anonymous.request(url)).arrayBuffer());
}

/** Its colours and lengths, frame by frame. */
async function framesAt(w: World, url: string) {
  const found: [colour: string, milliseconds: number][] = [];
  for await (const { raster, milliseconds } of webpFrames(await bytesAt(w, url), 1_000_000)) {
    expect([raster.width, raster.height]).toEqual([64, 64]);
    const middle = [...raster.pixels.subarray((32 * 64 + 32) * 4, (32 * 64 + 32) * 4 + 3)];
    found.push([["red", "green", "blue"][middle.indexOf(Math.max(...middle))] ?? "", milliseconds]);
  }
  return found;
}

describe("upload-custom-emoji", () => {
  test("adds the emoji, and emits the whole list to everyone", async () => {
    const w = world();
    const { status, events } = await add(w, "green_tea-2");

    expect(status).toBe(200);
    const emoji = await listed(w);
    expect(emoji).toEqual({
      "1": {
        id: "1",
        name: "green_tea-2",
        source_url: expect.stringMatching(address),
        still_url: null,
        deactivated: false,
        author_id: w.user("mel").id,
      },
    });
    expect(events).toEqual([
      { audience: "everyone", event: { type: "realm_emoji", op: "update", realm_emoji: emoji } },
    ]);
    expect((await w.queue("max")).state.realm_emoji).toEqual(emoji);
  });

  test("scales the picture to 64 by 64, with transparent bars above and below", async () => {
    const w = world();
    await add(w, "wide");
    const { width, height, pixels } = await rasterOf(
      new Bun.Image(new Uint8Array(await bytesAt(w, (await listed(w))[1].source_url))),
    );
    expect([width, height]).toEqual([64, 64]);
    const at = (x: number, y: number) => [...pixels.subarray((y * 64 + x) * 4, (y * 64 + x) * 4 + 4)];
    expect([at(32, 2)[3], at(32, 60)[3], at(2, 32)[3], at(61, 32)[3]]).toEqual([0, 0, 255, 255]);
    expect(at(2, 32)[0]).toBeGreaterThan(200);
    expect(at(61, 32)[2]).toBeGreaterThan(200);
  });

  test("keeps an animation, and stores its first frame", async () => {
    const w = world();
    await add(w, "dance", "mel", file(gif(3), "dance.gif"));
    const { source_url, still_url } = (await listed(w))[1];
    expect(await framesAt(w, source_url)).toEqual([
      ["red", 100],
      ["green", 100],
      ["blue", 100],
    ]);
    expect(still_url).toBe(source_url.replace(".webp", "-still.webp"));
    const still = await new Bun.Image(new Uint8Array(await bytesAt(w, still_url))).metadata();
    expect(still).toMatchObject({ width: 64, height: 64 });
  });

  test("takes animated WebP pictures, too", async () => {
    const w = world();
    const solid = (red: number) => {
      const raster = newRaster(8, 8);
      for (let at = 0; at < raster.pixels.length; at += 4) raster.pixels.set([red, 0, 255 - red, 255], at);
      return { raster, milliseconds: 40 + red };
    };
    async function* frames() {
      yield* [solid(255), solid(0)];
    }
    await add(w, "blink", "mel", file(await animationOf(frames(), 8, 8), "blink.webp"));
    expect(await framesAt(w, (await listed(w))[1].source_url)).toEqual([
      ["red", 295],
      ["blue", 40],
    ]);
  });

  test.each([
    ["a guest", "gus", "brew", dot(), "BAD_REQUEST", "Insufficient permission"],
    ["an upper-case name", "mel", "Brew", dot(), "BAD_REQUEST", /lower-case/],
    ["a name that ends in a dash", "mel", "brew-", dot(), "BAD_REQUEST", /end in/],
    ["a name with a path in it", "mel", "..%2fbrew", dot(), "BAD_REQUEST", /lower-case/],
    ["a name that is too long", "mel", "t".repeat(101), dot(), "BAD_REQUEST", /at most 100/],
    [
      "a name of Unicode's",
      "mel",
      "tada",
      dot(),
      "BAD_REQUEST",
      "Only administrators can override default emoji.",
    ],
    ["what is no picture", "mel", "brew", file("brew", "tea.png"), "BAD_IMAGE", /could not be read/],
    ["a drawing", "mel", "brew", file("<svg/>", "a.svg", "image/svg+xml"), "BAD_IMAGE", /could not be read/],
    [
      "a picture that unpacks to gigabytes",
      "mel",
      "brew",
      file(pngOf(60_000, 60_000, Buffer.alloc(10)), "a.png"),
      "BAD_IMAGE",
      /too large/,
    ],
    ["a large animation", "mel", "brew", file(gif(2, { side: 1500 }), "a.gif"), "BAD_IMAGE", /too large/],
    [
      "an animation with frames larger than it",
      "mel",
      "brew",
      file(gif(2, { frameSide: 60_000 }), "a.gif"),
      "BAD_IMAGE",
      /too large/,
    ],
    ["a long animation", "mel", "brew", file(gif(1001), "a.gif"), "BAD_IMAGE", /too long/],
    ["more than 5 MiB", "mel", "brew", file(new Uint8Array(5_242_881), "a"), "BAD_REQUEST", /5 MiB/],
    ["no file", "mel", "brew", formOf({ a: "b" }), "BAD_REQUEST", "You must specify a file to upload."],
  ] as const)("refuses %s", async (_, who, name, given, code, msg) => {
    const w = world();
    const answer = await w.as(who).upload(`/realm/emoji/${name}`, given);
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect(answer.body.code).toBe(code);
    expect(answer.body.msg).toMatch(msg);
    expect(await listed(w)).toEqual({});
  });

  test("refuses a name in use, lets administrators override Unicode's", async () => {
    const w = world();
    await add(w, "brew");
    const again = await add(w, "brew", "ada");
    expect(again).toMatchObject({
      status: 400,
      body: { msg: "A custom emoji with this name already exists." },
      events: [],
    });
    expect((await add(w, "tada", "ada")).status).toBe(200);
  });

  test("is limited to users with the permission", async () => {
    const w = world();
    const { user_groups } = (await w.as("ada").get("/user_groups")).body;
    const moderators = user_groups.find(({ name }: { name: string }) => name === "role:moderators").id;
    await w.as("olive").patch("/realm", { can_add_custom_emoji_group: { new: moderators } });
    expect(await add(w, "brew", "mel")).toMatchObject({ status: 400, events: [] });
    expect(await add(w, "brew", "moss")).toMatchObject({ status: 200 });
  });
});

describe("deactivate-custom-emoji", () => {
  test("deactivates it; old messages keep it", async () => {
    const w = world();
    await add(w, "brew");
    const { events } = await w.as("mel").delete("/realm/emoji/brew");
    const emoji = await listed(w);
    expect(emoji).toMatchObject({ "1": { name: "brew", deactivated: true } });
    expect(events).toEqual([
      { audience: "everyone", event: { type: "realm_emoji", op: "update", realm_emoji: emoji } },
    ]);
    expect((await w.anonymous.request(emoji[1].source_url)).status).toBe(200);
    expect((await add(w, "brew", "max")).status).toBe(200);
    expect(Object.keys(await listed(w))).toEqual(["1", "2"]);
  });

  test.each([
    ["a stranger to it", "max", "brew", 400],
    ["an unknown one", "ada", "latte", 404],
  ] as const)("refuses %s", async (_, who, name, status) => {
    const w = world();
    await add(w, "brew");
    expect(await w.as(who).delete(`/realm/emoji/${name}`)).toMatchObject({
      status,
      body: { code: "BAD_REQUEST" },
      events: [],
    });
  });

  test("is allowed to administrators, but not to an author who may no longer add emoji", async () => {
    const w = world();
    await add(w, "brew");
    await add(w, "latte");
    const { user_groups } = (await w.as("ada").get("/user_groups")).body;
    const nobody = user_groups.find(({ name }: { name: string }) => name === "role:moderators").id;
    await w.as("olive").patch("/realm", { can_add_custom_emoji_group: { new: nobody } });
    expect(await w.as("mel").delete("/realm/emoji/brew")).toMatchObject({ status: 400, events: [] });
    expect(await w.as("ada").delete("/realm/emoji/brew")).toMatchObject({ status: 200 });
  });
});

describe("get-custom-emoji", () => {
  test("is empty at first", async () => {
    expect(await listed(world())).toEqual({});
  });
});

describe("get-emoji-picture", () => {
  test("answers 404 for other names", async () => {
    const { anonymous } = world();
    expect((await anonymous.request("/user_avatars/1/emoji/images/tea.webp")).status).toBe(404);
    expect((await anonymous.request("/user_avatars/1/emoji/images/..%2f..%2fx.webp")).status).toBe(404);
  });
});

describe("custom emoji in texts", () => {
  const rendered = async (w: World, content: string) =>
    (await w.as("max").post("/messages/render", { content })).body.rendered;

  test("are pictures, and take precedence over Unicode's", async () => {
    const w = world();
    await add(w, "green_tea");
    await add(w, "tada", "ada");
    const { 1: tea, 2: tada } = await listed(w);
    expect(await rendered(w, "a :green_tea: b")).toBe(
      `<p>a <img alt=":green_tea:" class="emoji" src="${tea.source_url}" title="green tea"> b</p>`,
    );
    expect(await rendered(w, ":tada:")).toContain(`src="${tada.source_url}"`);
  });

  test("are shown as words once they are deactivated", async () => {
    const w = world();
    await add(w, "brew");
    await add(w, "tada", "ada");
    for (const name of ["brew", "tada"]) await w.as("ada").delete(`/realm/emoji/${name}`);
    expect(await rendered(w, ":brew:")).toBe("<p>:brew:</p>");
    expect(await rendered(w, ":tada:")).toContain("emoji-1f389");
  });
});

describe("custom emoji in reactions", () => {
  const brew = { emoji_name: "brew", emoji_code: "1", reaction_type: "realm_emoji" };

  async function messageWorld() {
    const w = world();
    await add(w, "brew");
    const { body } = await w
      .as("mel")
      .post("/messages", { type: "direct", to: [w.user("max").id], content: "?" });
    return { ...w, path: `/messages/${body.id}/reactions` };
  }

  test.each([
    ["by name", { emoji_name: "brew" }],
    ["in full", brew],
    ["by name and code", { emoji_name: "brew", emoji_code: "1" }],
  ])("are taken %s", async (_, given) => {
    const w = await messageWorld();
    const { status, events } = await w.as("max").post(w.path, given);
    expect(status).toBe(200);
    expect(events).toMatchObject([{ audience: ["mel", "max"], event: { op: "add", ...brew } }]);
    expect((await w.as("max").delete(w.path, given)).events).toMatchObject([
      { event: { op: "remove", ...brew } },
    ]);
  });

  test("that are deactivated can be joined and removed where they exist, under their name", async () => {
    const w = await messageWorld();
    await w.as("max").post(w.path, brew);
    await w.as("mel").delete("/realm/emoji/brew");
    const joined = await w.as("mel").post(w.path, { ...brew, emoji_name: "anything" });
    expect(joined.events).toMatchObject([{ event: { op: "add", ...brew, user_id: w.user("mel").id } }]);
    expect((await w.as("max").delete(w.path, { emoji_name: "brew" })).status).toBe(200);
    expect((await w.as("mel").delete(w.path, brew)).status).toBe(200);
    expect(await w.as("max").post(w.path, brew)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "This custom emoji has been deactivated." },
      events: [],
    });
  });

  test("override Unicode's by name alone", async () => {
    const w = await messageWorld();
    await add(w, "tada", "ada");
    await w.as("max").post(w.path, { emoji_name: "tada" });
    const unicode = { emoji_name: "tada", emoji_code: "1f389", reaction_type: "unicode_emoji" };
    expect((await w.as("max").post(w.path, unicode)).events).toMatchObject([{ event: unicode }]);
    const { reactions } = (await w.as("max").get(w.path.replace("/reactions", ""))).body.message;
    expect(reactions).toMatchObject([{ emoji_code: "2", reaction_type: "realm_emoji" }, unicode]);
  });

  test.each([
    ["an unknown code", { ...brew, emoji_code: "99" }],
    ["another name", { ...brew, emoji_name: "latte" }],
    ["another type", { ...brew, reaction_type: "unicode_emoji" }],
    ["a code that is no number", { ...brew, emoji_code: "1 " }],
  ])("refuse %s", async (_, given) => {
    const w = await messageWorld();
    expect(await w.as("max").post(w.path, given)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST" },
      events: [],
    });
  });
});

describe("frames of GIF pictures", () => {
  const framesOf = (bytes: Uint8Array, maxPixels: number) =>
    Array.fromAsync(gifFrames(Buffer.from(bytes), maxPixels));

  test("end with the file", async () => {
    const whole = gif(3);
    expect(await framesOf(whole.subarray(0, -1), 100)).toHaveLength(3);
    await expect(framesOf(whole, 3)).rejects.toThrow();
    await expect(framesOf(whole.subarray(0, 60), 100)).rejects.toThrow();
  });

  test("equal those of a decoder for still pictures", async () => {
    const bytes = gif(1);
    const [frame] = await framesOf(bytes, 100);
    expect(frame?.raster.pixels).toEqual((await rasterOf(new Bun.Image(bytes))).pixels);
    const drawn = await imageOf(frame?.raster ?? newRaster(1, 1));
    expect(await rasterOf(drawn)).toMatchObject({ width: 2, height: 2 });
  });
});

import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { pathOf } from "@/foundation/file-stores/disk.ts";
import { rasterOf } from "@/foundation/files/raster.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { file, gif, png, pngOf } from "../support/pictures.ts";
import { type CastName, formOf, type World, world } from "../support/world.ts";

const face = () => file(png(300, 200), "face.png");
const own = /^\/user_avatars\/1\/[0-9a-f]{32}\.webp$/;
const made = /^\/user_avatars\/identicon\/[0-9a-f]{20}(-medium)?\.png$/;

async function uploaded(w: World, who: CastName = "mel"): Promise<string> {
  return (await w.as(who).upload("/users/me/avatar", face())).body.avatar_url;
}

const medium = (url: string) => url.replace(".webp", "-medium.webp");

async function pictureAt(w: World, url: string) {
  const answer = await w.anonymous.request(url);
  if (answer.status !== 200) return answer.status;
  return rasterOf(new Bun.Image(await answer.arrayBuffer()));
}

/** The colour in the middle of a side. */
function colourAt(picture: Awaited<ReturnType<typeof pictureAt>>, side: "left" | "right") {
  if (typeof picture === "number") return picture;
  const { width, height, pixels } = picture;
  const at = ((height >> 1) * width + (side === "left" ? 2 : width - 3)) * 4;
  const [red = 0, , blue = 0] = pixels.subarray(at, at + 4);
  return red > blue ? "red" : "blue";
}

const pathIn = (w: World, url: string) => pathOf(w.app.env, "pictures", url.split("/").at(-1) as string);

describe("post-users-me-avatar", () => {
  test("crops the picture to its middle, in two sizes", async () => {
    const w = world();
    const { status, body, events } = await w.as("mel").upload("/users/me/avatar", face());

    expect(status).toBe(200);
    expect(body.avatar_url).toMatch(own);
    const small = await pictureAt(w, body.avatar_url);
    expect(small).toMatchObject({ width: 100, height: 100 });
    expect(await pictureAt(w, medium(body.avatar_url))).toMatchObject({ width: 500, height: 500 });
    expect([colourAt(small, "left"), colourAt(small, "right")]).toEqual(["red", "blue"]);
    expect(events).toEqual([
      {
        audience: "everyone",
        event: {
          type: "realm_user",
          op: "update",
          person: {
            user_id: w.user("mel").id,
            avatar_url: body.avatar_url,
            avatar_url_medium: medium(body.avatar_url),
            avatar_source: "U",
            avatar_version: 2,
          },
        },
      },
    ]);
  });

  test("shows it wherever the user is shown, also to clients that derive pictures", async () => {
    const w = world();
    const avatar_url = await uploaded(w);
    const to = { type: "direct", to: [w.user("max").id], content: "hi" };
    const { state, poll } = await w.queue("max", { client_gravatar: true });
    const { body: sent } = await w.as("mel").post("/messages", to);
    await w.as("max").post("/messages", { ...to, to: [w.user("mel").id] });

    const [event, ownEvent] = await poll();
    expect(event).toMatchObject({ type: "message", message: { avatar_url } });
    expect(ownEvent).toMatchObject({ type: "message", message: { avatar_url: null } });
    const { message } = (await w.as("max").get(`/messages/${sent.id}`)).body;
    expect(message.avatar_url).toBe(avatar_url);
    const found = await w.as("max").get("/messages", { anchor: "newest", num_before: 2, num_after: 0 });
    expect(found.body.messages.map((one: { avatar_url: unknown }) => one.avatar_url)).toEqual([
      avatar_url,
      null,
    ]);
    const user_id = w.user("mel").id;
    expect(state.realm_users).toContainEqual(
      expect.objectContaining({ user_id, avatar_url, avatar_version: 2 }),
    );
    const view = { client_gravatar: true };
    expect((await w.as("max").get(`/users/${user_id}`, view)).body.user).toMatchObject({ avatar_url });
    expect((await w.queue("mel")).state).toMatchObject({
      avatar_url,
      avatar_url_medium: medium(avatar_url),
      avatar_source: "U",
    });
  });

  test("replaces the previous one and deletes its file", async () => {
    const w = world();
    const before = await uploaded(w);
    const after = await uploaded(w);
    expect(after).not.toBe(before);
    expect([existsSync(pathIn(w, before)), existsSync(pathIn(w, medium(before)))]).toEqual([false, false]);
    expect(await pictureAt(w, before)).toBe(404);
    expect((await w.as("max").get(`/users/${w.user("mel").id}`)).body.user.avatar_version).toBe(3);
  });

  test.each([
    ["a tiny one", file(png(1, 1), "a.png")],
    ["a very long one", file(png(2000, 2), "a.png")],
    ["a moving one", file(gif(3), "a.gif")],
  ])("takes %s", async (_, given) => {
    const w = world();
    const { body } = await w.as("mel").upload("/users/me/avatar", given);
    expect(await pictureAt(w, body.avatar_url)).toMatchObject({ width: 100, height: 100 });
  });

  test.each([
    ["a text", file("hello", "a.png"), "BAD_IMAGE"],
    ["a drawing that runs scripts", file("<svg onload='1'/>", "a.svg", "image/svg+xml"), "BAD_IMAGE"],
    ["a damaged picture", file(pngOf(20, 20, Buffer.alloc(10)), "a.png"), "BAD_IMAGE"],
    ["one that unpacks to gigabytes", file(pngOf(60_000, 60_000, Buffer.alloc(10)), "a.png"), "BAD_IMAGE"],
    ["an empty file", file("", "a.png"), "BAD_IMAGE"],
    ["one of more than 5 MiB", file(new Uint8Array(5_242_881), "a.png"), "BAD_REQUEST"],
    ["no file", formOf({ a: "b" }), "BAD_REQUEST"],
  ])("refuses %s, and changes nothing", async (_, given, code) => {
    const w = world();
    const answer = await w.as("mel").upload("/users/me/avatar", given);
    expect(answer).toMatchObject({ status: 400, body: { code }, events: [] });
    expect((await w.queue("mel")).state).toMatchObject({ avatar_source: "G" });
  });

  test("is only for administrators if avatars may not change", async () => {
    const w = world();
    const before = await uploaded(w);
    await w.as("olive").patch("/realm", { avatar_changes_disabled: true });
    for (const answer of [
      await w.as("mel").upload("/users/me/avatar", face()),
      await w.as("mel").delete("/users/me/avatar"),
    ]) {
      expect(answer).toMatchObject({
        status: 400,
        body: { code: "BAD_REQUEST", msg: "Avatar changes are disabled in this organization." },
        events: [],
      });
    }
    expect(await pictureAt(w, before)).toMatchObject({ width: 100 });
    expect(await uploaded(w, "ada")).toMatch(own);
  });
});

describe("delete-users-me-avatar", () => {
  test("restores the generated picture, and emits it to everyone", async () => {
    const w = world();
    const before = await uploaded(w);
    const { body, events } = await w.as("mel").delete("/users/me/avatar");
    expect(body.avatar_url).toMatch(made);
    expect(events).toEqual([
      {
        audience: "everyone",
        event: {
          type: "realm_user",
          op: "update",
          person: {
            user_id: w.user("mel").id,
            avatar_url: body.avatar_url,
            avatar_url_medium: body.avatar_url.replace(".png", "-medium.png"),
            avatar_source: "G",
            avatar_version: 3,
          },
        },
      },
    ]);
    expect(existsSync(pathIn(w, before))).toBe(false);
  });

  test("changes nothing for a user without a picture", async () => {
    const { status, body, events } = await world().as("mel").delete("/users/me/avatar");
    expect([status, events]).toEqual([200, []]);
    expect(body.avatar_url).toMatch(made);
  });
});

describe("get-avatar-picture", () => {
  test("is public by its address, and cacheable", async () => {
    const w = world();
    const { headers } = await w.anonymous.request(await uploaded(w));
    expect(headers.get("content-type")).toBe("image/webp");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test.each([
    "/user_avatars/1/00000000000000000000000000000000.webp",
    "/user_avatars/1/abc.webp",
    "/user_avatars/1/..%2f..%2fconfab.db",
    "/user_avatars/1/%2e%2e/uploads",
  ])("finds nothing at %s", async (path) => {
    expect((await world().anonymous.request(path)).status).toBe(404);
  });
});

describe("larger pictures", () => {
  /** The address of the larger picture, as clients derive it. */
  const forms = {
    "with a final .png replaced": (url: string) =>
      url.endsWith(".png") ? url.replace(/\.png$/, "-medium.png") : `${url}-medium.png`,
    "with an ending appended": (url: string) => `${url}-medium.png`,
    "with any ending replaced": (url: string) => url.replace(/\.\w+$/, "-medium.png"),
  };

  /** Mel has an uploaded picture, max a generated one; so do their bots. */
  async function pictures(w: World): Promise<Record<string, string>> {
    await uploaded(w);
    const bot = { full_name: "Helper", short_name: "helper", file: face() };
    const { avatar_url: ofBot } = (await w.as("mel").upload("/bots", formOf(bot))).body;
    const { members } = (await w.as("max").get("/users", { client_gravatar: false })).body;
    const of = (id: number) => members.find(({ user_id }: { user_id: number }) => user_id === id).avatar_url;
    return {
      "an uploaded picture": of(w.user("mel").id),
      "a picture made for a person": of(w.user("max").id),
      "a bot's own picture": ofBot,
      "a picture made for a bot": of(w.user("bolt").id),
    };
  }

  test.each(Object.entries(forms))("are at the address %s", async (_, larger) => {
    const w = world();
    for (const [whose, url] of Object.entries(await pictures(w))) {
      const picture = await pictureAt(w, larger(url));
      expect([whose, picture]).toEqual([whose, expect.objectContaining({ width: 500, height: 500 })]);
    }
  });

  test("are at the addresses that clients get, for everyone", async () => {
    const w = world();
    await uploaded(w);
    for (const name of ["mel", "max"] as const) {
      const { avatar_url_medium } = (await w.queue(name, { client_gravatar: false })).state;
      expect(await pictureAt(w, avatar_url_medium)).toMatchObject({ width: 500 });
      const { headers } = await w.as("max").request(`/avatar/${w.user(name).id}/medium`);
      expect(headers.get("location")).toBe(avatar_url_medium);
    }
  });

  test("are at the addresses that visitors without an account get", async () => {
    const w = world();
    await setServerOptions(w.app.system, { web_public_channels: true });
    await w.as("ada").patch("/realm", { enable_spectator_access: true });
    const open = { name: "Open", subscribers: [w.user("olive").id], is_web_public: true };
    expect((await w.as("olive").post("/channels/create", open)).status).toBe(200);
    const { body } = await w.anonymous.post("/register");
    expect(await pictureAt(w, body.avatar_url_medium)).toMatchObject({ width: 500 });
  });

  test("show the same as the small ones", async () => {
    const w = world();
    const url = (await w.as("max").get("/users/me", { client_gravatar: false })).body.avatar_url;
    const [small, large] = [await pictureAt(w, url), await pictureAt(w, url.replace(".png", "-medium.png"))];
    if (typeof small === "number" || typeof large === "number") throw new Error("no picture");
    const cell = (picture: typeof small, row: number, column: number) => {
      const at = (part: number) => Math.round((picture.width * (1 + 2 * (part + 0.5))) / 12);
      const pixel = (at(row) * picture.width + at(column)) * 4;
      return [...picture.pixels.subarray(pixel, pixel + 3)];
    };
    const all = [...Array(25).keys()].map((n) => [Math.floor(n / 5), n % 5] as const);
    expect(all.map(([row, column]) => cell(large, row, column))).toEqual(
      all.map(([row, column]) => cell(small, row, column)),
    );
  });

  test.each([
    "/user_avatars/1/00000000000000000000000000000000.webp-medium.png",
    "/user_avatars/1/00000000000000000000000000000000-large.png",
    "/user_avatars/identicon/00-large.png",
    "/user_avatars/identicon/xyz.png-medium.png",
  ])("are not at %s", async (path) => {
    expect((await world().anonymous.request(path)).status).toBe(404);
  });
});

describe("addresses that lead to pictures", () => {
  test("redirect to a user's picture, in both sizes", async () => {
    const w = world();
    const url = await uploaded(w);
    const location = async (path: string) => (await w.as("max").request(path)).headers.get("location");
    expect(await location(`/avatar/${w.user("mel").id}`)).toBe(url);
    expect(await location("/avatar/mel@example.com/medium")).toBe(medium(url));
    expect(await location(`/avatar/${w.user("max").id}/medium`)).toMatch(made);
    const { id } = w.user("mel");
    for (const path of [`${id}-medium.png`, "mel@example.com-medium.png", `${id}.png/medium`])
      expect(await location(`/avatar/${path}`)).toBe(medium(url));
    expect(await location(`/avatar/${id}.png`)).toBe(url);
  });
});

const realmPicture = /^\/user_avatars\/1\/realm\/[0-9a-f]{32}\.webp$/;

describe("post-realm-icon", () => {
  test("gives the organization an icon, and emits it to everyone", async () => {
    const w = world();
    const { body, events } = await w.as("ada").upload("/realm/icon", face());
    expect(body.icon_url).toMatch(realmPicture);
    expect(await pictureAt(w, body.icon_url)).toMatchObject({ width: 100, height: 100 });
    expect(events).toEqual([
      {
        audience: "everyone",
        event: {
          type: "realm",
          op: "update_dict",
          property: "icon",
          data: { icon_url: body.icon_url, icon_source: "U" },
        },
      },
    ]);
    expect((await w.queue("gus")).state).toMatchObject({
      realm_icon_url: body.icon_url,
      realm_icon_source: "U",
    });
    expect((await w.anonymous.get("/server_settings")).body.realm_icon).toBe(body.icon_url);
  });

  test.each([
    ["a moderator", "moss", face(), "UNAUTHORIZED_PRINCIPAL"],
    ["what is no picture", "ada", file("hello", "a.png"), "BAD_IMAGE"],
    ["more than 5 MiB", "ada", file(new Uint8Array(5_242_881), "a.png"), "BAD_REQUEST"],
    ["no file", "ada", formOf({ a: "b" }), "BAD_REQUEST"],
  ] as const)("refuses %s", async (_, who, given, code) => {
    const answer = await world().as(who).upload("/realm/icon", given);
    expect(answer).toMatchObject({ status: 400, body: { code }, events: [] });
  });
});

describe("delete-realm-icon", () => {
  test("restores the generated picture", async () => {
    const w = world();
    const { icon_url } = (await w.as("ada").upload("/realm/icon", face())).body;
    const { body, events } = await w.as("ada").delete("/realm/icon");
    expect(body.icon_url).toMatch(made);
    expect(events).toMatchObject([
      {
        audience: "everyone",
        event: { op: "update_dict", property: "icon", data: { icon_url: body.icon_url, icon_source: "G" } },
      },
    ]);
    expect(existsSync(pathIn(w, icon_url))).toBe(false);
    expect((await w.as("ada").delete("/realm/icon")).events).toEqual([]);
  });

  test("is only for administrators", async () => {
    const answer = await world().as("mel").delete("/realm/icon");
    expect(answer).toMatchObject({ status: 400, body: { code: "UNAUTHORIZED_PRINCIPAL" }, events: [] });
  });
});

describe("get-realm-icon", () => {
  test("leads to the picture", async () => {
    const w = world();
    const location = async () => (await w.as("gus").request("/api/v1/realm/icon")).headers.get("location");
    const before = await location();
    expect(before).toMatch(made);
    expect((await w.anonymous.request(before as string)).headers.get("content-type")).toBe("image/png");
    const { icon_url } = (await w.as("ada").upload("/realm/icon", face())).body;
    expect(await location()).toBe(icon_url);
  });
});

describe("post-realm-logo", () => {
  test("sets the organization's logo for light or dark themes, scaled to fit", async () => {
    const w = world();
    const logo = (night: boolean) => formOf({ night, file: file(png(300, 200), "logo.png") });
    const day = await w.as("ada").upload("/realm/logo", logo(false));
    const night = await w.as("ada").upload("/realm/logo", logo(true));

    expect(day.events).toMatchObject([
      { audience: "everyone", event: { op: "update_dict", property: "logo", data: { logo_source: "U" } } },
    ]);
    expect(night.events).toMatchObject([
      { event: { property: "night_logo", data: { night_logo_source: "U" } } },
    ]);
    const { state } = await w.queue("gus");
    expect(state.realm_logo_url).toMatch(realmPicture);
    expect(state.realm_night_logo_url).toMatch(realmPicture);
    expect(state.realm_night_logo_url).not.toBe(state.realm_logo_url);
    expect(await pictureAt(w, state.realm_logo_url)).toMatchObject({ width: 150, height: 100 });
  });

  test.each([
    ["a member", "mel", { night: false, file: face() }, "UNAUTHORIZED_PRINCIPAL"],
    ["without saying which", "ada", { file: face() }, "REQUEST_VARIABLE_MISSING"],
    ["without a file", "ada", { night: false }, "BAD_REQUEST"],
  ] as const)("refuses %s", async (_, who, fields, code) => {
    const answer = await world().as(who).upload("/realm/logo", formOf(fields));
    expect(answer).toMatchObject({ status: 400, body: { code }, events: [] });
  });
});

describe("delete-realm-logo", () => {
  test("removes only that one", async () => {
    const w = world();
    for (const night of [true, false])
      await w.as("ada").upload("/realm/logo", formOf({ night, file: face() }));
    const { events } = await w.as("ada").delete("/realm/logo", { night: true });
    expect(events).toMatchObject([{ event: { property: "night_logo", data: { night_logo_source: "D" } } }]);
    expect((await w.queue("gus")).state).toMatchObject({
      realm_logo_source: "U",
      realm_night_logo_source: "D",
    });
  });

  test("is only for administrators", async () => {
    const answer = await world().as("moss").delete("/realm/logo", { night: false });
    expect(answer).toMatchObject({ status: 400, body: { code: "UNAUTHORIZED_PRINCIPAL" }, events: [] });
  });
});

describe("get-realm-logo", () => {
  test("leads to the picture of the theme", async () => {
    const w = world();
    await w.as("ada").upload("/realm/logo", formOf({ night: true, file: face() }));
    const location = async (night: boolean) =>
      (await w.as("gus").request(`/api/v1/realm/logo?night=${night}`)).headers.get("location");
    expect(await location(true)).toMatch(realmPicture);
    expect(await location(false)).toMatch(made);
  });
});

describe("get-realm-picture", () => {
  test("answers 404 for other names", async () => {
    const { anonymous } = world();
    expect((await anonymous.request("/user_avatars/1/realm/icon.webp")).status).toBe(404);
    expect((await anonymous.request(`/user_avatars/1/realm/${"0".repeat(32)}.webp`)).status).toBe(404);
  });
});

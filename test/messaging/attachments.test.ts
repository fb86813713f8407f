import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { pathOf } from "@/foundation/file-stores/disk.ts";
import { runJob } from "../support/jobs.ts";
import { file } from "../support/pictures.ts";
import { type CastName, type World, world } from "../support/world.ts";

async function uploaded(w: World, name: string, who: CastName = "mel"): Promise<string> {
  return (await w.as(who).upload("/user_uploads", file(name, name))).body.url;
}

/** Sends a direct message to max. */
async function sent(w: World, content: string, who: CastName = "mel") {
  return w.as(who).post("/messages", { type: "direct", to: [w.user("max").id], content });
}

const updates = (events: { event: { type: string } }[]) =>
  events.filter(({ event }) => event.type === "attachment");

async function listed(w: World, who: CastName = "mel") {
  return (await w.as(who).get("/attachments")).body;
}

describe("get-attachments", () => {
  test("lists the caller's files, newest first, with the messages that link to them", async () => {
    const w = world();
    const first = await uploaded(w, "a");
    await uploaded(w, "bb");
    await uploaded(w, "ccc", "max");
    w.clock.advance(7);
    const { id } = (await sent(w, `[a](${first})`)).body;

    const { attachments, upload_space_used } = await listed(w);
    expect(upload_space_used).toBe(6);
    expect(attachments).toEqual([
      {
        id: 2,
        name: "bb",
        path_id: attachments[0].path_id,
        size: 2,
        create_time: (w.clock.now() - 7) * 1000,
        messages: [],
        message_ids: [],
      },
      {
        id: 1,
        name: "a",
        path_id: first.replace("/user_uploads/", ""),
        size: 1,
        create_time: (w.clock.now() - 7) * 1000,
        messages: [{ id, date_sent: w.clock.now() * 1000 }],
        message_ids: [id],
      },
    ]);
    expect(await listed(w, "gus")).toMatchObject({ attachments: [], upload_space_used: 6 });
  });
});

describe("messages that link to files", () => {
  test.each([
    ["a link", (url: string) => `[it](${url})`],
    ["an address of this server", (url: string) => `see https://chat.example.com${url} there`],
    ["an encoded link", (url: string) => `[it](${url.replace("tä", "t%C3%A4")})`],
    ["a link twice", (url: string) => `[it](${url}) and [again](${url})`],
    ["a quoted link", (url: string) => `> [it](${url})`],
  ])("claim them by %s, and emit that to the owner", async (_, content) => {
    const w = world();
    const url = await uploaded(w, "tä");
    const { body, events } = await sent(w, content(url));
    expect(updates(events)).toMatchObject([
      {
        audience: ["mel"],
        event: { op: "update", attachment: { id: 1, messages: [{ id: body.id }] }, upload_space_used: 3 },
      },
    ]);
  });

  test.each([
    ["in code", (url: string) => `\`[it](${url})\``],
    ["as plain words", (url: string) => url],
    ["on another server", (url: string) => `https://other.example.com${url}`],
    ["that is not there", (url: string) => `[it](${url}x)`],
    ["badly encoded", (url: string) => `[it](${url}%ff)`],
  ])("do not claim one %s", async (_, content) => {
    const w = world();
    const { events } = await sent(w, content(await uploaded(w, "a")));
    expect(updates(events)).toEqual([]);
    expect((await listed(w)).attachments).toMatchObject([{ messages: [] }]);
  });

  test("give no access to a file that their sender may not see", async () => {
    const w = world();
    const url = await uploaded(w, "a", "ada");
    const { events } = await sent(w, `[it](${url})`);
    expect(updates(events)).toEqual([]);
    expect((await w.as("mel").request(url)).status).toBe(403);
    expect((await w.as("max").request(url)).status).toBe(403);
  });

  test("give access to a file that their sender may see, and notify its owner", async () => {
    const w = world();
    const url = await uploaded(w, "a");
    await sent(w, `[it](${url})`);
    const passed = await w.as("max").post("/messages", {
      type: "direct",
      to: [w.user("gus").id],
      content: `[look](${url})`,
    });
    expect(updates(passed.events)).toMatchObject([
      { audience: ["mel"], event: { op: "update", attachment: { messages: [{}, { id: passed.body.id }] } } },
    ]);
    expect((await w.as("gus").request(url)).status).toBe(200);
  });

  test("release them when they are deleted; the file stays", async () => {
    const w = world();
    const url = await uploaded(w, "a");
    const { id } = (await sent(w, `[it](${url})`)).body;
    const { events } = await w.as("mel").delete(`/messages/${id}`);
    expect(updates(events)).toMatchObject([
      { audience: ["mel"], event: { op: "update", attachment: { id: 1, messages: [] } } },
    ]);
    expect((await w.as("mel").request(url)).status).toBe(200);
  });
});

describe("edits of messages with files", () => {
  test("release files they were the last to link to, and claim new ones", async () => {
    const w = world();
    const [first, second] = [await uploaded(w, "a"), await uploaded(w, "bb")];
    const { id } = (await sent(w, `[a](${first})`)).body;
    const edited = await w.as("mel").patch(`/messages/${id}`, { content: `[b](${second})` });

    expect(edited.body.detached_uploads).toEqual([
      {
        id: 1,
        name: "a",
        path_id: first.replace("/user_uploads/", ""),
        size: 1,
        create_time: w.clock.now() * 1000,
        messages: [],
        message_ids: [],
      },
    ]);
    expect(updates(edited.events)).toMatchObject([
      { audience: ["mel"], event: { op: "update", attachment: { id: 1, messages: [] } } },
      { audience: ["mel"], event: { op: "update", attachment: { id: 2, messages: [{ id }] } } },
    ]);
    expect((await w.as("max").request(first)).status).toBe(403);
    expect((await w.as("max").request(second)).status).toBe(200);
  });

  const kinds = {
    draft: (w: World, content: string, who: CastName) =>
      w.as(who).post("/drafts", { drafts: [{ type: "", to: [], topic: "", content }] }),
    "scheduled message": (w: World, content: string, who: CastName) =>
      w.as(who).post("/scheduled_messages", {
        type: "direct",
        to: [w.user("gus").id],
        content,
        scheduled_delivery_timestamp: w.clock.now() + 60,
      }),
  };

  test.each(["draft", "scheduled message"] as const)(
    "keep a file that a %s of its owner links to",
    async (kind) => {
      const w = world();
      const url = await uploaded(w, "tä b");
      const [, name] = /([^/]*)$/.exec(url) ?? [];
      const { id } = (await sent(w, `[it](${url})`)).body;
      const encoded = url.replace(name as string, encodeURIComponent(decodeURIComponent(name as string)));
      expect((await kinds[kind](w, `[it](${encoded})`, "mel")).status).toBe(200);

      const edited = await w.as("mel").patch(`/messages/${id}`, { content: "none" });
      expect(edited.body.detached_uploads).toEqual([]);
      expect(updates(edited.events)).toMatchObject([{ event: { attachment: { messages: [] } } }]);
      for (const who of ["max", "gus"] as const) expect((await w.as(who).request(url)).status).toBe(403);
      expect((await w.as("mel").request(url)).status).toBe(200);
    },
  );

  test.each(["draft", "scheduled message"] as const)(
    "release a file that only another user's %s names",
    async (kind) => {
      const w = world();
      const url = await uploaded(w, "a");
      const { id } = (await sent(w, `[it](${url})`)).body;
      for (const who of ["max", "gus"] as const) {
        expect((await kinds[kind](w, `[it](${url})`, who)).status).toBe(200);
      }
      expect((await w.as("gus").request(url)).status).toBe(403);

      const edited = await w.as("mel").patch(`/messages/${id}`, { content: "none" });
      expect(edited.body.detached_uploads).toMatchObject([{ id: 1 }]);
      expect((await w.as("max").request(url)).status).toBe(403);
    },
  );

  test("link a file to a scheduled message once it is sent", async () => {
    const w = world();
    const url = await uploaded(w, "a");
    await kinds["scheduled message"](w, `[it](${url})`, "mel");
    w.clock.advance(60);
    const events = await runJob(w, "deliver-scheduled-messages");
    const [message] = events.filter(({ event }) => event.type === "message");
    expect(updates(events)).toMatchObject([
      { audience: ["mel"], event: { attachment: { messages: [{ id: message?.event.message.id }] } } },
    ]);
    expect((await w.as("gus").request(url)).status).toBe(200);
  });

  test("keep remaining links, files that others link to, and other users' files", async () => {
    const w = world();
    const [kept, doubled] = [await uploaded(w, "a"), await uploaded(w, "bb")];
    await sent(w, `[b](${doubled})`);
    const { id } = (await sent(w, `[a](${kept}) [b](${doubled})`)).body;
    const edited = await w.as("mel").patch(`/messages/${id}`, { content: `just [a](${kept})` });
    expect(edited.body.detached_uploads).toEqual([]);
    expect(updates(edited.events)).toMatchObject([{ event: { attachment: { id: 2, messages: [{}] } } }]);

    const passed = await sent(w, `[a](${kept})`, "max");
    await w.as("mel").delete(`/messages/${id}`);
    const last = await w.as("max").patch(`/messages/${passed.body.id}`, { content: "no more" });
    expect(last.body.detached_uploads).toEqual([]);
    expect(updates(last.events)).toMatchObject([
      { audience: ["mel"], event: { attachment: { messages: [] } } },
    ]);
  });
});

describe("remove-attachment", () => {
  test("deletes the file, even if messages link to it, and emits it only to the owner", async () => {
    const w = world();
    const url = await uploaded(w, "a");
    await sent(w, `[it](${url})`);
    const path = pathOf(w.app.env, "uploads", url.split("/")[3] as string);
    expect(existsSync(path)).toBe(true);
    const { status, events } = await w.as("mel").delete("/attachments/1");

    expect(status).toBe(200);
    expect(events).toEqual([
      {
        audience: ["mel"],
        event: { type: "attachment", op: "remove", attachment: { id: 1 }, upload_space_used: 0 },
      },
    ]);
    expect(existsSync(path)).toBe(false);
    expect((await w.as("mel").request(url)).status).toBe(404);
    expect(await listed(w)).toMatchObject({ attachments: [], upload_space_used: 0 });
  });

  test.each([
    ["another's", "max", 1],
    ["another's, as an owner", "olive", 1],
    ["an unknown one", "mel", 99],
  ] as const)("refuses %s", async (_, who, id) => {
    const w = world();
    await uploaded(w, "a");
    expect(await w.as(who).delete(`/attachments/${id}`)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "Invalid attachment" },
      events: [],
    });
    expect((await listed(w)).attachments).toHaveLength(1);
  });
});

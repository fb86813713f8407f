// What uploaded files take up, and those that nobody links to.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { listAudit } from "@/foundation/audit/queries.ts";
import { pathOf } from "@/foundation/file-stores/disk.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { notificationBot } from "@/foundation/users/access.ts";
import { action } from "@/kernel/core/operation.ts";
import { deleteUnlinked, setUploadLimits } from "@/messaging/uploads/actions.ts";
import { scarcerSpace } from "@/messaging/uploads/fullness.ts";
import { listLargestFiles, listSpaceByUser, listUnlinked } from "@/messaging/uploads/queries.ts";
import { file } from "../support/pictures.ts";
import type { Params } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

const daySeconds = 86_400;
const mib = 1_048_576;

async function upload(w: World, name: string, size: number, who: CastName = "mel"): Promise<string> {
  return (await w.as(who).upload("/user_uploads", file(new Uint8Array(size), name))).body.url;
}

describe("get-upload-space", () => {
  test("says what one's own files and all files take up, and may", async () => {
    const w = world();
    await upload(w, "a", 3);
    await upload(w, "b", 5, "max");
    const space = async (who: CastName) => (await w.as(who).get("/attachments/space")).body;
    expect(await space("mel")).toMatchObject({
      own: { used: 3, quota: null },
      organization: { used: 8, quota: null },
    });
    await setUploadLimits(w.ctx("olive"), { upload_quota_mib: 7, upload_quota_per_user_mib: 2 });
    expect(await space("gus")).toMatchObject({
      own: { used: 0, quota: 2 * mib },
      organization: { used: 8, quota: 7 * mib },
    });
    expect((await w.anonymous.get("/attachments/space")).status).toBe(401);
  });

  test.each([
    [79, 79, null],
    [80, 0, { isOwn: true, isLate: false }],
    [80, 81, { isOwn: false, isLate: false }],
    [95, 94, { isOwn: true, isLate: true }],
    [0, 120, { isOwn: false, isLate: true }],
  ])("warns at 80 and 95 percent: own %i, all %i", (own, all, warned) => {
    const found = scarcerSpace({ own: { used: own, quota: 100 }, organization: { used: all, quota: 100 } });
    if (warned === null) expect(found).toBeNull();
    else expect(found).toMatchObject(warned);
  });
});

describe("the owners", () => {
  test("see the largest files, and whose they are; others do not", async () => {
    const w = world();
    await upload(w, "small", 1);
    await upload(w, "large", 9);
    await upload(w, "middle", 5, "max");
    const { id: mel } = w.user("mel");
    const { id: max } = w.user("max");
    const names = (user_id: number | null, count = 9) =>
      listLargestFiles(w.ctx("olive"), { user_id, after: null, max: count }).map(({ name }) => name);
    expect(names(null)).toEqual(["large", "middle", "small"]);
    expect(names(null, 1)).toEqual(["large"]);
    expect(names(mel)).toEqual(["large", "small"]);
    expect(await listSpaceByUser(w.ctx("olive"), 9)).toEqual([
      { user_id: mel, files: 2, bytes: 10 },
      { user_id: max, files: 1, bytes: 5 },
    ]);
    const ada = w.ctx("ada");
    const onlyOwners = "Must be an organization owner";
    expect(() => listLargestFiles(ada, { user_id: null, after: null, max: 1 })).toThrow(onlyOwners);
    expect(() => listSpaceByUser(ada, 1)).toThrow(onlyOwners);
    expect(() => listUnlinked(ada, 0)).toThrow(onlyOwners);
    expect(deleteUnlinked(ada, { ids: [1], until: w.clock.now() })).rejects.toThrow(onlyOwners);
  });

  test("find and delete files that nobody links to: neither a message, nor a draft, nor a scheduled message", async () => {
    const w = world();
    const linked = await upload(w, "linked", 1);
    const drafted = await upload(w, "drafted", 2);
    const scheduled = await upload(w, "scheduled", 3);
    await upload(w, "left", 4);
    await upload(w, "left-too", 5, "max");
    const to = [w.user("max").id];
    await w.as("mel").post("/messages", { type: "direct", to, content: `[a](${linked})` });
    await w.as("mel").post("/drafts", { drafts: [{ type: "private", to, topic: "", content: drafted }] });
    const at = w.clock.now() + 90 * daySeconds;
    await w.as("mel").post("/scheduled_messages", {
      type: "direct",
      to,
      content: scheduled,
      scheduled_delivery_timestamp: at,
    });
    w.clock.advance(40 * daySeconds);
    await upload(w, "new", 6);
    const until = w.clock.now() - 30 * daySeconds;

    const found = await listUnlinked(w.ctx("olive"), until);
    expect(found.map(({ name }) => name)).toEqual(["left", "left-too"]);

    // Linked after it was listed: it stays.
    const [left] = found;
    await w
      .as("mel")
      .post("/messages", { type: "direct", to, content: `[a](/user_uploads/${left?.path_id})` });
    w.events.length = 0;
    const ids = [...found.map(({ id }) => id), 1, 2, 3, 6, 99];
    expect(await deleteUnlinked(w.ctx("olive"), { ids, until })).toEqual({ files: 1, bytes: 5 });
    expect(w.events).toMatchObject([
      {
        audience: ["max"],
        event: { type: "attachment", op: "remove", attachment: { id: 5 }, upload_space_used: 16 },
      },
    ]);
    const [entry] = await listAudit(w.ctx("olive"), { limit: 1 });
    expect(entry).toMatchObject({ event: "unlinked_uploads_deleted", data: { files: 1, bytes: 5 } });
    expect((await w.as("max").get("/attachments")).body.attachments).toEqual([]);
    expect((await w.as("mel").get("/attachments")).body.attachments).toHaveLength(5);
    expect(found.map(({ file }) => existsSync(pathOf(w.app.env, "uploads", file)))).toEqual([true, false]);
    expect(await deleteUnlinked(w.ctx("olive"), { ids, until })).toEqual({ files: 0, bytes: 0 });
  });
});

const addFiles = action(allow.system, (tx, owner: number) =>
  tx.run(
    "WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 530) " +
      "INSERT INTO attachments (id, owner_id, file, path_id, name, size, content_type, uploaded_at) " +
      "SELECT value, ?, printf('%032x', value), printf('1/%032x/a', value), 'a', 0, 'text/plain', 0 FROM n",
    owner,
  ),
);

const sizes = [5, 9, 5, 1, 5];

async function filled(): Promise<World> {
  const w = world();
  for (const [at, size] of sizes.entries()) await upload(w, `f${at}`, size, at === 3 ? "max" : "mel");
  const to = [w.user("max").id];
  const [, { path_id }] = (await w.as("mel").get("/attachments")).body.attachments.toReversed();
  await w.as("mel").post("/messages", { type: "direct", to, content: `[a](/user_uploads/${path_id})` });
  w.clock.advance(40 * daySeconds);
  return w;
}
const names = (files: { name: string }[]) => files.map(({ name }) => name);
const nextPage = (files: { size: number; id: number }[]) => ({
  after_size: files.at(-1)?.size ?? 0,
  after_id: files.at(-1)?.id ?? 0,
});

describe("get-largest-files", () => {
  test("has pages, of everyone and of one user, and says what a message links to", async () => {
    const w = await filled();
    const get = async (params: Params = {}) => (await w.as("olive").get("/attachments/largest", params)).body;
    const { files: first } = await get({ limit: 2 });
    expect(first).toMatchObject([
      { name: "f1", size: 9, owner_id: w.user("mel").id, is_linked: true },
      { name: "f4", size: 5, is_linked: false },
    ]);
    const { files: second } = await get({ limit: 2, ...nextPage(first) });
    expect(names(second)).toEqual(["f2", "f0"]);
    expect(names((await get(nextPage(second))).files)).toEqual(["f3"]);
    expect(names((await get({ user_id: w.user("max").id })).files)).toEqual(["f3"]);
    expect((await get({ user_id: 999 })).files).toEqual([]);
    const half = await w.as("olive").get("/attachments/largest", { after_id: 3 });
    expect(half.body).toMatchObject({
      code: "BAD_REQUEST",
      msg: "Send both after_size and after_id, or neither.",
    });
    expect((await w.as("olive").get("/attachments/largest", { limit: 201 })).status).toBe(400);
  });
});

describe("get-space-of-users", () => {
  test("says whose files take up the most", async () => {
    const w = await filled();
    const { body } = await w.as("olive").get("/attachments/users");
    expect(body.users).toEqual([
      { user_id: w.user("mel").id, files: 4, bytes: 24 },
      { user_id: w.user("max").id, files: 1, bytes: 1 },
    ]);
    expect((await w.as("olive").get("/attachments/users", { limit: 1 })).body.users).toHaveLength(1);
  });
});

describe("get-unlinked-files", () => {
  test("finds what delete-unlinked-files deletes", async () => {
    const w = await filled();
    const get = async (params: Params = {}) =>
      (await w.as("olive").get("/attachments/unlinked", params)).body;
    expect(await get({ older_than_days: 41 })).toMatchObject({ files: 0, bytes: 0, largest: [] });
    const first = await get({ limit: 2 });
    expect(first).toMatchObject({ files: 4, bytes: 16 });
    expect(names(first.largest)).toEqual(["f4", "f2"]);
    const rest = await get({ limit: 2, ...nextPage(first.largest) });
    expect([rest.files, names(rest.largest)]).toEqual([4, ["f0", "f3"]]);

    const remove = (params: Params) => w.as("olive").delete("/attachments/unlinked", params);
    expect((await remove({ older_than_days: 41 })).body).toMatchObject({ files: 0, bytes: 0, last_id: null });
    expect((await remove({ after_id: 2 })).body).toMatchObject({ files: 3, bytes: 11, last_id: null });
    expect((await remove({})).body).toMatchObject({ files: 1, bytes: 5 });
    expect(names((await w.as("olive").get("/attachments/largest")).body.files)).toEqual(["f1"]);
  });
});

describe("delete-unlinked-files", () => {
  test("deletes 500 at once, and says where to go on", async () => {
    const w = world();
    await addFiles(w.app.system, w.user("mel").id);
    const remove = async (after_id: number) =>
      (await w.as("olive").delete("/attachments/unlinked", { after_id })).body;
    expect(await remove(0)).toMatchObject({ files: 500, last_id: 500 });
    expect(await remove(500)).toMatchObject({ files: 30, last_id: null });
  });

  test("is for owners alone, as are the lists", async () => {
    const w = await filled();
    for (const path of ["largest", "users", "unlinked"]) {
      expect((await w.as("ada").get(`/attachments/${path}`)).body.msg).toBe("Must be an organization owner");
      expect((await w.anonymous.get(`/attachments/${path}`)).status).toBe(401);
    }
    const refused = await w.as("ada").delete("/attachments/unlinked");
    expect(refused.body.msg).toBe("Must be an organization owner");
    expect(names((await w.as("olive").get("/attachments/largest")).body.files)).toHaveLength(5);
  });
});

describe("passing 80 and 95 percent of the organization's quota", () => {
  test("tells the owners by a notice and a mail, once for each, and again on another day after there was room", async () => {
    const w = world();
    await setServerOptions(w.app.system, { sends_mail: true });
    await w.as("olive").patch("/settings", { default_language: "de" });
    await setUploadLimits(w.ctx("olive"), { upload_quota_mib: 1 });
    const add = (part: number) => upload(w, "part", Math.ceil(mib * part), "mel");
    const mails = () =>
      w.app.system.db.all<{ recipient: string; subject: string; body: string }>(
        "SELECT recipient, subject, body FROM mails ORDER BY id",
      );
    const notices = () =>
      w.app.system.db
        .all<{ content: string }>(
          "SELECT content FROM messages WHERE content LIKE 'Die Dateien der Organisation%' ORDER BY id",
        )
        .map(({ content }) => content);
    const told = () => [mails().length, notices().length];

    await add(0.79);
    expect(told()).toEqual([0, 0]);
    w.events.length = 0;
    await add(0.02);
    expect(told()).toEqual([1, 1]);
    expect(mails()).toMatchObject([
      { recipient: "olive@example.com", subject: expect.stringMatching(/ belegen 81\s% ihres Platzes$/) },
    ]);
    expect(mails()[0]?.body).toContain("/#organization/files");
    expect(notices()[0]).toMatch(
      / belegen 81\s% .*: 849\skB von 1\sMB\. .*\[Ansehen, was Platz belegt\]\(http/,
    );
    const sent = w.events.filter(({ event }) => event.type === "message").map(({ audience }) => audience);
    expect(sent).toEqual([["olive", notificationBot(w.app.system).id]]);

    await add(0.01);
    expect(told()).toEqual([1, 1]);
    await add(0.14);
    expect(told()).toEqual([2, 2]);
    // A larger quota is enough room, and a smaller one is not: on the same day, that is no news.
    await setUploadLimits(w.ctx("olive"), { upload_quota_mib: 2 });
    await setUploadLimits(w.ctx("olive"), { upload_quota_mib: 1 });
    expect(told()).toEqual([2, 2]);
    const [last] = (await w.as("mel").get("/attachments")).body.attachments;
    w.clock.advance(daySeconds);
    await w.as("mel").delete(`/attachments/${last.id}`);
    expect(told()).toEqual([2, 2]);
    await add(0.14);
    expect(told()).toEqual([3, 3]);
  });

  test("takes an upload that passes both for one, and sends no mail without a mail server", async () => {
    const w = world();
    await setUploadLimits(w.ctx("olive"), { upload_quota_mib: 1 });
    await upload(w, "large", mib - 4096);
    const count = (table: string) =>
      w.app.system.db.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`)?.n;
    const notices = "messages WHERE content LIKE 'The organization’s files take up 99%'";
    expect([count("mails"), count(notices)]).toEqual([0, 1]);
  });
});

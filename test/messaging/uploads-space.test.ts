// What uploaded files take up, and those that nobody links to.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { listAudit } from "@/foundation/audit/queries.ts";
import { pathOf } from "@/foundation/file-stores/disk.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { notificationBot } from "@/foundation/users/access.ts";
import { deleteUnlinked, setUploadLimits } from "@/messaging/uploads/actions.ts";
import { scarcerSpace } from "@/messaging/uploads/fullness.ts";
import { listLargestFiles, listSpaceByUser, listUnlinked } from "@/messaging/uploads/queries.ts";
import { file } from "../support/pictures.ts";
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
      listLargestFiles(w.ctx("olive"), { user_id, max: count }).map(({ name }) => name);
    expect(names(null)).toEqual(["large", "middle", "small"]);
    expect(names(null, 1)).toEqual(["large"]);
    expect(names(mel)).toEqual(["large", "small"]);
    expect(await listSpaceByUser(w.ctx("olive"), 9)).toEqual([
      { user_id: mel, files: 2, bytes: 10 },
      { user_id: max, files: 1, bytes: 5 },
    ]);
    const ada = w.ctx("ada");
    const onlyOwners = "Must be an organization owner";
    expect(() => listLargestFiles(ada, { user_id: null, max: 1 })).toThrow(onlyOwners);
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
    expect(mails()[0]?.body).toContain("/#organization/statistics");
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

// The console next to a node that follows: it reads there, and the node that leads makes its changes. test/cluster/ has real nodes.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSync } from "otplib";
import type { App } from "@/app.ts";
import { listAudit } from "@/foundation/audit/queries.ts";
import { operatorHeader } from "@/foundation/auth/host.ts";
import { takeOperatorToken } from "@/foundation/auth/operator-token.ts";
import { setMailServer } from "@/foundation/mail/host.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { updateRealm } from "@/foundation/realm-administration/actions-changes.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { setRunner } from "@/operations/command-line/host.ts";
import { notRun } from "@/operations/command-line/schema.ts";
import { consoleChange } from "../../cli/commands/console-change.ts";
import { consoleAct, consoleLook } from "../../cli/commands/console-remote.ts";
import { runForRemotePerson } from "../../cli/commands/remote-runner.ts";
import { changes } from "../../console/changes.ts";
import { toLeader } from "../../console/leader.ts";
import { requestBy, type Stage, stage, stageElsewhere } from "../support/console.ts";
import { runJob } from "../support/jobs.ts";
import { type TestNodes, testNodes } from "../support/nodes.ts";
import { png } from "../support/pictures.ts";
import type { Json } from "../support/requests.ts";
import { until } from "../support/waiting.ts";
import { type CastName, type World, world } from "../support/world.ts";

const folder = mkdtempSync(join(tmpdir(), "console-nodes-"));
const picture = join(folder, "party.png");
writeFileSync(picture, png(64, 64));
afterAll(() => rmSync(folder, { recursive: true }));

const token = "a".repeat(64);
const mailServer = { url: "smtp://127.0.0.1:9", from: "noreply@chat.example.com" };

interface Place {
  /** Where changes are made. */
  app: App;
  w: Pick<World, "ctx" | "app" | "user">;
  clock: World["clock"];
  /** Resolves once the console's database has all of them. */
  caughtUp(): Promise<void>;
  runJob(name: string): Promise<unknown>;
}

/** A person at the console, whose client has the name that the console gives it. */
const at = (app: App, user: World["user"]): Place["w"] => ({
  app,
  user,
  ctx: (name) =>
    app.ctx(name === "system" ? app.system.actor : { kind: "user", id: user(name).id, client: "confab" }),
});

function single(): Place {
  const w = world();
  setMailServer(w.app.env, mailServer);
  const { app, clock } = w;
  return { app, w: at(app, w.user), clock, caughtUp: async () => {}, runJob: (name) => runJob(w, name) };
}

interface Nodes extends Place {
  follower: App;
  /** The names of the changes that the leader was asked for. */
  asked: Set<string>;
  /** Sends a request to the leader, as the server of the follower passes one on. */
  request(path: string, init?: RequestInit): Promise<Response>;
}

const opened: TestNodes[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

function nodes(as: CastName | null = null): Nodes {
  const cluster = testNodes(2, { files: join(folder, "files"), site: "https://chat.example.com" });
  opened.push(cluster);
  const [leader, follower] = cluster.nodes as [TestNodes["nodes"][0], TestNodes["nodes"][0]];
  const { app } = leader;
  setMailServer(app.env, mailServer);
  takeOperatorToken(app.system, token);
  const asked = new Set<string>();
  setRunner(app.env, (ctx, line) => {
    asked.add(String(line.given.change));
    return runForRemotePerson([consoleChange], ctx, line);
  });
  const authorization = operatorHeader(token, as && cluster.w.user(as).email);
  return {
    app,
    follower: follower.app,
    w: at(follower.app, cluster.w.user),
    clock: leader.clock,
    asked,
    caughtUp: cluster.caughtUp,
    runJob: (name) => leader.runJob(name),
    async request(path, init) {
      const headers = { authorization, "user-agent": "confab/1" };
      const answer = await app.fetch(new Request(`http://localhost${path}`, { ...init, headers }));
      await cluster.caughtUp();
      return answer;
    },
  };
}

async function as(place: Place, name: CastName, path: string, params: Json = {}): Promise<Json> {
  const { email, key } = place.w.user(name);
  const headers = { authorization: `Basic ${btoa(`${email}:${key}`)}` };
  const texts = Object.entries(params).map(([key, value]): [string, string] => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const init = { method: "POST", headers, body: new URLSearchParams(texts) };
  const answer = await place.app.fetch(new Request(`http://localhost/api/v1${path}`, init));
  const body = (await answer.json()) as Json;
  expect({ path, status: answer.status, body }).toMatchObject({ status: 200 });
  await place.caughtUp();
  return body;
}

/** Something to act on in each screen. */
async function fill(place: Place): Promise<void> {
  await setServerOptions(place.app.system, { sends_mail: true });
  const [olive, max] = [place.w.user("olive").id, place.w.user("max").id];
  await as(place, "olive", "/channels/create", { name: "tea", subscribers: [olive, max] });
  const hidden = { name: "moderation", subscribers: [olive], invite_only: true };
  const { id } = await as(place, "olive", "/channels/create", hidden);
  await updateRealm(place.app.ctx({ kind: "user", id: olive, client: "test" }), {
    moderation_request_channel_id: id,
  });
  const sent = await as(place, "max", "/messages", {
    type: "channel",
    to: "tea",
    topic: "pills",
    content: "Buy pills",
  });
  await as(place, "mel", `/messages/${sent.id}/report`, { report_type: "spam", description: "Again" });
  const hook = {
    full_name: "Answers",
    short_name: "answers",
    bot_type: 3,
    payload_url: "https://a.example.com",
  };
  const bot = await as(place, "olive", "/bots", hook);
  await as(place, "olive", "/messages", { type: "direct", to: [bot.user_id], content: "Are you there?" });
  const form = new FormData();
  form.append("file", new File(["left"], "left.txt"));
  const mel = place.w.user("mel");
  const headers = { authorization: `Basic ${btoa(`${mel.email}:${mel.key}`)}` };
  const upload = new Request("http://localhost/api/v1/user_uploads", { method: "POST", headers, body: form });
  expect((await place.app.fetch(upload)).status).toBe(200);
  await as(place, "olive", "/invites", { invitee_emails: "mona@example.com", stream_ids: [] });
  const { secret } = await as(place, "mel", "/users/me/two_step");
  const code = generateSync({ secret, epoch: place.clock.now() });
  await as(place, "mel", "/users/me/two_step/confirm", { code });
}

type Step = readonly [keys: readonly string[], said: string];
const only = (text: string) => ["/", "\x15", text, "enter"];

const tour: readonly Step[] = [
  [["2", "n", "zed@example.com", "tab", "Zed Zimmer", "save"], "Added Zed Zimmer."],
  [["enter", ...only("zed"), "e", "right", "save"], "Changed the account of Zed Zimmer."],
  [["u"], "Undone: Changed the account of Zed Zimmer."],
  [["p", "correct horse battery", "save"], "Zed Zimmer has a new password."],
  [["l"], "Zed Zimmer chooses a new password"],
  [["enter", "a", "y"], "Zed Zimmer has a new API key."],
  [["enter", "d", "y"], "Zed Zimmer is deactivated."],
  [["u"], "Undone: Zed Zimmer is deactivated."],
  [[...only("mel@"), "t", "y"], "Two-step sign-in is off for Mel."],
  [["S", ...only("zed"), "x", "y"], "Ended 0 sessions of Zed Zimmer."],
  [["d", "y"], "The key of Zed Zimmer has ended."],
  [["2", ...only("zed"), "x", "right", "save"], "To go on, save again."],
  [["save"], "Erased the person with the ID"],
  [[...only("mel@"), "x", "left", "save"], "To go on, save again."],
  [["save"], "Deleted all that Mel had sent."],
  [["3", "n", "Builder", "tab", "build", "tab", "olive@example.com", "save"], "Added the bot Builder."],
  [["enter", ...only("builder"), "e", "2", "save"], "Changed the bot Builder2."],

  [["6", "n", "design", "tab", "How things look", "save"], "Created the channel design."],
  [[...only("design"), "e", "s", "save"], "Changed the channel designs."],
  [["t"], "New users will be subscribed to designs."],
  [["s", "mel@example.com", "save"], "Done: subscribed in designs."],
  [["u"], "Undone: Done: subscribed in designs."],
  [["d", "y"], "designs is archived."],
  [["u"], "Undone: designs is archived."],
  [["C", "n", "newcomers", "tab", "For all", "save"], "Created the group newcomers."],
  [["s", "tea", "save"], "Added them to newcomers."],
  [["e", "2", "save"], "Changed the group newcomers2."],
  [["d", "y"], "Removed the group newcomers2."],
  [["u"], "Undone: Removed the group newcomers2."],
  [["8", "n", "Projects", "tab", "What we build", "save"], "Created the folder Projects."],
  [["n", "Others", "save"], "Created the folder Others."],
  [[...only("others"), "K"], "Moved up."],
  [["d", "y"], "Others is archived."],
  [["7", "n", "tea", "tab", "sugar", "tab", "Two sugars", "save"], "The message is sent."],
  [[...only("sugars"), "e", "!", "save"], "The message is changed."],
  [["r"], "The topic sugar is resolved."],
  [["d", "y"], "The message is deleted."],
  [["R", "h", "Talked", "save"], "Marked as handled."],
  [["u"], "Undone: Marked as handled."],

  [["4", "n", "writers", "tab", "Who write", "tab", "mel@example.com", "save"], "Created the group writers."],
  [[...only("writers"), "e", "2", "save"], "Changed the group writers2."],
  [["s", "max@example.com", "save"], "Added them to writers2."],
  [["d", "y"], "The group writers2 is deactivated."],
  [["u"], "Undone: The group writers2 is deactivated."],
  [["5", "n", "zoe@example.com", "save"], "Invited zoe@example.com."],
  [[...only("zoe"), "s"], "Sent the invitation for zoe@example.com again."],
  [["d", "y"], "Revoked the invitation for zoe@example.com."],
  [["n", "save"], "Created the link."],
  [["enter", "F", "n", "tab", "Team", "tab", "Where", "save"], "Added the field Team."],
  [["n", "tab", "Desk", "save"], "Added the field Desk."],
  [[...only("desk"), "K"], "Moved up."],
  [["e", "s", "save"], "Changed the field Desks."],
  [["d", "y"], "Removed the field Desks."],

  [["P", "n", "T-(?P<id>\\d+)", "tab", "https://example.com/{id}", "save"], "Added the linkifier T-"],
  [["n", "U-(?P<id>\\d+)", "tab", "https://example.com/{id}", "save"], "Added the linkifier U-"],
  [[...only("U-"), "K"], "Moved up."],
  [["e", "tab", "/", "save"], "Changed the linkifier U-"],
  [["d", "y"], "Removed the linkifier U-"],
  [["u"], "Undone: Removed the linkifier U-"],
  [["9", ...only("organization name"), "e", "!", "save"], "Changed name."],
  [["0", ...only("24-hour"), "e", "right", "save"], "Changed the default of"],
  [["T", "e", "\x15", "90 days", "tab", "right", "right", "save"], "Changed how long messages are kept."],
  [["D", "n", "example.org", "save"], "Added the domain example.org."],
  [["e", "right", "save"], "Changed the domain example.org."],
  [["d", "y"], "Removed the domain example.org."],
  [["u"], "Undone: Removed the domain example.org."],
  [["I", "n", "party", "tab", picture, "save"], "Added :party:"],
  [[...only("party"), "d", "y"], ":party: is deactivated."],
  [[...only("icon"), "e", picture, "save"], "The organization has a new icon."],
  [["x", "y"], "is now the default one."],
  [["Q", ...only("mona"), "t"], "The running server tries the mail to mona@example.com again now."],
  [["d", "y"], "Discarded the mail to mona@example.com."],
  [["W", "t"], "The running server calls Answers again now."],
  [["d", "y"], "Discarded the call of Answers."],
  [["U", ...only("left.txt"), "d", "y"], "left.txt is deleted."],
  [["X", "n", "save"], "The export has been requested."],
];

/** Takes the whole tour, and returns what the audit log says afterwards. */
async function taken(place: Place, { press, sees }: Pick<Stage, "press" | "sees">, steps = tour) {
  for (const [keys, said] of steps) {
    await press(...keys);
    await sees(said);
  }
  await place.runJob("write-exports");
  await place.caughtUp();
  await sees("delete its file");
  await press("d", "y");
  await sees("The file is deleted.");
  const asOwner = (app: App): Ctx => app.ctx({ kind: "user", id: place.w.user("olive").id, client: "test" });
  return listAudit(asOwner(place.app), { limit: 1000 }).map(({ at: _, ...entry }) => entry);
}

/** The audit log after the tour at one server's machine, to which the others are compared. */
let atTheMachine: ReturnType<typeof taken> | undefined;
function takenAtTheMachine(): ReturnType<typeof taken> {
  const take = async () => {
    const alone = single();
    await fill(alone);
    return taken(alone, stage(alone.w, "olive", { columns: 140, rows: 40, forwarder: null }));
  };
  atTheMachine ??= take();
  return atTheMachine;
}

/** What only the operator does, at the server's machine: it opens other people's accounts. */
const ofMachine = /has a new password|chooses a new password|has a new API key/;
const isOfMachine = (event: string) => /_(password_set|reset_link_made|key_replaced)$/.test(event);

describe("the console by a profile", () => {
  test("makes every change that is offered there, and leaves the same audit log as at the machine, with the commands", async () => {
    const all = await takenAtTheMachine();
    const there = single();
    await fill(there);
    setRunner(there.app.env, (ctx, line) => runForRemotePerson([consoleLook, consoleAct], ctx, line));
    const { controller, press, sees } = await stageElsewhere(requestBy(there.app, there.w.user("olive")), {
      columns: 140,
      rows: 40,
    });
    /** Waits for the first rows of a screen before the next key. */
    const patient = async (...keys: string[]) => {
      for (const key of keys) {
        await press(key);
        await until(() => controller.state.coming?.total !== null, "the first rows have come");
      }
    };
    const steps = tour.flatMap(([keys, said], i): Step[] => {
      if (ofMachine.test(said)) return [];
      // The step before would have shown a key or a link, which Enter closes.
      const closes = ofMachine.test(tour[i - 1]?.[1] ?? "") && keys[0] === "enter";
      return [[closes ? keys.slice(1) : keys, said]];
    });
    const found = await taken(there, { press: patient, sees }, steps);
    const commands = found.filter(({ event }) => event === "command_run");
    expect(commands.length).toBeGreaterThan(60);
    const bare = (entries: typeof found) =>
      entries
        .filter(({ event }) => event !== "command_run" && !isOfMachine(event))
        .map(({ id: _, ...rest }) => rest);
    expect(bare(found)).toEqual(bare(all));
  });
});

describe("the console next to a node that follows", () => {
  test("has the leader make every change, shows it at once, and leaves the same audit log as next to one server", async () => {
    const wanted = await takenAtTheMachine();
    const there = nodes();
    await fill(there);
    const forwarder = toLeader(there.request);
    const found = await taken(there, stage(there.w, "olive", { columns: 140, rows: 40, forwarder }));
    expect(found).toEqual(wanted);
    expect([...there.asked].sort()).toEqual([...changes.keys()].sort());
    for (const table of ["users", "channels", "linkifiers", "settings", "audit_log"])
      expect(there.follower.env.db.all(`SELECT * FROM ${table}`)).toEqual(
        there.app.env.db.all(`SELECT * FROM ${table}`),
      );
  });

  test("lets nobody do more than they may themselves, and says in the leader's words what is wrong", async () => {
    const there = nodes("mel");
    const mels = stage(there.w, "mel", { forwarder: toLeader(there.request) });
    await mels.press("8", "n", "Projects", "save");
    await mels.sees("Must be an organization administrator");

    const owned = nodes();
    const { press, sees } = stage(owned.w, "olive", { forwarder: toLeader(owned.request) });
    await press("8", "n", "Projects", "save");
    await sees("Created the folder Projects.");
    await press("n", "Projects", "save");
    await sees("Channel folder name already in use");
    await press("esc", "5", "n", "mel@example.com, new@example.com", "save");
    await sees(/All others have been\. mel@example\.com:[\s\S]*Already/);
  });

  test("changes nothing and says what to do while nobody leads, no server runs, or it does not answer", async () => {
    const { w, app, request } = nodes();
    const notNow = {
      result: "error",
      code: "SERVER_NOT_READY",
      msg: "The server could not save this just now.",
    };
    const unsure = { ...notNow, msg: "The server could not confirm that this was saved." };
    let answering: () => Promise<Response | null> = async () => null;
    const { press, sees } = stage(w, "olive", { forwarder: toLeader(() => answering()) });
    const refused = async (answer: typeof answering, said: string) => {
      answering = answer;
      await press("8", "n", "Projects", "save");
      await sees(said);
      await press("esc");
    };
    const refusal = (body: Json, headers: Record<string, string> = {}, status = 503) =>
      Promise.resolve(Response.json(body, { status, headers }));
    await refused(async () => null, "Nothing was changed: this node's server does not run.");
    await refused(
      () => refusal(notNow, { "retry-after": "1" }),
      "Nothing was changed: no node can save now.",
    );
    await refused(() => refusal(unsure), "The server could not confirm that this was saved.");
    const gone = Object.assign(new Error("Unable to connect."), { code: "ConnectionRefused" });
    await refused(() => Promise.reject(gone), "Nothing was changed: this node's server does not answer.");
    await refused(
      () => Promise.reject(new Error("The socket was closed.")),
      "look whether the change was made",
    );
    const older = { code: "BAD_REQUEST", msg: notRun("console change") };
    await refused(() => refusal(older, {}, 400), "the leader's Confab is too old for this");
    expect(app.env.db.all("SELECT * FROM channel_folders")).toEqual([]);

    // More at once than the limit of requests allows.
    const busy = { code: "RATE_LIMIT_HIT", msg: "API usage exceeded rate limit." };
    let asked = 0;
    answering = () =>
      ++asked === 1
        ? refusal(busy, { "x-ratelimit-remaining": "0", "retry-after": "1" }, 429)
        : request("/api/v1/command", {
            method: "POST",
            body: new URLSearchParams({
              command: "console change",
              given: JSON.stringify({ change: "createFolder" }),
              input: JSON.stringify({ name: "Projects", description: "" }),
            }),
          });
    await press("8", "n", "Projects", "save");
    await sees("Created the folder Projects.");
    expect(asked).toBe(2);
  });

  test("waits for an answer no longer than it should, and does not say that nothing was changed", async () => {
    const { w } = nodes();
    const asked: AbortSignal[] = [];
    const silent = (_: string, { signal }: RequestInit = {}) =>
      new Promise<never>((_, reject) => {
        asked.push(signal as AbortSignal);
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
    const { press, sees } = stage(w, "olive", { forwarder: toLeader(silent, { answerMs: 50 }) });
    await press("8", "n", "Projects", "save");
    await sees("No answer yet: look whether the change was made before you try again.");
    expect(asked.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test("is the operator's alone; the leader checks what it is sent, and knows which changes there are", async () => {
    const { app, w, request } = nodes();
    const send = async (change: string, input: string, header?: string) => {
      const init = {
        method: "POST",
        body: new URLSearchParams({ command: "console change", given: JSON.stringify({ change }), input }),
      };
      const answer = header
        ? await app.fetch(
            new Request("http://localhost/api/v1/command", { ...init, headers: { authorization: header } }),
          )
        : await request("/api/v1/command", init);
      return { status: answer.status, msg: ((await answer.json()) as Json).msg as string };
    };
    const folder = JSON.stringify({ name: "Projects", description: "" });
    const { email, key } = w.user("olive");
    const own = await send("createFolder", folder, `Basic ${btoa(`${email}:${key}`)}`);
    expect(own).toEqual({ status: 400, msg: notRun("console change") });
    expect((await send("createFolder", folder, operatorHeader("b".repeat(64), null))).status).toBe(401);

    const wrong: [string, string, string][] = [
      ["noSuchChange", "{}", "does not know this change (noSuchChange)"],
      ["toString", "{}", "does not know this change (toString)"],
      ["createFolder", "{", "not valid JSON"],
      ["createFolder", "{}", "name is not a string."],
      [
        "createFolder",
        JSON.stringify({ name: "Projects", description: "", colour: "red" }),
        "an unknown key: colour",
      ],
      ["createFolder", JSON.stringify({ name: "x".repeat(61), description: "" }), "at most 60 characters"],
      ["deactivateUser", '"1"', "deactivateUser is not a number."],
      ["updateRealm", JSON.stringify({ site: "https://evil.example.com" }), "an unknown key: site"],
      ["addEmoji", JSON.stringify({ name: "party" }), "without the file"],
    ];
    for (const [change, input, said] of wrong) {
      const { status, msg } = await send(change, input);
      expect({ change, input, status, msg }).toEqual({
        change,
        input,
        status: 400,
        msg: expect.stringContaining(said),
      });
    }
    expect(app.env.db.all("SELECT * FROM channel_folders")).toEqual([]);
    expect((await send("createFolder", folder)).status).toBe(200);
  });
});

// Other processes that use the server's folder: commands, whose changes the next request sees, and programs that lock the
// database.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { open } from "@/app.ts";
import { updateRealm } from "@/foundation/realm-administration/actions-changes.ts";
import {
  type Credentials,
  call,
  cleanUp,
  confab,
  json,
  newFolder,
  newOrganization,
  type Server,
  serve,
} from "../support/executable.ts";
import { temporaryFolders } from "../support/folder.ts";
import { hold } from "../support/locks.ts";
import { basic, type Json, type Method, type Params, requestOf } from "../support/requests.ts";
import { world } from "../support/world.ts";

/** Longer than a connection waits for a lock. */
const heldMs = 6_000;

let seed: string;
let olive: Credentials;
const newPlace = temporaryFolders();

beforeAll(async () => {
  seed = newFolder();
  olive = (await newOrganization(seed)).owner;
});
afterEach(() => cleanUp(seed));
afterAll(() => cleanUp());

describe("the request after a command", () => {
  test("sees its changes, and their events come before those of the server's next write", async () => {
    const folder = newPlace();
    const { app, user } = world();
    await Bun.write(join(folder, "confab.db"), app.env.db.sqlite.serialize());
    const [server, command] = [open(folder, { hosting: true }), open(folder)];
    const { id, email, key } = user("olive");
    const headers = { authorization: basic(email, key) };
    const ask = async (method: Method, path: string, params?: Params): Promise<Json> => {
      const request = requestOf(`http://confab.test/api/v1${path}`, method, { params, headers });
      return (await server.fetch(request)).json();
    };
    const { queue_id } = await ask("POST", "/register", { event_types: ["realm"] });
    const rename = (name: string) =>
      updateRealm(command.ctx({ kind: "user", id, client: "confab" }), { name });
    for (const name of ["One", "Two"]) {
      await rename(name);
      expect((await ask("GET", "/server_settings")).realm_name).toBe(name);
    }
    await rename("Three");
    await ask("PATCH", "/realm", { name: "Four" });
    const { events } = await ask("GET", "/events", { queue_id, last_event_id: -1, dont_block: true });
    expect(events.map(({ value, data }: Json) => value ?? data?.name)).toEqual([
      "One",
      "Two",
      "Three",
      "Four",
    ]);
    await command.close();
    await server.close();
  });

  test("sees it with the executable, too", async () => {
    const data = newFolder(seed);
    const server = await serve(data);
    for (let n = 0; n < 5; n++) {
      await json(["realm", "set", "name", `Crew ${n}`, "--data", data]);
      const { body } = await call(server, olive, ["GET", "/server_settings"]);
      expect(body.realm_name).toBe(`Crew ${n}`);
    }
  });
});

describe("while another program holds the write lock", () => {
  /** So many are answered, none of which could be if it waited for the lock. */
  async function read(server: Server, rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      for (const path of ["/health", "/api/v1/users", "/api/v1/server_settings"]) {
        const { status } = await fetch(server.url + path, {
          headers: { authorization: basic(olive.email, olive.api_key) },
        });
        expect(status).toBe(200);
      }
    }
  }

  test("reads and polls continue; writes wait, also in other processes, and succeed afterwards", async () => {
    const data = newFolder(seed);
    const server = await serve(data);
    const { body: state } = await call(server, olive, ["POST", "/register"], {});
    const queue = { queue_id: String(state.queue_id), last_event_id: String(state.last_event_id) };
    const { body: me } = await call(server, olive, ["GET", "/users/me"], {});
    const lock = await hold(data);
    const settled: string[] = [];
    const note = (what: string) => () => settled.push(what);
    const message = { type: "direct", to: JSON.stringify([me.user_id]), content: "patience" };
    const sent = call(server, olive, ["POST", "/messages"], message).finally(note("send"));
    const command = confab(["realm", "set", "name", "Patient", "--data", data]).finally(note("command"));
    const poll = call(server, olive, ["GET", "/events"], queue).finally(note("poll"));
    await Promise.all([read(server, 10), Bun.sleep(heldMs)]);
    expect(settled).toEqual([]);
    await lock.release();
    expect(await command).toMatchObject({ status: 0, stderr: "" });
    expect((await sent).status).toBe(200);
    expect((await poll).status).toBe(200);
  });

  test("a server starts, and a stopping one finishes waiting writes", async () => {
    const data = newFolder(seed);
    const lock = await hold(data);
    const starting = serve(data);
    await Bun.sleep(1_000);
    await lock.release();
    const server = await starting;

    const again = await hold(data);
    const { body: me } = await call(server, olive, ["GET", "/users/me"], {});
    const message = { type: "direct", to: JSON.stringify([me.user_id]), content: "the last word" };
    const sent = call(server, olive, ["POST", "/messages"], message);
    await Bun.sleep(200);
    const stopped = server.end("SIGTERM");
    await Bun.sleep(300);
    await again.release();
    expect([(await sent).status, await stopped]).toEqual([200, 0]);
  });
});

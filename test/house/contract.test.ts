// Compares declared endpoints and events with the documented ones: nothing missing, extra or untested.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { domains } from "@/domains.ts";
import { versionFields } from "@/foundation/realm/schema.ts";
import { listEventTypes } from "@/kernel/core/events.ts";
import { endpointShapes, eventShapes, listFormsOfEarlierLevels, registerFields } from "../support/shapes.ts";
import { world } from "../support/world.ts";

const tests = join(import.meta.dir, "..");
const endpoints = domains.flatMap((domain) => domain.endpoints ?? []);
const ids = endpoints.map(({ id }) => id).sort();
const documented = new Map(
  Object.entries(endpointShapes()).map(([key, shape]) => [shape.operationId, { key, ...shape }]),
);

/** The others are our own: files and pages that are only reached by links, the operator's endpoints, old paths. */
const inCommon = endpoints.filter(({ id }) => documented.has(id));

/** The operation IDs in the table "Not offered" of src/README.md. */
async function declined(): Promise<string[]> {
  const text = await Bun.file(new URL("../../src/README.md", import.meta.url)).text();
  const section = text.split("\n## Not offered\n")[1]?.split("\n## ")[0] ?? "";
  const cells = section.split("\n").filter((line) => line.startsWith("| `"));
  return cells.flatMap((line) =>
    [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, id = ""]) => id),
  );
}

describe("endpoints", () => {
  test("that are documented exist, except those that src/README.md lists with a reason", async () => {
    const no = await declined();
    expect(no.length).toBeGreaterThan(0);
    expect(no.filter((id) => ids.includes(id) || !documented.has(id))).toEqual([]);
    const known = new Set([...ids, ...no]);
    expect([...documented.keys()].filter((id) => !known.has(id))).toEqual([]);
  });

  const skeleton = (path: string) => path.replaceAll(/\{\w+(:[^}]+)?\}/g, "{}");

  test("that only we have use no documented method and path", () => {
    const taken = new Set([...documented.values()].map(({ key }) => skeleton(key)));
    const alone = endpoints.filter((endpoint) => !inCommon.includes(endpoint));
    expect(alone.length).toBeGreaterThan(0);
    const found = alone.filter(({ method, path, root }) => !root && taken.has(`${method} ${skeleton(path)}`));
    expect(found.map(({ id }) => id)).toEqual([]);
  });

  test("have the documented method and path", () => {
    const declared = inCommon.map(({ id, method, path }) => [id, `${method} ${skeleton(path)}`]);
    const wanted = inCommon.map(({ id }) => [id, skeleton(documented.get(id)?.key ?? "not documented")]);
    expect(declared).toEqual(wanted);
  });

  test("accept no undocumented parameter", () => {
    const unknown = inCommon.flatMap(({ id, params }) => {
      const known = new Set(documented.get(id)?.params.map(({ name }) => name));
      const inPath = (name: string) =>
        endpoints.some((one) => one.id === id && one.path.includes(`{${name}`));
      return Object.keys(params).flatMap((name) =>
        known.has(name) || inPath(name) ? [] : [`${id}: ${name}`],
      );
    });
    expect(unknown, "document them in test/support/shapes.json").toEqual([]);
  });

  test("require no parameter that clients may leave out", () => {
    const needed = inCommon.flatMap(({ id, params }) => {
      const shapes = new Map(documented.get(id)?.params.map((shape) => [shape.name, shape]));
      return Object.entries(params).flatMap(([name, rule]) => {
        const mayBeAbsent = shapes.get(name)?.required === false;
        return mayBeAbsent && !rule.safeParse(undefined).success ? [`${id}: ${name}`] : [];
      });
    });
    expect(needed).toEqual([]);
  });

  test("that need a user answer 401 to anonymous requests", async () => {
    const { anonymous } = world();
    // Public ones depend on the organization's settings, which do not allow it here.
    const closed = endpoints.filter(({ auth }) => auth !== "none");
    const answers = closed.map(async ({ id, method, path, root }) => {
      const asked = path
        .replaceAll(/\{email(:[^}]+)?\}/g, "mel@example.com")
        .replaceAll(/\{\w+(:[^}]+)?\}/g, "1");
      const response = await anonymous.request((root ? "" : "/api/v1") + asked, { method });
      const { result, code } = (await response.json()) as { result: string; code: string };
      return [id, response.status, result, code, response.headers.has("www-authenticate")];
    });
    expect(await Promise.all(answers)).toEqual(
      closed.map(({ id }) => [id, 401, "error", "UNAUTHORIZED", true]),
    );
  });

  test("have tests under their operation ID", async () => {
    const files = [...new Glob("**/*.test.ts").scanSync(tests)];
    const texts = await Promise.all(files.map((file) => Bun.file(`${tests}/${file}`).text()));
    const all = texts.join("\n");
    const untested = ids.filter((id) => !all.includes(`describe("${id}"`));
    expect(untested, 'write describe("<operation ID>") in the test of their noun').toEqual([]);
  });
});

describe("events", () => {
  test("are documented ones, so that typed clients read them", () => {
    const known = new Set(eventShapes().map(({ type, op }) => (op === null ? type : `${type}/${op}`)));
    const declared = listEventTypes().map(({ key }) => key);
    const unknown = declared.filter((key) => !known.has(key) && !key.startsWith("test_"));
    expect(unknown, "document them in test/support/shapes.json").toEqual([]);
    expect(declared).toContain("realm_user/add");
  });

  test("of our own go to no client that asks for everything, since typed ones would end at them", () => {
    const ours = eventShapes().filter(({ audience }) => audience === "ours");
    expect(ours.length).toBeGreaterThan(0);
    const everything = { userId: 1, types: null, taps: new Set<string>(), options: {} };
    const capabilities = new Set(["user_settings_object", "archived_channels", "empty_topic_name"]);
    const sent = listEventTypes().filter(
      ({ type, accepts }) =>
        ours.some((one) => one.type === type) && (accepts?.({}, { ...everything, capabilities }) ?? true),
    );
    expect(sent.map(({ key }) => key)).toEqual([]);
  });
});

test("the initial state has few fields of our own, which clients that do not know them pass over", () => {
  const ours = Object.entries(registerFields()).filter(([, field]) => field.ours);
  expect(ours.map(([name]) => name)).toEqual([
    // The reference shows pictures of all links alike; here, those are fetched from other sites only where this is on.
    "realm_linked_image_preview",
    // Whether the browser client may turn the second step of signing in off.
    "realm_two_step_required",
  ]);
});

describe("feature levels", () => {
  /** Levels under which nothing changed: kept free for maintenance releases, and the one after which the numbers went on. */
  const unused = [422, 423, 424, 425];

  test("from 422 to the reported one each have a test by their number", async () => {
    const text = await Bun.file(`${tests}/server/levels.test.ts`).text();
    const titles = [...text.matchAll(/^describe\("([^"]+)"/gm)].map(([, title = ""]) => title);
    const tested = new Set(titles.flatMap((title) => title.match(/\d{3}/g) ?? []).map(Number));
    const reported = Array.from({ length: versionFields.zulip_feature_level - 421 }, (_, i) => 422 + i);
    expect(reported.filter((level) => !tested.has(level))).toEqual(unused);
  });

  /** All other answers and events have the form of the newest level; world.ts compares those of every test. */
  const kept = {
    "226: subscription.email_address": "a client of today ends without it; it alone gets it",
    "439: event update_display_settings":
      "the specification names it; only clients without user_settings_object get it",
    "439: event update_global_notifications": "as update_display_settings",
    "443: attachment.create_time": "the specification has milliseconds, and one field cannot be in two units",
    "472: attachment.messages": "the specification has it; the newer message_ids stands next to it",
    "484: event reaction/add.user": "clients of today read it; the newer user_id stands next to it",
    "484: event reaction/remove.user": "as in reaction/add",
    "484: reaction.user": "as in the events",
    "487: GET /users/{user_id_or_email}/presence.presence":
      "typed clients read one entry for each kind of client; both forms in one object would break them",
  };

  test("have their forms in the contract, except what keeps an earlier one for a reason", async () => {
    expect(listFormsOfEarlierLevels()).toEqual(Object.keys(kept));
    const decision = await Bun.file(`${tests}/../docs/decisions/feature-levels.md`).text();
    const levels = Object.keys(kept).map((one) => one.split(":")[0]);
    expect(levels.filter((level) => !decision.includes(`| ${level} |`))).toEqual([]);
  });
});

// What a failure of the wire contract says: the file to change, and the difference.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020";
import { domains } from "@/domains.ts";
import { listEventTypes } from "@/kernel/core/events.ts";
import { fileOfEndpoint, fileOfEvent, filesOfField } from "../support/declarations.ts";
import {
  endpointShapes,
  eventShapes,
  expectEvent,
  expectRegister,
  expectResponse,
  registerFields,
} from "../support/shapes.ts";
import { world } from "../support/world.ts";

const root = join(import.meta.dir, "..", "..");

function complaintOf(check: () => void): string {
  try {
    check();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("It was taken.");
}

const folder = {
  id: 1,
  name: "Ops",
  description: "",
  rendered_description: "",
  date_created: 1,
  creator_id: 9,
  is_archived: false,
  order: 0,
};

describe("an answer that breaks the wire contract", () => {
  const answer = (...folders: object[]) => ({ result: "success", msg: "", channel_folders: folders });
  const complaint = (...folders: object[]) =>
    complaintOf(() => expectResponse("GET /channel_folders", answer(...folders)));

  test("names the file that declares the endpoint, and prints the differences alone", () => {
    expectResponse("GET /channel_folders", answer(folder));
    const { name: _, id: __, ...less } = folder;
    expect(complaint(folder, { ...folder, name: 7, colour: "red" }, { ...less, order: "first" })).toBe(
      [
        "GET /channel_folders breaks the wire contract; see src/places/folders/api.ts:",
        '  channel_folders.1: has the undocumented colour, "red"',
        "  channel_folders.1.name: found 7, expected string",
        "  channel_folders.2: lacks id, name",
        '  channel_folders.2.order: found "first", expected integer',
      ].join("\n"),
    );
  });

  test("shortens what was found", () => {
    const message = complaint({ ...folder, id: "x".repeat(5_000) }, { ...folder, extra: "y".repeat(5_000) });
    expect(message).toContain("channel_folders.0.id: found");
    expect(message.length).toBeLessThan(500);
  });

  test("lists the values and types that are allowed", () => {
    const of = (body: object) =>
      complaintOf(() => expectResponse("GET /channel_folders", { ...answer(), ...body }));
    expect(of({ result: "fine" })).toEndWith(':\n  result: found "fine", expected "success"');
    expect(of({ channel_folders: null })).toEndWith(":\n  channel_folders: found null, expected array");
    expect(complaint({ ...folder, creator_id: "olive" })).toEndWith(
      ':\n  channel_folders.0.creator_id: found "olive", expected integer or null',
    );
  });

  test("is found by the request as it was sent", async () => {
    const { body } = await world().as("olive").get("/channel_folders");
    expectResponse("GET /channel_folders?include_archived=true", body);
  });
});

describe("an event that breaks the wire contract", () => {
  test("names the file that declares the event, and prints the differences alone", () => {
    const event = { type: "channel_folder", op: "add", channel_folder: folder };
    expectEvent(event);
    expect(complaintOf(() => expectEvent({ ...event, channel_folder: { ...folder, name: null } }))).toBe(
      "event channel_folder/add breaks the wire contract; see src/places/folders/schema.ts:\n" +
        "  channel_folder.name: found null, expected string",
    );
  });

  test("is compared with the nearest of its variants", () => {
    const shapes = eventShapes();
    const several = shapes.find(
      (one) => shapes.filter(({ type, op }) => type === one.type && op === one.op).length > 1,
    )!;
    const event = { type: several.type, ...(several.op === null ? {} : { op: several.op }), colour: "red" };
    const message = complaintOf(() => expectEvent(event));
    expect(message.match(/variant/g)).toHaveLength(1);
    expect(message).toMatch(/has the undocumented colour, "red"/);
  });
});

test("an event or a field that is not documented names the file that documents them", () => {
  expect(complaintOf(() => expectEvent({ type: "drafts", op: "paint" }))).toBe(
    "No event drafts/paint is documented: typed clients would refuse the batch. " +
      "It is declared in src/personal/drafts/schema.ts; document it in test/support/shapes.json.",
  );
  expect(
    complaintOf(() => expectRegister({ saved_snippets: [], colour: "red" }, ["saved_snippets"])),
  ).toContain(", test/support/shapes.json:\n  (top): ");
});

test("a state that breaks the wire contract names the files of the fields", () => {
  const message = complaintOf(() =>
    expectRegister({ drafts: 7, colour: "red" }, ["drafts", "saved_snippets"]),
  );
  expect(message).toContain("breaks the wire contract; see ");
  for (const file of ["personal/drafts", "personal/saved-snippets", "outside/events"])
    expect(message).toContain(`src/${file}/api.ts`);
  expect(message).toContain("\n  drafts: found 7, expected array");
  expect(message).toMatch(/\(top\): lacks .*saved_snippets.*; has the undocumented colour, "red"/);
});

describe("the files", () => {
  test("of all endpoints, events and fields are found", () => {
    const endpoints = domains.flatMap((domain) => domain.endpoints ?? []);
    const paths = endpoints.map(({ id }) => fileOfEndpoint(id));
    expect(endpoints.filter((_, i) => !paths[i]).map(({ id }) => id)).toEqual([]);
    const keys = listEventTypes().map(({ key }) => key);
    const events = keys.filter((key) => !key.startsWith("test_"));
    const declared = events.map((key) => fileOfEvent(key.split("/")[0]!, key.split("/")[1] ?? null));
    expect(events.filter((_, i) => !declared[i])).toEqual([]);
    expect(declared.filter((path) => path && !existsSync(join(root, path)))).toEqual([]);
    const fields = Object.entries(registerFields());
    expect(fields.filter(([, { types }]) => filesOfField(types).length === 0).map(([name]) => name)).toEqual(
      [],
    );
  });
});

test("all schemas of the contract are valid", () => {
  const ajv = new Ajv2020({ strict: false });
  const schemas = [
    ...Object.values(endpointShapes()).flatMap(({ response }) => (response ? [response] : [])),
    ...eventShapes().map(({ schema }) => schema),
    ...Object.values(registerFields()).map(({ schema }) => schema),
  ];
  expect(schemas.length).toBeGreaterThan(400);
  expect(schemas.filter((schema) => ajv.validateSchema(schema) !== true)).toEqual([]);
});

// `user import` of a whole university.
import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "../support/command-line.ts";
import { call, cleanUp, newFolder, newOrganization, serve } from "../support/executable.ts";

afterAll(() => cleanUp());

test("user import adds 10,000 people while a server runs, or nobody for one wrong line", async () => {
  const { data, owner } = await newOrganization();
  const { text, refused } = commandLine(() => data);
  const csv = (lines: readonly string[]) => {
    const file = join(newFolder(), "people.csv");
    writeFileSync(file, ["email,name", ...lines].join("\n"));
    return file;
  };
  const server = await serve(data);
  const { body } = await call(server, owner, ["POST", "/register"], {
    event_types: '["realm_user"]',
  });
  const lines = Array.from({ length: 10_000 }, (_, i) => `p${i}@example.com,Person ${i}`);
  const wrong = csv([...lines, "olive@example.com,Olive"]);
  expect(await refused(["user", "import", wrong], 1)).toBe(
    "confab: Nobody was added: line 10002: olive@example.com: Email 'olive@example.com' already in use.\n",
  );
  const added = await text(["user", "import", csv(lines)]);
  expect(added).toBe("Added 10,000 people.\n");
  const { queue_id } = body as { queue_id: string };
  const { body: received } = await call(server, owner, ["GET", "/events"], {
    queue_id,
    last_event_id: "-1",
  });
  expect((received as { events: { op: string }[] }).events[0]).toMatchObject({
    type: "realm_user",
    op: "add",
  });
  await server.end("SIGTERM");
}, 300_000);

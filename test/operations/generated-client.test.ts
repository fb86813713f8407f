// A client generated from the server's OpenAPI document, by programs of others.
import { afterAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, json, newOrganization, serve } from "../support/executable.ts";
import { basic, type Json } from "../support/requests.ts";

afterAll(() => cleanUp());

/** A copy of test/generated-client, in a folder that our own checks skip. */
const folder = join(import.meta.dir, "..", "..", "dist", "generated-client");

async function run(...command: string[]): Promise<{ status: number; text: string }> {
  const child = Bun.spawn(command, {
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, CI: "true" },
  });
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { status: await child.exited, text: out + error };
}

test("get-openapi passes a validator, and makes a client that sends and receives", async () => {
  const { data, owner } = await newOrganization();
  await json(["channel", "create", "general", "--subscribe", owner.email, "--data", data]);
  const server = await serve(data);
  const document = await fetch(`${server.url}/api/openapi.json`);
  cpSync(join(import.meta.dir, "..", "generated-client"), folder, { recursive: true });
  mkdirSync(join(folder, "generated"), { recursive: true });
  writeFileSync(join(folder, "generated", "openapi.json"), await document.text());
  const installed = await run("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error");
  expect(installed).toMatchObject({ status: 0 });
  const bin = (name: string) => join(folder, "node_modules", ".bin", name);
  const lint = await run(bin("redocly"), "lint", "generated/openapi.json", "--format=json");
  const { totals, problems } = JSON.parse(/^\{[\s\S]*?^\}/m.exec(lint.text)?.[0] ?? "{}") as Json;
  expect([lint.status, totals, problems]).toEqual([0, { errors: 0, warnings: 0, ignored: 0 }, []]);
  expect(
    await run(bin("openapi-typescript"), "generated/openapi.json", "-o", "generated/api.d.ts"),
  ).toMatchObject({ status: 0 });
  expect(await run(bin("tsc"))).toEqual({ status: 0, text: "" });
  const used = await run("node", "generated/use.mjs", server.url, basic(owner.email, owner.api_key));
  const { sent, ...rest } = JSON.parse(used.text) as Json;
  expect(sent).toBeGreaterThan(0);
  expect(rest).toEqual({
    received: sent,
    read: "By a **generated** client",
    refused: "STREAM_DOES_NOT_EXIST",
  });
}, 300_000);

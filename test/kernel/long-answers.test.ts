// Long answers have the same text as JSON.stringify would give.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { JsonText } from "@/kernel/lib/json-text.ts";
import { jsonBody } from "@/kernel/lib/long-answers.ts";

async function bodyOf(value: object): Promise<string> {
  const body = await jsonBody(value);
  return typeof body === "string" ? body : Buffer.concat([body].flat()).toString();
}
const many = (count: number) => Array.from({ length: count }, (_, i) => i);

test("a long answer is the same JSON as a short one, whatever its lists and objects contain", async () => {
  const entry = fc.oneof(fc.jsonValue(), fc.constant(undefined));
  const longList = fc.array(entry, { minLength: 60, maxLength: 80 });
  const longObject = fc.dictionary(fc.string(), entry, { minKeys: 60, maxKeys: 80 });
  const finished = fc.jsonValue().map((value) => new JsonText(JSON.stringify(value)));
  const value = fc.dictionary(fc.string(), fc.oneof(entry, finished, longList, longObject), { maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(value, async (given) => expect(await bodyOf(given)).toBe(JSON.stringify(given))),
  );
});

test("an answer of many megabytes comes in pieces that make one document", async () => {
  const value = {
    result: "success",
    list: many(30_000).map((i) => ({ i, text: "ü🎉".repeat(20) })),
    last: null,
  };
  expect(await jsonBody(value)).toBeArray();
  expect(JSON.parse(await bodyOf(value))).toEqual(value);
});

test("a short answer is sent at once", async () => {
  expect(await jsonBody({ list: many(1000) })).toBeInstanceOf(Uint8Array);
});

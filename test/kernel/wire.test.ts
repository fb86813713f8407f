import { describe, expect, test } from "bun:test";
import { parse } from "node:querystring";
import fc from "fast-check";
import { z } from "zod";
import { readForm } from "@/kernel/http/forms.ts";
import { also, bare, decoder, looseJson } from "@/kernel/http/wire.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import { encode } from "../support/requests.ts";

const rules = {
  name: z.string(),
  topic: z.string().trim().optional(),
  color: z.enum(["red", "blue"]).default("red"),
  count: z.int().min(1).max(9).optional(),
  limit: z.int().nullable().optional(),
  flag: z.boolean().default(false),
  ids: z.array(z.int()).optional(),
  grant: z.union([z.int(), z.strictObject({ members: z.array(z.int()) })]).optional(),
};
const decode = decoder(rules, ["id"]);
const given = (text: string) => new Map(new URLSearchParams(text));
const read = (text: string) => decode(given(text)).params;

function refusal(text: string, reader: (text: string) => unknown = read) {
  try {
    reader(text);
  } catch (error) {
    return (error as AppError).toWire();
  }
}

test("simple parameters mean the same together with one that needs zod", () => {
  const simple = {
    id: z.string(),
    last: z.int().optional(),
    wait: z.boolean().default(false),
    label: z.string().default("none"),
    size: z.int().default(7),
    on: z.boolean().optional(),
  };
  const [quick, thorough] = [
    decoder(simple, []),
    decoder({ ...simple, ids: z.array(z.int()).optional() }, []),
  ];
  const names = fc.constantFrom(...Object.keys(simple), "other");
  const values = fc.oneof(
    fc.constantFrom(
      "",
      "0",
      "-0",
      "-1",
      "12",
      "012",
      "1e3",
      "1.0",
      " 1",
      "1.5",
      "9007199254740993",
      "true",
      "false",
    ),
    fc.constantFrom("True", " true", "null", '"a"', "[1]", "{}", "-999999999999999", "1234567890123456"),
    fc.string(),
    fc.integer().map(String),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(names, values), { maxLength: 6 }), (pairs) => {
      const form = new Map([["id", "a"] as const, ...pairs]);
      const [one, other] = [quick, thorough].map((decode) => () => decode(form));
      const outcome = (decode = one) => {
        try {
          return decode?.();
        } catch (error) {
          return (error as AppError).toWire();
        }
      };
      expect(outcome(one)).toEqual(outcome(other));
    }),
    { numRuns: 2_000 },
  );
  expect(Object.keys(quick(new Map([["id", "a"]])).params)).toEqual(["id", "wait", "label", "size"]);
});

describe("decoding", () => {
  test("strings travel bare, everything else as JSON", () => {
    expect(read("name=true&topic=%5B1%5D&color=blue&count=7&limit=null&flag=true&ids=%5B1,2%5D")).toEqual({
      name: "true",
      topic: "[1]",
      color: "blue",
      count: 7,
      limit: null,
      flag: true,
      ids: [1, 2],
    });
  });

  test("a string stays one where an object of rules asks for it after all", () => {
    const { word } = z.object({ word: z.string().optional() }).required().shape;
    expect(decoder({ word }, [])(given("word=12")).params).toEqual({ word: "12" });
  });

  test("fills in defaults and leaves out what is absent", () => {
    expect(read("name=a")).toEqual({ name: "a", color: "red", flag: false });
  });

  test("keeps a string's quotes and spaces, except where the rule trims", () => {
    expect(read("name=%22a%22+&topic=+b+")).toMatchObject({ name: '"a" ', topic: "b" });
  });

  test("an empty string is given, not missing", () => {
    expect(read("name=")).toMatchObject({ name: "" });
  });

  test.each([
    ["missing", "", "REQUEST_VARIABLE_MISSING", "Missing 'name' argument", "name"],
    ["of another type", "name=a&flag=1", "REQUEST_VARIABLE_INVALID", "flag is not a boolean", "flag"],
    ["not whole", "name=a&count=1.5", "REQUEST_VARIABLE_INVALID", "count is not an integer", "count"],
    ["not a list", "name=a&ids=1", "REQUEST_VARIABLE_INVALID", "ids is not a list", "ids"],
    ["wrong within", "name=a&ids=[1,%22b%22]", "REQUEST_VARIABLE_INVALID", "ids[1] is not a number", "ids"],
    [
      "too small",
      "name=a&count=0",
      "REQUEST_VARIABLE_INVALID",
      "count is too small: the minimum is 1",
      "count",
    ],
    [
      "too large",
      "name=a&count=10",
      "REQUEST_VARIABLE_INVALID",
      "count is too large: the maximum is 9",
      "count",
    ],
    [
      "none of the choices",
      "name=a&color=x",
      "REQUEST_VARIABLE_INVALID",
      "color must be one of: red, blue",
      "color",
    ],
    [
      "of no known form",
      "name=a&grant=%22x%22",
      "REQUEST_VARIABLE_INVALID",
      "grant is neither a number nor an object",
      "grant",
    ],
  ])("words the error for a parameter that is %s", (_, text, code, msg, var_name) => {
    expect(refusal(text)).toEqual({ result: "error", code, msg, var_name });
  });

  test.each(["flag=yes", "ids=%5B1", "count=", "limit=None"])("refuses %s, which is not JSON", (text) => {
    const [name] = text.split("=");
    expect(refusal(`name=a&${text}`)).toEqual({
      result: "error",
      code: "INVALID_JSON",
      msg: `Argument "${name}" is not valid JSON.`,
    });
  });

  test("names the ID in a path that is not a number, though the path's pattern allows it", () => {
    const read = decoder({ message_id: z.int() }, ["message_id"]);
    expect(refusal("message_id=01", (text) => read(given(text)))).toEqual({
      result: "error",
      code: "REQUEST_VARIABLE_INVALID",
      msg: "message_id is not a number without leading zeros",
      var_name: "message_id",
    });
  });

  test("uses a rule's own words for its errors", () => {
    const read = decoder({ name: z.string().refine((name) => name !== "x", "That name is taken.") }, []);
    expect(refusal("name=x", (text) => read(given(text)))).toEqual({
      result: "error",
      code: "BAD_REQUEST",
      msg: "That name is taken.",
    });
  });

  test.each([
    ["pair=[1]", "pair has too few items: the minimum is 2"],
    ["few=[1,2,3]", "few has too many items: the maximum is 2"],
    ["kind=x", "kind must be one of: '', stream"],
  ])("words what is wrong with %s", (text, msg) => {
    const rules = {
      pair: z.tuple([z.int(), z.int()]).optional(),
      few: z.array(z.int()).max(2).optional(),
      kind: z.enum(["", "stream"]).optional(),
    };
    const read = decoder(rules, []);
    expect(refusal(text, (text) => read(given(text)))).toMatchObject({ msg });
  });

  test("reads old names, and prefers the current one", () => {
    const read = decoder({ topic: also(z.string(), "subject", "thread") }, []);
    expect(read(given("subject=a"))).toEqual({ params: { topic: "a" }, ignored: [] });
    expect(read(given("thread=c&subject=a&topic=b"))).toEqual({ params: { topic: "b" }, ignored: [] });
    expect(refusal("", (text) => read(given(text)))).toMatchObject({ var_name: "topic" });
  });

  test("passes a bare rule the raw text", () => {
    const read = decoder({ to: also(bare(z.string().transform(looseJson)), "stream") }, []);
    const to = (text: string) => read(given(text)).params.to;
    expect([to("to=5"), to("to=%5B5%5D"), to("to=general"), to("stream=%22a%22")]).toEqual([
      5,
      [5],
      "general",
      "a",
    ]);
  });

  test("keeps both if the rule is made optional afterwards", () => {
    const read = decoder(
      { to: also(bare(z.string()), "stream").optional(), n: also(z.int(), "m").default(1) },
      [],
    );
    expect(read(given("stream=5&m=2"))).toEqual({ params: { to: "5", n: 2 }, ignored: [] });
  });

  test("lists unsupported parameters, except path parameters", () => {
    expect(decode(given("name=a&id=3&nope=1&Name=b")).ignored).toEqual(["nope", "Name"]);
  });

  test("treats names that every object has as unknown", () => {
    expect(decode(given("name=a&__proto__=x&constructor=y&toString=z"))).toEqual({
      params: { name: "a", color: "red", flag: false },
      ignored: ["__proto__", "constructor", "toString"],
    });
  });
});

describe("properties of decoding", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 30 });
  const sent = fc.record(
    {
      name: text,
      color: fc.constantFrom("red", "blue"),
      count: fc.integer({ min: 1, max: 9 }),
      limit: fc.option(fc.maxSafeInteger()),
      flag: fc.boolean(),
      ids: fc.array(fc.maxSafeInteger(), { maxLength: 5 }),
      grant: fc.oneof(fc.nat(), fc.record({ members: fc.array(fc.nat(), { maxLength: 3 }) })),
    },
    { requiredKeys: ["name", "color", "flag"] },
  );

  test("the endpoint reads what a client encodes", () => {
    fc.assert(fc.property(sent, (params) => expect(read(encode(params))).toEqual(params)));
  });

  test("any input gives parameters or an error for the client", () => {
    const name = fc.oneof(fc.constantFrom(...Object.keys(rules)), text);
    const value = fc.oneof(text, fc.json({ maxDepth: 2 }));
    fc.assert(
      fc.property(fc.dictionary(name, value), (dictionary) => {
        try {
          expect(decode(new Map(Object.entries(dictionary))).params).toBeObject();
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect((error as AppError).status).toBe(400);
        }
      }),
    );
  });
});

describe("JSON that takes long to parse", () => {
  const named = (count: number) => `{${Array.from({ length: count }, (_, i) => `"n${i}":1`).join()}}`;

  test.each([
    ["much nesting", "[".repeat(50_000) + "]".repeat(50_000), "is nested more than 64 times"],
    ["many names", named(20_001), "has more than 20000 named values"],
    ["many values", `[${"{},".repeat(100_000)}1]`, "has more than 150000 values"],
  ])("is refused for %s", (_, json, problem) => {
    expect(refusal(`ids=${json}`)).toMatchObject({
      code: "REQUEST_VARIABLE_INVALID",
      msg: `ids ${problem}.`,
      var_name: "ids",
    });
    expect(looseJson(json)).toBe(json);
  });

  test("does not count what is inside texts", () => {
    const text = '[{"\\'.repeat(20_000);
    expect(looseJson(JSON.stringify([text, { "\\": text }]))).toEqual([text, { "\\": text }]);
    expect(Object.keys(looseJson(named(20_000)) as object)).toHaveLength(20_000);
  });
});

describe("readForm", () => {
  /** What it read before it had a parser of its own. */
  const expected = (text: string) => {
    const fields = Object.entries(parse(text, "&", "=", { maxKeys: 0 }));
    return Object.fromEntries(
      fields.map(([name, value]) => [name, Array.isArray(value) ? (value[0] ?? "") : (value ?? "")]),
    );
  };

  test("reads a form as node:querystring does", () => {
    const signs = [..."&&==++%%aF07x ", "%C3%A9", "%2B", "%26", "name="].map((sign) => fc.constant(sign));
    const forms = fc.array(fc.oneof(...signs), { maxLength: 30 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(forms, (text) => {
        const read = new Map<string, string>();
        readForm(text, read);
        expect(Object.fromEntries(read)).toEqual(expected(text));
      }),
      { numRuns: 500 },
    );
  });

  test("keeps values that are there already", () => {
    const read = new Map([["a", "1"]]);
    readForm("a=2&b=3", read);
    expect([...read]).toEqual([
      ["a", "1"],
      ["b", "3"],
    ]);
  });
});

// The wire contract (shapes.json) as assertions: what existing clients need.
import { readFileSync } from "node:fs";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020";
import { fileOfEndpoint, fileOfEvent, filesOfField } from "./declarations.ts";

/** Where a new event, or a new field of the initial state, is documented. */
const contract = "test/support/shapes.json";

type Schema = Record<string, unknown>;

export interface EndpointShape {
  operationId: string;
  /** "public": also without credentials, if the organization allows public access. */
  auth: boolean | "public";
  params: { name: string; in: "path" | "query" | "form"; required: boolean; type: string | string[] }[];
  /** Absent if the answer is not JSON. */
  response?: Schema;
  redirect?: true;
  /** Served at the root, not under /api/v1. */
  root?: true;
  /** Servers that lack the feature may omit it. */
  optional?: true;
}

export interface EventShape {
  type: string;
  op: string | null;
  /** "ours" if no other server sends it. */
  audience: string;
  variant?: string;
  capability?: string;
  withoutCapability?: string;
  /** The allowed values of `property`, for events that have one. */
  properties?: string[];
  optional?: true;
  /** Later levels do not have it. */
  before?: number;
  schema: Schema;
}

export interface RegisterField {
  /** The fetch types that include the field; if there are none, it is always included. */
  types: string[];
  /** Needs all of `types`, not just one. */
  all?: true;
  withoutCapability?: string;
  optional?: true;
  /** No other server has it. */
  ours?: true;
  schema: Schema;
}

interface Shapes {
  $defs: Record<string, Schema>;
  endpoints: Record<string, EndpointShape>;
  events: EventShape[];
  register: Record<string, RegisterField>;
}

/** Every endpoint by "METHOD /path/{param}". */
export function endpointShapes(): Record<string, EndpointShape> {
  return shapes().endpoints;
}

export function eventShapes(): EventShape[] {
  return shapes().events;
}

/** Every field of the initial state. */
export function registerFields(): Record<string, RegisterField> {
  return shapes().register;
}

/**
 * What is documented with the form that it had before a feature level, as "472: attachment.messages". Everything else has the form of
 * the newest level, so an answer that matches has all that clients of earlier levels read, and all that those of the newest one do.
 */
export function listFormsOfEarlierLevels(): string[] {
  const { $defs, endpoints, events, register } = shapes();
  const named = Object.fromEntries(
    events.map((one) => [`event ${one.type}${one.op === null ? "" : `/${one.op}`}`, one]),
  );
  return [...formsBeforeIn({ ...$defs, ...endpoints, ...register, ...named }, [])].toSorted();
}

function* formsBeforeIn(value: unknown, path: readonly string[]): Generator<string> {
  if (value === null || typeof value !== "object") return;
  const { before } = value as { before?: unknown };
  if (typeof before === "number") yield `${before}: ${path.join(".")}`;
  const isStep = (key: string) => !["properties", "schema", "response", "items"].includes(key);
  for (const [key, one] of Object.entries(value))
    yield* formsBeforeIn(one, isStep(key) ? [...path, key] : path);
}

/** `endpoint` is a key of `endpointShapes()` or a request as sent: "GET /users/7". */
export function expectResponse(endpoint: string, body: unknown): void {
  const key = endpointKey(endpoint);
  if (key === "POST /register") {
    checkState(key, registerSchema(), body);
    return;
  }
  const { response, operationId } = endpointShapes()[key]!;
  if (!response) throw new Error(`${key} does not answer with JSON.`);
  const differences = differencesOf(response, body);
  if (differences.length > 0) complain(key, lined(differences), [fileOfEndpoint(operationId)]);
}

/** Takes an event as delivered, or as emitted (without the id that its queue gives it). */
export function expectEvent(event: object): void {
  const { type, op = null } = event as { type?: unknown; op?: unknown };
  const candidates = eventShapes().filter((shape) => shape.type === type && shape.op === op);
  const name = op === null ? `${type}` : `${type}/${op}`;
  if (candidates.length === 0) {
    const file = fileOfEvent(`${type}`, op as string | null) ?? "no file";
    throw new Error(
      `No event ${name} is documented: typed clients would refuse the batch. It is declared in ${file}; document it in ${contract}.`,
    );
  }

  const failures = candidates.map(({ schema, variant }) => ({
    variant,
    differences: differencesOf(schema, { id: 0, ...event }),
  }));
  const [nearest] = failures.toSorted((a, b) => a.differences.length - b.differences.length);
  if (!nearest || nearest.differences.length === 0) return;
  const variant =
    nearest.variant && candidates.length > 1 ? ` (as its nearest variant, ${nearest.variant})` : "";
  complain(`event ${name}${variant}`, lined(nearest.differences), [
    fileOfEvent(`${type}`, op as string | null),
  ]);
}

/** Checks that a state has exactly the fields of the fetch types; without `fetchTypes`, those of all types. */
export function expectRegister(state: unknown, fetchTypes?: readonly string[]): void {
  const known = new Set(Object.values(shapes().register).flatMap((field) => field.types));
  const unknown = fetchTypes?.filter((type) => !known.has(type)) ?? [];
  if (unknown.length > 0) throw new Error(`No such fetch type: ${unknown.join(", ")}.`);
  const name = `register of ${fetchTypes?.join(", ") ?? "everything"}`;
  checkState(name, registerSchema(fetchTypes ?? [...known]), state);
}

function checkState(name: string, schema: Schema, state: unknown): void {
  const differences = differencesOf(schema, state);
  if (differences.length === 0) return;
  const fields = new Set(
    differences.map(({ path, lacks, has }) => path.split(".")[0] || lacks || has?.split(",")[0] || ""),
  );
  const files = [...fields].flatMap((field) => filesOfField(shapes().register[field]?.types ?? []));
  const isNew = differences.some(({ has }) => has !== undefined);
  complain(name, lined(differences), isNew ? [...files, contract] : files);
}

function registerSchema(fetchTypes?: readonly string[]): Schema {
  const key = fetchTypes?.toSorted().join() ?? "*";
  const made = registerSchemas.get(key);
  if (made) return made;

  const isAsked = ({ types, all }: RegisterField) =>
    !fetchTypes ||
    types.length === 0 ||
    (all
      ? types.every((type) => fetchTypes.includes(type))
      : types.some((type) => fetchTypes.includes(type)));
  const asked = Object.entries(shapes().register).filter(([, field]) => isAsked(field));
  const required = asked.filter(([, field]) =>
    fetchTypes ? !field.optional && !field.withoutCapability : field.types.length === 0 && !field.optional,
  );
  const schema = {
    type: "object",
    required: required.map(([name]) => name),
    properties: Object.fromEntries(asked.map(([name, field]) => [name, field.schema])),
    additionalProperties: false,
  };
  registerSchemas.set(key, schema);
  return schema;
}

function endpointKey(endpoint: string): string {
  if (endpoint in endpointShapes()) return endpoint;
  const [path = ""] = endpoint.split("?");
  const matches = Object.keys(endpointShapes()).filter((key) =>
    new RegExp(`^${key.replaceAll(".", "\\.").replace(/\{[^}]+\}/g, "[^/]+")}$`).test(path),
  );
  // "/users/me" also matches "/users/{user_id}"; the more specific path wins.
  const literal = (key: string) => key.replace(/\{[^}]+\}/g, "").length;
  const [best] = matches.toSorted((a, b) => literal(b) - literal(a));
  if (!best) throw new Error(`No endpoint ${endpoint} is documented.`);
  return best;
}

/** Says where to mend it: in the rules and readers of these files' folders. */
function complain(name: string, lines: string[], files: (string | undefined)[]): never {
  const known = [...new Set(files.filter((file) => file !== undefined))];
  const where = known.length > 0 ? `; see ${known.join(", ")}` : "";
  throw new Error(`${name} breaks the wire contract${where}:\n  ${lines.join("\n  ")}`);
}

/** What is wrong at one place: properties that are missing or not documented, or another value than expected. */
interface Difference {
  /** "members.3.email"; empty for the whole document. */
  path: string;
  lacks?: string;
  /** The undocumented property, with its value. */
  has?: string;
  found?: string;
  expected?: string;
}

function differencesOf(schema: Schema, value: unknown): Difference[] {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  // That no alternative fits is said by what each of them expected.
  const isSaid = (one: ErrorObject) =>
    ["anyOf", "oneOf"].includes(one.keyword) &&
    errors.some((other) => other !== one && other.instancePath.startsWith(one.instancePath));
  return errors.filter((one) => !isSaid(one)).map(differenceOf);
}

function differenceOf({ instancePath, keyword, params, message = "", data }: ErrorObject): Difference {
  const path = instancePath.slice(1).replaceAll("/", ".");
  if (keyword === "required") return { path, lacks: params.missingProperty };
  if (keyword === "additionalProperties") {
    const name: string = params.additionalProperty;
    return { path, has: `${name}, ${shortened((data as Record<string, unknown>)[name])}` };
  }
  return { path, found: shortened(data), expected: expectation(keyword, params, message) };
}

function expectation(keyword: string, params: ErrorObject["params"], message: string): string {
  if (keyword === "enum") return params.allowedValues.map((one: unknown) => JSON.stringify(one)).join(" or ");
  if (keyword === "const") return JSON.stringify(params.allowedValue);
  if (keyword === "type") return [params.type].flat().join(" or ");
  return message.replace(/^must (be )?/, "");
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** A line for each place. */
function lined(differences: Difference[]): string[] {
  const places = Map.groupBy(differences, ({ path }) => path);
  return [...places].map(([path, those]) => {
    const all = (key: keyof Difference, word: string) =>
      [...new Set(those.flatMap((one) => one[key] ?? []))].join(word);
    const lacks = all("lacks", ", ");
    const has = all("has", "; ");
    const expected = all("expected", " or ");
    const said = [
      lacks && `lacks ${lacks}`,
      has && `has the undocumented ${has}`,
      expected && `found ${all("found", ", ")}, expected ${expected}`,
    ];
    return `${path || "(top)"}: ${said.filter(Boolean).join("; ")}`;
  });
}

function validatorOf(schema: Schema): ValidateFunction {
  const compiled = validators.get(schema) ?? ajv().compile(schema);
  validators.set(schema, compiled);
  return compiled;
}

const validators = new Map<Schema, ValidateFunction>();
const registerSchemas = new Map<string, Schema>();
const shapes = lazy<Shapes>(() =>
  JSON.parse(readFileSync(new URL("./shapes.json", import.meta.url), "utf8")),
);
const ajv = lazy(() =>
  // Each process compiles them: without these steps, in half the time. test/house/shapes.test.ts checks the schemas.
  new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  }).addSchema({
    $id: "shapes",
    $defs: shapes().$defs,
  }),
);

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

// The wire contract (shapes.json) as assertions: what existing clients need.
import { readFileSync } from "node:fs";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020";

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
  audience: string;
  variant?: string;
  capability?: string;
  withoutCapability?: string;
  /** The allowed values of `property`, for events that have one. */
  properties?: string[];
  optional?: true;
  schema: Schema;
}

export interface RegisterField {
  /** The fetch types that include the field; if there are none, it is always included. */
  types: string[];
  /** Needs all of `types`, not just one. */
  all?: true;
  withoutCapability?: string;
  optional?: true;
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

/** `endpoint` is a key of `endpointShapes()` or a request as sent: "GET /users/7". */
export function expectResponse(endpoint: string, body: unknown): void {
  const key = endpointKey(endpoint);
  const response = key === "POST /register" ? registerSchema() : endpointShapes()[key]?.response;
  if (!response) throw new Error(`${key} does not answer with JSON.`);
  check(key, response, body);
}

/** Takes an event as delivered, or as emitted (without the id that its queue gives it). */
export function expectEvent(event: object): void {
  const { type, op = null } = event as { type?: unknown; op?: unknown };
  const candidates = eventShapes().filter((shape) => shape.type === type && shape.op === op);
  const name = op === null ? `${type}` : `${type}/${op}`;
  if (candidates.length === 0)
    throw new Error(`No event ${name} is documented: clients would refuse the batch.`);

  const failures = candidates.map((shape) => mismatches(shape.schema, { id: 0, ...event }));
  if (failures.some((failure) => failure.length === 0)) return;
  const lines = failures.flatMap((failure, i) => {
    const { variant } = candidates[i]!;
    return variant ? [`as the ${variant} variant:`, ...failure.map((line) => `  ${line}`)] : failure;
  });
  complain(`event ${name}`, lines, event);
}

/** Checks that a state has exactly the fields of the fetch types; without `fetchTypes`, those of all types. */
export function expectRegister(state: unknown, fetchTypes?: readonly string[]): void {
  const known = new Set(Object.values(shapes().register).flatMap((field) => field.types));
  const unknown = fetchTypes?.filter((type) => !known.has(type)) ?? [];
  if (unknown.length > 0) throw new Error(`No such fetch type: ${unknown.join(", ")}.`);
  check(
    `register of ${fetchTypes?.join(", ") ?? "everything"}`,
    registerSchema(fetchTypes ?? [...known]),
    state,
  );
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

function check(name: string, schema: Schema, value: unknown): void {
  const lines = mismatches(schema, value);
  if (lines.length > 0) complain(name, lines, value);
}

function complain(name: string, lines: string[], value: unknown): never {
  const text = JSON.stringify(value, null, 1) ?? String(value);
  const shown = text.length > 2000 ? `${text.slice(0, 2000)} …` : text;
  throw new Error(`${name} breaks the wire contract:\n  ${lines.join("\n  ")}\nin ${shown}`);
}

/** One line for each wrong object, with all its errors. */
function mismatches(schema: Schema, value: unknown): string[] {
  const validate = validatorOf(schema);
  if (validate(value)) return [];

  const byPath = Map.groupBy(validate.errors ?? [], (error) => error.instancePath);
  return [...byPath].map(([path, errors]) => {
    const missing = errors.filter(isMissing).map(({ params }) => params.missingProperty);
    const others = errors.filter((error) => !isMissing(error)).map(worded);
    const lacks = missing.length > 0 ? [`lacks ${[...new Set(missing)].join(", ")}`] : [];
    return `${path.slice(1).replaceAll("/", ".") || "(top)"}: ${[...lacks, ...new Set(others)].join("; ")}`;
  });
}

function isMissing({ keyword }: ErrorObject): boolean {
  return keyword === "required";
}

function worded({ keyword, params, message, data }: ErrorObject): string {
  if (keyword === "additionalProperties") return `has the undocumented ${params.additionalProperty}`;
  if (keyword === "enum") return `${JSON.stringify(data)} is none of ${JSON.stringify(params.allowedValues)}`;
  if (keyword === "const") return `${JSON.stringify(data)} is not ${JSON.stringify(params.allowedValue)}`;
  const got = JSON.stringify(data) ?? "undefined";
  return `${message}${got.length < 80 ? `, not ${got}` : ""}`;
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
  new Ajv2020({ allErrors: true, verbose: true, strict: false }).addSchema({
    $id: "shapes",
    $defs: shapes().$defs,
  }),
);

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

// A separate organization for each test: `const { as } = world()`, then requests over HTTP.

import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { type App, type OpenOptions, openOn } from "@/app.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { Emitted, Traits } from "@/kernel/core/events.ts";
import type { Endpoint } from "@/kernel/http/endpoint.ts";
import type { Log } from "@/kernel/lib/log.ts";
import { bytesOf, JsonAnswer } from "@/kernel/lib/long-answers.ts";
import { type CastMember, type CastName, copyOf, seed, site } from "./cast.ts";
import { type TestClock, testClock } from "./clock.ts";
import { basic, type Json, type Method, type Params, requestOf } from "./requests.ts";
import { endpointShapes, expectEvent, expectResponse } from "./shapes.ts";

export type { CastName } from "./cast.ts";

/** A published event: its audience, and its form for a client with every capability. */
export interface CapturedEvent {
  audience: "everyone" | (CastName | number)[];
  event: Json;
}

export interface Answer {
  status: number;
  body: Json;
  headers: Headers;
  /** Published while the call ran. */
  events: CapturedEvent[];
}

type Call = (path: string, params?: Params) => Promise<Answer>;

/** Paths are relative to /api/v1; `request` takes any path and any init, and returns the plain Response. */
export interface Client {
  get: Call;
  post: Call;
  patch: Call;
  delete: Call;
  put: Call;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a multipart form with a file or other parts. */
  upload(path: string, form: FormData | File): Promise<Answer>;
}

export interface TestQueue {
  readonly id: string;
  /** The answer of POST /register. */
  readonly state: Json;
  /** Returns new events; the next poll acknowledges them. Waits for events only with `{ dont_block: false }`. */
  poll(params?: Params): Promise<Json[]>;
}

export interface World {
  readonly app: App;
  readonly clock: TestClock;
  /** All events so far. */
  readonly events: CapturedEvent[];
  readonly anonymous: Client;
  as(name: CastName): Client;
  /** Uses other credentials, for users that the test created. */
  login(email: string, key: string): Client;
  ctx(name: CastName | "system"): Ctx;
  user(name: CastName): CastMember;
  /** Opens an event queue as a client with every capability and rendered Markdown. */
  queue(name: CastName, params?: Params): Promise<TestQueue>;
}

export const everyCapability = {
  archived_channels: true,
  bulk_message_deletion: true,
  empty_topic_name: true,
  include_deactivated_groups: true,
  linkifier_url_template: true,
  notification_settings_null: true,
  simplified_presence_events: true,
  stream_typing_notifications: true,
  user_avatar_url_field_optional: true,
  user_list_incomplete: true,
  user_settings_object: true,
};

/** Holds a folder for the files of each world, made with its first file. Removed at the end. */
const folders = join(tmpdir(), `confab-test-files-${Bun.randomUUIDv7()}`);
let worlds = 0;
process.on("exit", () => rmSync(folders, { recursive: true, force: true }));

const modern = { apply_markdown: true, client_gravatar: false };
const template = await seed();
const names = new Map(Object.entries(template.cast).map(([name, { id }]) => [id, name as CastName]));

const documented = new Map(Object.entries(endpointShapes()).map(([key, shape]) => [shape.operationId, key]));

type WorldOption =
  | "isDevelopment"
  | "onBatch"
  | "rateLimits"
  | "isProxy"
  | "queueMemory"
  | "answerMemory"
  | "followsHost"
  | "forwarder"
  | "stores"
  | "site";

/** A new copy of the seeded organization. Checks every answer and event against the wire contract. */
export function world(options: Pick<OpenOptions, WorldOption> & { onWarning?: Log["warn"] } = {}): World {
  const clock = testClock();
  const captured: CapturedEvent[] = [];
  const faults: Error[] = [];
  const app = openOn(copyOf(template), {
    site,
    ...options,
    hosting: true,
    files: join(folders, String(++worlds)),
    clock,
    log: complaining(faults, options.onWarning),
    onEvent: (emitted) => guarded(faults, () => captured.push(...captureEvents(emitted))),
    onAnswer: (endpoint, body) => guarded(faults, () => checkAnswer(endpoint, body)),
  });
  const client = clientMaker(app, { captured, faults, site: options.isDevelopment ? localSite : site });
  const user = (name: CastName) => template.cast[name];
  const as = (name: CastName) => client(basic(user(name).email, user(name).key));
  return {
    app,
    clock,
    events: captured,
    anonymous: client(null),
    as,
    login: (email, key) => client(basic(email, key)),
    ctx: (name) =>
      app.ctx(name === "system" ? app.system.actor : { kind: "user", id: user(name).id, client: "test" }),
    user,
    queue: (name, params) => openQueue(as(name), params),
  };
}

function guarded(faults: Error[], run: () => void): void {
  try {
    run();
  } catch (error) {
    faults.push(error as Error);
  }
}

/** Makes a test fail with the original stack if the server answers INTERNAL_ERROR. */
function complaining(faults: Error[], warn: Log["warn"] = () => {}): Log {
  const error: Log["error"] = (event, fields) => {
    if (event === "unhandled_error") faults.push(new Error(String(fields?.error)));
  };
  return { info() {}, warn, error, flush() {} };
}

/** Where a server in development mode answers. */
const localSite = "http://localhost:9900";

interface Watching {
  captured: CapturedEvent[];
  faults: Error[];
  site: string;
}

function clientMaker(
  app: App,
  { captured, faults, site }: Watching,
): (authorization: string | null) => Client {
  return (authorization) => {
    const headers: Record<string, string> = { "user-agent": "test/1.0" };
    if (authorization) headers.authorization = authorization;
    const send = async (request: Request) => {
      const response = await app.fetch(request);
      const [fault] = faults.splice(0);
      if (fault) throw fault;
      return response;
    };
    const answerTo = async (request: Request): Promise<Answer> => {
      const from = captured.length;
      const response = await send(request);
      const text = await response.text();
      const body = isJson(response) ? JSON.parse(text) : text;
      return { status: response.status, body, headers: response.headers, events: captured.slice(from) };
    };
    const call =
      (method: Method): Call =>
      (path, params) =>
        answerTo(requestOf(`${site}/api/v1${path}`, method, { params, headers }));
    return {
      get: call("GET"),
      post: call("POST"),
      patch: call("PATCH"),
      delete: call("DELETE"),
      put: call("PUT"),
      request: async (path, init = {}) => send(await rawRequest(site + path, init, headers)),
      upload: async (path, given) => {
        const init = { method: "POST", body: given instanceof FormData ? given : formOf({ file: given }) };
        return answerTo(await rawRequest(`${site}/api/v1${path}`, init, headers));
      },
    };
  };
}

/** A multipart form; values that are neither text nor a file are sent as JSON. */
export function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof File) form.append(name, value);
    else form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form;
}

/** Like `new Request`, with a declared length of the body, as HTTP clients send it. */
async function rawRequest(url: string, init: RequestInit, headers: Record<string, string>): Promise<Request> {
  const made = new Request(url, init);
  for (const [name, value] of Object.entries(headers)) made.headers.set(name, value);
  if (init.body == null) return made;
  const body = await made.arrayBuffer();
  made.headers.set("content-length", String(body.byteLength));
  return new Request(url, { ...init, headers: made.headers, body });
}

function isJson(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("application/json") ?? false;
}

function checkAnswer({ id, returns }: Endpoint, result: unknown): void {
  const body =
    result instanceof JsonAnswer
      ? JSON.parse(Buffer.from(bytesOf(result.json)).toString())
      : jsonOf({ result: "success", msg: "", ...(result as object) });
  const parsed = z.object(returns ?? {}).safeParse(body);
  if (!parsed.success) throw new Error(`${id} breaks its own 'returns': ${z.prettifyError(parsed.error)}`);
  const key = documented.get(id);
  if (key) expectResponse(key, body);
}

/** Checks all forms of an event that users would get; returns that of a client with every capability. */
function captureEvents(emitted: Emitted): CapturedEvent[] {
  const { event, audience, payload } = emitted;
  const ids =
    audience.to === "everyone"
      ? [...names.keys()]
      : [...new Set([...audience.to, ...(audience.also ?? [])])].sort((a, b) => a - b);
  for (const id of ids) {
    if (!names.has(id)) continue;
    const shape = event.shape(payload, traitsOf(id));
    if (shape) expectEvent(jsonOf({ ...shape, ...event.own?.(payload, traitsOf(id), "") }));
  }
  const shown = event.shape(payload, traitsOf(ids[0] ?? 0));
  if (!shown) return [];
  const who = audience.to === "everyone" ? "everyone" : ids.map((id) => names.get(id) ?? id);
  return [{ audience: who, event: jsonOf(shown) }];
}

function jsonOf(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}

function traitsOf(userId: number): Traits {
  return {
    userId,
    capabilities: new Set(Object.keys(everyCapability)),
    types: null,
    taps: new Set(),
    options: modern,
  };
}

async function openQueue(client: Client, params: Params = {}): Promise<TestQueue> {
  const given = { ...modern, client_capabilities: everyCapability, ...params };
  const { body: state } = await client.post("/register", given);
  if (state.result !== "success") throw new Error(`POST /register: ${state.msg}`);
  let last = state.last_event_id;
  return {
    id: state.queue_id,
    state,
    async poll(params = {}) {
      const asked = { queue_id: state.queue_id, last_event_id: last, dont_block: true, ...params };
      const { body } = await client.get("/events", asked);
      if (body.result !== "success") throw new Error(`GET /events: ${body.code} ${body.msg}`);
      for (const event of body.events) {
        expectEvent(event);
        last = Math.max(last, event.id);
      }
      return body.events;
    },
  };
}

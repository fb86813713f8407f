// Requests to the server: the family's /json paths, with the session's cookie.
import { t } from "../lib/texts.ts";
import { isFromServer, type Reach } from "./reach.ts";
import { encodeForm } from "./registering.ts";

export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  /** The server's whole answer. */
  readonly answer: Readonly<Record<string, unknown>>;

  constructor(message: string, status: number, answer: Record<string, unknown> = {}) {
    super(message);
    this.code = typeof answer.code === "string" ? answer.code : "";
    this.status = status;
    this.answer = answer;
  }

  /** Whether the server was not reached or could not answer, so that trying again may help. */
  get isPassing(): boolean {
    return this.status === 0 || this.status >= 500 || this.status === 429;
  }
}

/** Whether trying again may help: it cannot where the server has said no. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof Refusal) || error.isPassing;
}

export type RequestParams = Readonly<Record<string, unknown>>;
type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

export interface PostOptions {
  /** The answer to the request, if it has been sent already. */
  asked?: Promise<Response> | undefined;
  /** With the same key, the request may be sent again. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export interface Api {
  get<T>(path: string, params?: RequestParams, signal?: AbortSignal): Promise<T>;
  post<T = unknown>(path: string, params?: RequestParams, options?: PostOptions): Promise<T>;
  patch<T = unknown>(path: string, params?: RequestParams): Promise<T>;
  delete<T = unknown>(path: string, params?: RequestParams): Promise<T>;
  /** Posts, and receives a file as the answer. Calls `onBytes` with the number of bytes that have come. */
  receive(path: string, onBytes: (bytes: number) => void): Promise<Blob>;
  /** Ends the session of this browser. */
  signOut(): Promise<void>;
}

export interface ApiHooks {
  reach: Pick<Reach, "noteAnswer" | "noteFailure">;
  /** The token that writes carry. */
  csrf: () => string;
  /** Called when the session has ended. */
  onSignedOut: () => void;
  /** Has the person show that it is them; resolves with whether they have. */
  prove: () => Promise<boolean>;
}

export function openApi({ reach, csrf, onSignedOut, prove }: ApiHooks): Api {
  let isLeaving = false;
  addEventListener("pagehide", () => {
    isLeaving = true;
  });
  addEventListener("pageshow", () => {
    isLeaving = false;
  });
  const headersWith = (key: string | undefined) => ({
    "x-csrftoken": csrf(),
    ...(key !== undefined && { "idempotency-key": key }),
  });
  const send = (
    method: Method,
    path: string,
    params: RequestParams,
    { idempotencyKey, signal }: PostOptions,
  ): Promise<Response> => {
    const form = encodeForm(params);
    // Browsers abort other requests of a page that is closed, and refuse to keep larger ones alive.
    const keepalive = (isLeaving || document.hidden) && method !== "GET" && String(form).length < 30_000;
    const query = method === "GET" && form.size > 0 ? `?${form}` : "";
    return fetch(`${path.startsWith("/metrics/") ? "" : "/json"}${path}${query}`, {
      method,
      credentials: "same-origin",
      keepalive,
      ...(method === "GET" ? {} : { body: form, headers: headersWith(idempotencyKey) }),
      ...(signal ? { signal } : {}),
    });
  };
  const call = async <T>(
    method: Method,
    path: string,
    params: RequestParams,
    options: PostOptions = {},
    readBody: ReadBody = readJson,
  ): Promise<T> => {
    const { signal, asked = send(method, path, params, options) } = options;
    try {
      return await readAnswer(asked, readBody, signal);
    } catch (error) {
      const isAsked = error instanceof Refusal && error.code === "PROOF_REQUIRED";
      if (!isAsked || !(await prove())) throw error;
      return readAnswer(send(method, path, params, options), readBody, signal);
    }
  };
  const arrive = async (asked: Promise<Response>, signal?: AbortSignal): Promise<Response> => {
    try {
      const response = await asked;
      if (isFromServer(response)) reach.noteAnswer();
      else reach.noteFailure();
      return response;
    } catch (error) {
      if (signal?.aborted) throw error;
      reach.noteFailure();
      throw new Refusal(t("The server cannot be reached."), 0);
    }
  };
  const readAnswer = async <T>(
    asked: Promise<Response>,
    readBody: ReadBody,
    signal?: AbortSignal,
  ): Promise<T> => {
    const response = await arrive(asked, signal);
    if (response.ok) return (await readBody(response)) as T;
    const answer = await readJson(response);
    if (response.status === 401) onSignedOut();
    const said =
      typeof answer.msg === "string" && answer.msg !== "" ? answer.msg : t("The server could not answer.");
    throw new Refusal(said, response.status, answer);
  };
  return {
    get: (path, params = {}, signal) => call("GET", path, params, signal ? { signal } : {}),
    post: (path, params = {}, options = {}) => call("POST", path, params, options),
    patch: (path, params = {}) => call("PATCH", path, params),
    delete: (path, params = {}) => call("DELETE", path, params),
    receive: (path, onBytes) => call("POST", path, {}, {}, (response) => readFile(response, onBytes)),
    signOut: async () => {
      await arrive(fetch("/logout", { method: "POST", headers: { "x-csrftoken": csrf() } }));
    },
  };
}

/** Reads the body of an answer that is no refusal. */
type ReadBody = (response: Response) => Promise<unknown>;

async function readJson(response: Response): Promise<Record<string, unknown>> {
  try {
    return await response.json();
  } catch {
    return {};
  }
}

async function readFile(response: Response, onBytes: (bytes: number) => void): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  try {
    for (const reader = response.body?.getReader(); reader; ) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value);
      bytes += value.length;
      onBytes(bytes);
    }
  } catch {
    throw new Refusal(t("The server cannot be reached."), 0);
  }
  return new Blob(pieces, { type: response.headers.get("content-type") ?? "" });
}

/** An error in words for the person. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

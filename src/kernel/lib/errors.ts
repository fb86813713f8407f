// Errors for users. A domain declares its own in its `schema.ts`.

/** An error that clients can get. */
export interface ErrorKind {
  readonly name: string;
  readonly status: number;
  /** The code as clients read it. */
  readonly wire: string;
  /** In how many seconds clients may try again by themselves, as a header says. */
  readonly retryAfter: number | undefined;
}

const declared = new Map<string, ErrorKind>();

/** Declares errors by name: the HTTP status of each and, if it differs from the name, its code on the wire. */
export function errorKinds<N extends string>(
  rows: Readonly<Record<N, { status: number; wire?: string; retryAfter?: number }>>,
): Readonly<Record<N, ErrorKind>> {
  const made = {} as Record<N, ErrorKind>;
  for (const name of Object.keys(rows) as N[]) {
    if (declared.has(name)) throw new Error(`Error ${name} is declared twice`);
    const { status, wire = name, retryAfter } = rows[name];
    made[name] = { name, status, wire, retryAfter };
    declared.set(name, made[name]);
  }
  return made;
}

/** Errors that any domain may use by name, without declaring them. */
const common = errorKinds({
  BAD_REQUEST: { status: 400 },
  REQUEST_VARIABLE_MISSING: { status: 400 },
  REQUEST_VARIABLE_INVALID: { status: 400 },
  INVALID_JSON: { status: 400 },
  BAD_EVENT_QUEUE_ID: { status: 400 },
  EXPECTATION_MISMATCH: { status: 400 },
  UNAUTHORIZED: { status: 401 },
  ACCESS_DENIED: { status: 403, wire: "BAD_REQUEST" },
  NOT_FOUND: { status: 404 },
  MISSING: { status: 404, wire: "BAD_REQUEST" },
  METHOD_NOT_ALLOWED: { status: 405, wire: "BAD_REQUEST" },
  REQUEST_TIMEOUT: { status: 408, wire: "BAD_REQUEST" },
  GONE: { status: 410, wire: "BAD_REQUEST" },
  BODY_TOO_LARGE: { status: 413, wire: "BAD_REQUEST" },
  HEADERS_TOO_LARGE: { status: 431, wire: "BAD_REQUEST" },
  RATE_LIMIT_HIT: { status: 429 },
  INTERNAL_ERROR: { status: 500 },
  SERVER_NOT_READY: { status: 500 },
  // A cluster's node: another one may do better, so that proxies must not take this for a fault.
  NOT_NOW: { status: 503, wire: "SERVER_NOT_READY", retryAfter: 1 },
  UNSURE: { status: 503, wire: "SERVER_NOT_READY" },
});

export type CommonError = keyof typeof common;

/** All declared errors, ordered by status and name. */
export function listErrorKinds(): ErrorKind[] {
  return [...declared.values()].sort(
    (one, other) => one.status - other.status || one.name.localeCompare(other.name, "en"),
  );
}

/** Every text that the languages know, with the values that it needs, or null: text/language/translator.ts declares them. */
export interface KnownTexts {
  readonly [notSaved]: null;
}
/** The form of a sentence that the languages know, with `{name}` for values. */
export type FormKey = keyof KnownTexts & string;
/** A sentence without values that the languages know. */
export type KnownText = { [K in FormKey]: KnownTexts[K] extends null ? K : never }[FormKey];

type Values = Readonly<Record<string, string | number | Date>>;

/** A sentence that can also be said in other languages: text/language/tables.ts makes those with values. */
export interface Sentence {
  readonly inEnglish: string;
  /** Its form, by which the languages know it. */
  readonly text: string;
  readonly values: Values;
}

/** A sentence of the kernel, which has no catalogue to make the English of its form. */
export function wordedSentence<K extends FormKey>(
  inEnglish: string,
  text: K,
  values: KnownTexts[K] & Values,
): Sentence {
  return { inEnglish, text, values };
}

/** The own words of a rule (zod): a test finds those that no language knows. */
export function ruleSentence(text: string): Sentence {
  return { inEnglish: text, text, values: {} };
}

/** A sentence that no browser's session meets, only programs and operators: no language knows it. */
export function englishOnly(inEnglish: string): Sentence {
  return { inEnglish, text: inEnglish, values: {} };
}

/** An error with a complete sentence, and the documented extra fields of its kind. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly sentence: Sentence;

  constructor(
    kind: ErrorKind | CommonError,
    message: KnownText | Sentence,
    readonly data: Record<string, unknown> = {},
  ) {
    const sentence =
      typeof message === "string" ? { inEnglish: message, text: message, values: {} } : message;
    super(sentence.inEnglish);
    this.sentence = sentence;
    this.name = "AppError";
    this.kind = typeof kind === "string" ? common[kind] : kind;
    this.code = this.kind.name;
  }

  get status(): number {
    return this.kind.status;
  }

  /** `msg` is its sentence in another language. */
  toWire(msg = this.message): Record<string, unknown> {
    return { result: "error", msg, code: this.kind.wire, ...this.data };
  }
}

/** Whether something thrown is an error of this kind. */
export function isError(error: unknown, kind: ErrorKind | CommonError): error is AppError {
  return error instanceof AppError && error.code === (typeof kind === "string" ? kind : kind.name);
}

/** A refused login: answered like the error it is made from, and logged with the client's address. */
export class RefusedLogin extends AppError {
  /** `account` is the name that was tried (never a password or key), or null. `reason` is for the log. */
  constructor(
    { kind, sentence, data }: AppError,
    readonly account: string | null,
    readonly reason: string = kind.name,
  ) {
    super(kind, sentence, data);
  }
}

/** Every 401 counts as a refused login, also where only an action finds that nobody is logged in. */
export function toRefusedLogin(error: unknown): RefusedLogin | null {
  if (error instanceof RefusedLogin) return error;
  return error instanceof AppError && error.status === 401 ? new RefusedLogin(error, null) : null;
}

export function fail(
  kind: ErrorKind | CommonError,
  message: KnownText | Sentence,
  data?: Record<string, unknown>,
): never {
  throw new AppError(kind, message, data);
}

/** For what only programs and operators meet. */
export function failInEnglish(
  kind: ErrorKind | CommonError,
  message: string,
  data?: Record<string, unknown>,
): never {
  throw new AppError(kind, englishOnly(message), data);
}

/** Nothing was saved, so a client may try again by itself. In a cluster, also the answer to what only reads while no node leads. */
export const notSaved = "The server could not save this just now. Please try again.";

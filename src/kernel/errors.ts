/** Every error a client can get: its HTTP status and, if different, its code on the wire (docs/http-api.md#errors). */
const codes = {
  BAD_REQUEST: { status: 400 },
  REQUEST_VARIABLE_MISSING: { status: 400 },
  REQUEST_VARIABLE_INVALID: { status: 400 },
  INVALID_JSON: { status: 400 },
  STREAM_DOES_NOT_EXIST: { status: 400 },
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: { status: 400 },
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: { status: 400 },
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: { status: 400 },
  UNAUTHORIZED_PRINCIPAL: { status: 400 },
  BAD_NARROW: { status: 400 },
  BAD_EVENT_QUEUE_ID: { status: 400 },
  REACTION_ALREADY_EXISTS: { status: 400 },
  REACTION_DOES_NOT_EXIST: { status: 400 },
  SYSTEM_GROUP_REQUIRED: { status: 400 },
  EXPECTATION_MISMATCH: { status: 400 },
  CANNOT_DEACTIVATE_GROUP_IN_USE: { status: 400 },
  CANNOT_DEACTIVATE_LAST_USER: { status: 400 },
  REALM_UPLOAD_QUOTA: { status: 400 },
  BAD_IMAGE: { status: 400 },
  INVITATION_FAILED: { status: 400 },
  UNAUTHORIZED: { status: 401 },
  INVALID_API_KEY: { status: 401 },
  UNAUTHENTICATED_USER: { status: 401 },
  AUTHENTICATION_FAILED: { status: 401 },
  USER_DEACTIVATED: { status: 401 },
  REALM_DEACTIVATED: { status: 401 },
  CSRF_FAILED: { status: 403 },
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
} as const satisfies Record<string, { status: number; wire?: string }>;

export type ErrorCode = keyof typeof codes;

export interface ErrorFacts {
  /** As clients read it. */
  code: string;
  status: number;
}

/** Every code that clients can meet, with the statuses it comes with. */
export function errorFacts(): ErrorFacts[] {
  const rows: [string, { status: number; wire?: string }][] = Object.entries(codes);
  return rows.map(([name, { status, wire }]) => ({ code: wire ?? name, status }));
}

/** An error meant for the person who asked: a complete sentence, a code, and the code's documented extra fields. */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly data: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = "AppError";
  }

  get status(): number {
    return codes[this.code].status;
  }

  toWire(): Record<string, unknown> {
    const row: { status: number; wire?: string } = codes[this.code];
    return { result: "error", msg: this.message, code: row.wire ?? this.code, ...this.data };
  }
}

/** Refuses somebody who tried to get in: answered as the error it is made of, and logged with where they came from. */
export class RefusedLogin extends AppError {
  /** `account` is the name that was tried, null for none: never a password or key. `reason` is what the log says. */
  constructor(
    { code, message, data }: AppError,
    readonly account: string | null,
    readonly reason: string = code,
  ) {
    super(code, message, data);
  }
}

export function fail(code: ErrorCode, message: string, data?: Record<string, unknown>): never {
  throw new AppError(code, message, data);
}

// Describes what is wrong with a remote store, for its users and for the operator.
import { AppError } from "@/kernel/lib/errors.ts";

const sentence =
  "The server's file store does not answer just now, so files can be neither stored nor read. Please try again in a few minutes.";

const fullSentence =
  "The server's file store is full, so nothing can be uploaded just now. Please tell an administrator.";

/** Throws the error for users; its cause is for the log. */
export function away(error: unknown): never {
  throw Object.assign(new AppError("SERVER_NOT_READY", sentence), { cause: error });
}

/** The same where there is no room. */
export function full(error: unknown): never {
  throw Object.assign(new AppError("SERVER_NOT_READY", fullSentence), { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  ConnectionRefused: "the connection is refused",
  DNSResolveFailed: "there is no such host",
  Timeout: "no answer in time",
  ConnectionClosed: "it closes the connection",
  NoSuchBucket: "there is no such bucket",
  AccessDenied: "the credentials may not do this",
  InvalidAccessKeyId: "it does not know this access key",
  SignatureDoesNotMatch: "the secret key is wrong",
  PermanentRedirect: "the bucket is in another region",
  AuthorizationHeaderMalformed: "the bucket is in another region",
};

/** Why a store failed, as the end of a sentence. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof AppError && error.cause ? error.cause : error;
  const { code, message } = cause as Error & { code?: string };
  return reasons[code ?? ""] ?? (code ? `${code}: ${message}` : message);
}

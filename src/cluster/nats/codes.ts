// JetStream's error codes.
import { JetStreamApiError } from "@nats-io/jetstream";

export const noStream = 10059;
/** A stream has as many bytes as it may. */
export const streamFull = 10077;
/** No server, or not enough of them, can keep as much free as a stream is to have. */
export const noRoom: readonly number[] = [10005, 10047];

/** The code of an error that JetStream answered; null for any other error. */
export function codeOf(error: unknown): number | null {
  return error instanceof JetStreamApiError ? error.code : null;
}

/** Whether an append or update was refused because its expected sequence or revision is not the current one. */
export function isWrongLast(error: unknown): boolean {
  const code = codeOf(error);
  return code === 10071 || code === 10164;
}

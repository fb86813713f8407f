import type { Log } from "./kernel/lib/log.ts";

const windowMs = 60_000;
const maxInWindow = 60;

/** Logs a request that could not be read: its status, and the address of its connection, which may be a proxy's. */
export type LogUnreadable = (status: number, address: string | undefined) => void;

/** Logs at most 60 lines a minute, since anybody can send such requests; the next line says how many were left out. */
export function unreadableRequests(log: Log, now = () => performance.now()): LogUnreadable {
  let [begun, lines, left_out] = [Number.NEGATIVE_INFINITY, 0, 0];
  return (status, address) => {
    if (now() - begun >= windowMs) [begun, lines] = [now(), 0];
    if (++lines > maxInWindow) {
      left_out++;
      return;
    }
    log.info("request", { operation: "none", status, address, left_out: left_out || undefined });
    left_out = 0;
  };
}

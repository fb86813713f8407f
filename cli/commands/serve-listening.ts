// Where a server listens, and what ends it.
import { networkInterfaces } from "node:os";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { ServeSettings } from "./serve-args.ts";

/** An address to connect to, if the host is a wildcard address. */
export function connectable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

export function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

export function notListening(error: { code?: string }, host: string, port: number): never {
  const unknownHost = `there is no host named ${host}; name another with --host.`;
  const sentences: Record<string, string> = {
    EADDRINUSE: `port ${port} of ${host} is taken; stop what uses it, or choose another with --port.`,
    EACCES: `you may not use port ${port}; choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `this machine does not have the address ${host}; name another with --host.`,
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
    ENOENT: unknownHost,
  };
  const sentence = sentences[error.code ?? ""];
  if (sentence === undefined) throw error;
  fail("BAD_REQUEST", sentence);
}

/** Where the server listens: for a domain, at its own addresses and the port of HTTPS. */
export function listeningOf({ host, port, domain }: ServeSettings): { host: string; port: number } {
  if (domain === undefined) return { host: host ?? "127.0.0.1", port: port ?? 9900 };
  return { host: host ?? allAddresses(), port: port ?? 443 };
}

/** All addresses of the machine, those of IPv6 included, if it has any. */
function allAddresses(): string {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return own.some(({ family }) => family === "IPv6") ? "::" : "0.0.0.0";
}

/** SIGHUP ends a server whose terminal is closed; with a certificate, it reloads that instead. */
export function endingSignals({ tls_cert, domain }: ServeSettings): Record<string, number> {
  const signals = { SIGINT: 2, SIGTERM: 15 };
  if (tls_cert !== undefined || domain !== undefined) return signals;
  if (process.stdin.isTTY) return { ...signals, SIGHUP: 1 };
  // Without a certificate there is nothing to reload; by default the signal would kill the process.
  process.on("SIGHUP", () => {});
  return signals;
}

/** Resolves once the first signal has stopped the server gracefully; a second signal ends the process at once. */
export function stopOnSignal(stop: () => Promise<void>, signals: Record<string, number>): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false;
    for (const [signal, number] of Object.entries(signals)) {
      process.on(signal, () => {
        if (stopping) process.exit(128 + number);
        stopping = true;
        stop().then(resolve, reject);
      });
    }
  });
}

// Which certificate this process serves.
import { X509Certificate } from "node:crypto";
import type { Reads } from "@/kernel/core/context.ts";
import { perApp } from "@/kernel/store/per-app.ts";

/** In PEM. */
export interface Pair {
  cert: string;
  key: string;
}

interface Served {
  /** The current pair: the stored one, or a self-signed one until there is one; null if the server gets none by itself. */
  read: (() => Pair) | null;
  interim: Pair | null;
  /** The certificate in use. */
  cert: string | null;
  /** Has new connections use the current pair. */
  reload: () => void;
}

export const servedOf = perApp((): Served => ({ read: null, interim: null, cert: null, reload: () => {} }));

/** How long the certificate in use is valid, in UNIX seconds; null without TLS, and for a self-signed one until there is another. */
export function readValidity(reads: Reads): { valid_from: number; expires_at: number } | null {
  const { cert, interim } = servedOf(reads);
  if (cert === null || cert === interim?.cert) return null;
  const { validFrom, validTo } = new X509Certificate(cert);
  return { valid_from: secondsOf(validFrom), expires_at: secondsOf(validTo) };
}

/** A time as certificates have it, in UNIX seconds. */
export const secondsOf = (date: string) => Math.floor(Date.parse(date) / 1000);

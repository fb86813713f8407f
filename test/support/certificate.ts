import { existsSync } from "node:fs";
import { join } from "node:path";

export const openssl = Bun.which("openssl");

/** A self-signed certificate, and its key, by the name it carries. */
export function certificate(folder: string, name: string): { cert: string; key: string } {
  const cert = join(folder, `${name}.pem`);
  const key = join(folder, `${name}.key`);
  const subject = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  Bun.spawnSync([openssl as string, "req", "-x509", ...made, "-keyout", key, "-out", cert, ...subject]);
  if (!existsSync(cert)) throw new Error("openssl made no certificate");
  return { cert, key };
}

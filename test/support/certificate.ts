import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const openssl = Bun.which("openssl");

/** Makes a self-signed certificate and its key, by default for this machine. */
export function certificate(
  folder: string,
  name: string,
  { names = "DNS:localhost,IP:127.0.0.1", days = 2 } = {},
): { cert: string; key: string } {
  const cert = join(folder, `${name}.pem`);
  const key = join(folder, `${name}.key`);
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=${names}`];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", String(days)];
  Bun.spawnSync([openssl as string, "req", "-x509", ...made, "-keyout", key, "-out", cert, ...subject]);
  if (!existsSync(cert)) throw new Error("openssl made no certificate");
  return { cert, key };
}

/** As `certificate`, in PEM. */
export function certificatePair(folder: string): { cert: string; key: string } {
  const { cert, key } = certificate(folder, "one");
  return { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
}

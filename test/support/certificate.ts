import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const openssl = Bun.which("openssl");

/** Makes a self-signed certificate and its key, by default for this machine; `names` may be empty. */
export function certificate(
  folder: string,
  name: string,
  { names = "DNS:localhost,IP:127.0.0.1", days = 2 } = {},
): { cert: string; key: string } {
  const cert = join(folder, `${name}.pem`);
  const key = join(folder, `${name}.key`);
  const subject = ["-subj", `/CN=${name}`];
  if (names !== "") subject.push("-addext", `subjectAltName=${names}`);
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

/** Makes an authority and a certificate that it signed, for this machine. */
export function signedCertificate(folder: string, name: string): { ca: string; cert: string; key: string } {
  const ca = certificate(folder, `${name}-authority`);
  const [key, asked, cert] = ["key", "csr", "pem"].map((end) => join(folder, `${name}.${end}`));
  const names = join(folder, `${name}.names`);
  writeFileSync(names, "subjectAltName=DNS:localhost,IP:127.0.0.1\n");
  const made = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-subj",
    `/CN=${name}`,
  ];
  Bun.spawnSync([openssl as string, "req", ...made, "-keyout", key as string, "-out", asked as string]);
  const by = ["-CA", ca.cert, "-CAkey", ca.key, "-days", "2", "-extfile", names];
  Bun.spawnSync([openssl as string, "x509", "-req", "-in", asked as string, ...by, "-out", cert as string]);
  if (!existsSync(cert as string)) throw new Error("openssl made no certificate");
  return { ca: ca.cert, cert: cert as string, key: key as string };
}

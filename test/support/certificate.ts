// Certificates with P-256 keys, in PEM.
import "reflect-metadata"; // which @peculiar/x509 needs before it is loaded
import { writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import {
  BasicConstraintsExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const dayMs = 86_400_000;

interface Pair {
  cert: string;
  key: string;
}

interface Issued {
  certificate: X509Certificate;
  keys: CryptoKeyPair;
}

interface Wanted {
  /** Host names and IP addresses. */
  names?: string[];
  days?: number;
  /** Without one, the certificate is self-signed, and an authority. */
  issuer?: Issued;
}

/** Writes a self-signed certificate and its key, by default for this machine; `names` may be empty. */
export async function certificate(
  folder: string,
  name: string,
  wanted?: Pick<Wanted, "names" | "days">,
): Promise<Pair> {
  return writePair(folder, name, await pem(await issue(name, wanted)));
}

/** A self-signed certificate and its key, for this machine: the texts. */
export async function certificatePair(): Promise<Pair> {
  return await pem(await issue("one"));
}

/** Writes the certificate of an authority, and a certificate for this machine that it signed, with its key. */
export async function signedCertificate(folder: string, name: string): Promise<Pair & { ca: string }> {
  const authority = await issue(`${name}-authority`, { names: [] });
  const ca = join(folder, `${name}-authority.pem`);
  writeFileSync(ca, authority.certificate.toString("pem"));
  const signed = await issue(name, { issuer: authority });
  return { ca, ...writePair(folder, name, await pem(signed)) };
}

async function issue(
  name: string,
  { names = ["localhost", "127.0.0.1"], days = 2, issuer }: Wanted = {},
): Promise<Issued> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const usages = KeyUsageFlags.digitalSignature | (issuer ? 0 : KeyUsageFlags.keyCertSign);
  const extensions: Extension[] = [
    new BasicConstraintsExtension(!issuer, undefined, true),
    new KeyUsagesExtension(usages, true),
  ];
  const alternatives = names.map((value) => ({ type: isIP(value) ? "ip" : "dns", value }) as const);
  if (names.length > 0) extensions.push(new SubjectAlternativeNameExtension(alternatives));
  const subject = [{ CN: [name] }];
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: issuer?.certificate.subjectName ?? subject,
    notAfter: new Date(Date.now() + days * dayMs),
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    signingAlgorithm: algorithm,
    extensions,
  });
  return { certificate, keys };
}

async function pem({ certificate, keys }: Issued): Promise<Pair> {
  const key = await crypto.subtle.exportKey("pkcs8", keys.privateKey);
  return { cert: certificate.toString("pem"), key: PemConverter.encode(key, "PRIVATE KEY") };
}

function writePair(folder: string, name: string, texts: Pair): Pair {
  const paths = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
  writeFileSync(paths.cert, texts.cert);
  writeFileSync(paths.key, texts.key, { mode: 0o600 });
  return paths;
}

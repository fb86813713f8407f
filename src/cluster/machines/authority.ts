// The cluster's own authority, and the certificates by which its machines know each other. Loaded only by commands and machines of such a cluster.
import { isIP } from "node:net";
import type { X509Certificate } from "@peculiar/x509";
import { loadX509 } from "@/kernel/lib/x509.ts";

/** In PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const validMs = 30 * 365 * 86_400_000;
/** The machines' clocks may differ. */
const earlierMs = 86_400_000;

const newKeys = () => crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);

async function pairOf(certificate: X509Certificate, key: CryptoKey): Promise<Pair> {
  const { PemConverter } = await loadX509();
  const bytes = await crypto.subtle.exportKey("pkcs8", key);
  return { cert: `${certificate.toString("pem")}\n`, key: `${PemConverter.encode(bytes, "PRIVATE KEY")}\n` };
}

const lifetime = () => ({
  notBefore: new Date(Date.now() - earlierMs),
  notAfter: new Date(Date.now() + validMs),
});

export async function newAuthority(cluster: string): Promise<Pair> {
  const { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, X509CertificateGenerator } =
    await loadX509();
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [`Confab cluster ${cluster}`] }],
    ...lifetime(),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    ],
  });
  return pairOf(certificate, keys.privateKey);
}

/** A certificate of the authority for a machine at this address. */
export async function certificateFor(authority: Pair, name: string, address: string): Promise<Pair> {
  const { PemConverter, SubjectAlternativeNameExtension, X509Certificate, X509CertificateGenerator } =
    await loadX509();
  const [keys, signingKey] = await Promise.all([
    newKeys(),
    crypto.subtle.importKey("pkcs8", PemConverter.decodeFirst(authority.key), algorithm, false, ["sign"]),
  ]);
  const certificate = await X509CertificateGenerator.create({
    subject: [{ CN: [name] }],
    issuer: new X509Certificate(authority.cert).subject,
    ...lifetime(),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: algorithm,
    extensions: [
      new SubjectAlternativeNameExtension([{ type: isIP(address) ? "ip" : "dns", value: address }]),
    ],
  });
  return pairOf(certificate, keys.privateKey);
}

// Makes keys, requests for certificates, and self-signed certificates. Loaded only where the server gets its certificate by itself.
import { loadX509 } from "@/kernel/lib/x509.ts";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const interimDays = 90;

const newKeys = () => crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);

async function pemOf(key: CryptoKey): Promise<string> {
  const { PemConverter } = await loadX509();
  return PemConverter.encode(await crypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY");
}

async function namesOf(domain: string) {
  const { SubjectAlternativeNameExtension } = await loadX509();
  return [new SubjectAlternativeNameExtension([{ type: "dns", value: domain }])];
}

/** A private key (PEM). */
export async function newPrivateKey(): Promise<string> {
  return pemOf((await newKeys()).privateKey);
}

/** A request for a certificate (DER), with its new private key (PEM). */
export async function newRequest(domain: string): Promise<{ request: Uint8Array; key: string }> {
  const { Pkcs10CertificateRequestGenerator } = await loadX509();
  const keys = await newKeys();
  const request = await Pkcs10CertificateRequestGenerator.create({
    // Some authorities take the name from here.
    name: domain.length <= 64 ? [{ CN: [domain] }] : [],
    keys,
    signingAlgorithm: algorithm,
    extensions: await namesOf(domain),
  });
  return { request: new Uint8Array(request.rawData), key: await pemOf(keys.privateKey) };
}

/** A certificate that nobody trusts, for as long as there is no other (PEM). */
export async function makeSelfSigned(domain: string): Promise<{ cert: string; key: string }> {
  const { X509CertificateGenerator } = await loadX509();
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ["No certificate yet"] }],
    notAfter: new Date(Date.now() + interimDays * 86_400_000),
    keys,
    signingAlgorithm: algorithm,
    extensions: await namesOf(domain),
  });
  return { cert: certificate.toString("pem"), key: await pemOf(keys.privateKey) };
}

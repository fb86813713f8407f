// A push service as browser makers run them: takes encrypted pushes for its subscriptions; this one also decrypts them.
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import type { PushedText } from "@/outside/web-push/schema.ts";
import { servePlain } from "./plain-server.ts";

export interface Pushed {
  /** The number of the browser, in the order of `browser()`. */
  to: number;
  text: PushedText;
  /** The claims that the server signed. */
  claims: { aud: string; exp: number; sub: string };
  ttl: number;
}

export interface PushBrowser {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface PushService {
  readonly pushed: Pushed[];
  /** The number of requests, whatever their answers were. */
  readonly requests: number;
  /** The status of the next answers; 201 by default. */
  status: number;
  browser(): PushBrowser;
  stop(): void;
}

/** RFC 8291 and 8188, with one record. */
function decrypted(
  body: Buffer,
  { ecdh, auth }: { ecdh: ReturnType<typeof createECDH>; auth: Buffer },
): string {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync("sha256", ecdh.computeSecret(sender), auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, Buffer.from(`Content-Encoding: ${name}\0`), length));
  const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString("utf8");
}

/** Checks the signature of RFC 8292; returns the signed claims. */
function vouched(authorization: string, publicKey: string): Pushed["claims"] {
  const { t = "", k = "" } = Object.fromEntries(
    authorization
      .replace(/^vapid /i, "")
      .split(/,\s*/)
      .map((part) => part.split("=", 2)),
  ) as { t?: string; k?: string };
  if (k !== publicKey) throw new Error("signed by another key");
  const [head = "", claims = "", signature = ""] = t.split(".");
  const point = Buffer.from(k, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const isRight = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isRight) throw new Error("wrong signature");
  return JSON.parse(Buffer.from(claims, "base64url").toString());
}

/** `publicKey` returns the server's key that browsers subscribe with. */
export async function pushService(publicKey: () => string): Promise<PushService> {
  const pushed: Pushed[] = [];
  const secrets: { ecdh: ReturnType<typeof createECDH>; auth: Buffer }[] = [];
  let requests = 0;
  const server = await servePlain(({ path, headers, body }) => {
    requests++;
    const to = Number(path.split("/").at(-1));
    const secret = secrets[to];
    if (!secret) return { status: 404 };
    if (service.status !== 201) return { status: service.status };
    const claims = vouched(headers.authorization ?? "", publicKey());
    pushed.push({ to, text: JSON.parse(decrypted(body, secret)), claims, ttl: Number(headers.ttl) });
    return { status: 201 };
  });
  const service: PushService = {
    pushed,
    get requests() {
      return requests;
    },
    status: 201,
    browser() {
      const ecdh = createECDH("prime256v1");
      ecdh.generateKeys();
      const auth = randomBytes(16);
      secrets.push({ ecdh, auth });
      return {
        endpoint: `http://127.0.0.1:${server.port}/push/${secrets.length - 1}`,
        p256dh: ecdh.getPublicKey("base64url"),
        auth: auth.toString("base64url"),
      };
    },
    stop: () => void server.stop(),
  };
  return service;
}

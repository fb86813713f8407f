import { afterEach, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect, type OutgoingHttpHeaders } from "node:http2";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { certificate } from "../support/certificate.ts";
import { cleanUp, confab, newFolder, serve } from "../support/executable.ts";
import { until } from "../support/waiting.ts";

afterEach(() => cleanUp());

function nameShownBy(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.end();
    });
    socket.once("error", reject);
  });
}

describe("with a certificate", () => {
  test("serves HTTPS over HTTP/1.1 and HTTP/2, and takes a renewed certificate on SIGHUP", async () => {
    const folder = newFolder();
    const { cert, key } = await certificate(folder, "first");
    const server = await serve(newFolder(), ["--tls-cert", cert, "--tls-key", key]);
    expect(server.printed().stdout).toStartWith(`Confab is ready at https://127.0.0.1:${server.port}\n`);

    const tls = { ca: readFileSync(cert, "utf8") };
    const overOne = await fetch(`https://127.0.0.1:${server.port}/health`, { tls });
    expect(await overOne.json()).toMatchObject({ status: "ok" });
    expect(overOne.headers.get("strict-transport-security")).toBe(`max-age=${180 * 86_400}`);
    expect(await overTwo(server.port, "/api/v1/server_settings", tls.ca)).toMatchObject({
      result: "success",
    });
    // HTTP/2 bodies need no declared length.
    const apiKey = /API key +(\w+)/.exec(server.printed().stdout)?.[1];
    const authorization = `Basic ${btoa(`owner@localhost:${apiKey}`)}`;
    const form = { ":method": "POST", authorization, "content-type": "application/x-www-form-urlencoded" };
    const sent = { headers: form, body: "type=direct&to=[]&content=hello" };
    expect(await overTwo(server.port, "/api/v1/messages", tls.ca, sent)).toMatchObject({ id: 1 });

    const renewed = await certificate(folder, "second");
    copyFileSync(renewed.cert, cert);
    copyFileSync(renewed.key, key);
    server.signal("SIGHUP");
    await until(async () => (await nameShownBy(server.port)) === "second", "the new certificate is shown");

    writeFileSync(cert, "nonsense");
    server.signal("SIGHUP");
    const isRefused = () => server.printed().stderr.includes("does not hold a PEM certificate");
    await until(isRefused, "the broken certificate is refused");
    expect(await nameShownBy(server.port)).toBe("second");
    expect(await server.end("SIGTERM")).toBe(0);
  });

  test.each([
    [["--tls-cert", "CERT"], 2, "--tls-cert and --tls-key go together"],
    [["--tls-cert", "CERT", "--tls-key", "OTHER"], 1, "is not the private key of the certificate in"],
    [["--tls-cert", "KEY", "--tls-key", "KEY"], 1, "does not hold a PEM certificate."],
    [["--tls-cert", "CERT", "--tls-key", "CERT"], 1, "does not hold a PEM private key without a passphrase."],
    [["--tls-cert", "CERT.absent", "--tls-key", "KEY"], 1, "cannot be read: there is no such file."],
  ])("refuses %p", async (args, status, sentence) => {
    const folder = newFolder();
    const one = await certificate(folder, "one");
    const other = await certificate(folder, "other");
    const paths: [RegExp, string][] = [
      [/^CERT/, one.cert],
      [/^KEY/, one.key],
      [/^OTHER/, other.key],
    ];
    const given = args.map((arg) => paths.reduce((text, [name, path]) => text.replace(name, path), arg));
    const data = newFolder();
    const refused = await confab(["serve", "--data", data, ...given]);
    expect([refused.status, refused.stderr]).toEqual([status, expect.stringContaining(sentence)]);
    expect(existsSync(join(data, "confab.db"))).toBe(false);
  });
});

interface Sent {
  headers: OutgoingHttpHeaders;
  body: string;
}

function overTwo(port: number, path: string, ca: string, sent?: Sent): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const session = connect(`https://127.0.0.1:${port}`, { ca });
    session.once("error", reject);
    const request = session.request({ ":path": path, ...sent?.headers });
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      text += chunk;
    });
    request.once("end", () => {
      session.close();
      resolve(JSON.parse(text));
    });
    request.once("error", reject);
    if (sent) request.write(sent.body);
    request.end();
  });
}

describe("HSTS", () => {
  const path = "/api/v1/server_settings";
  const ageOf = async (server: { url: string }, headers: Record<string, string>, at = path) =>
    (await fetch(server.url + at, { headers, redirect: "manual" })).headers.get("strict-transport-security");
  const https = { "x-forwarded-proto": "https" };

  test("is told where a trusted proxy says that the client came over TLS, on every kind of answer", async () => {
    const server = await serve(newFolder(), ["--trusted-proxy", "127.0.0.1", "--hsts-days", "2"]);
    for (const at of [path, "/", "/health", "/nowhere", "/api/v1/users/me", "/avatar/1"])
      expect([at, await ageOf(server, https, at)]).toEqual([at, "max-age=172800"]);
    expect(await ageOf(server, {})).toBeNull();
    expect(await ageOf(server, { "x-forwarded-proto": "http" })).toBeNull();
  });

  test("is not told on the word of others, nor with an age of 0", async () => {
    expect(await ageOf(await serve(newFolder()), https)).toBeNull();
    const other = await serve(newFolder(), ["--trusted-proxy", "10.0.0.1"]);
    expect(await ageOf(other, https)).toBeNull();
    const off = await serve(newFolder(), ["--trusted-proxy", "127.0.0.1", "--hsts-days", "0"]);
    expect(await ageOf(off, https)).toBeNull();
  });

  test("takes a number of days", async () => {
    const { status, stderr } = await confab(["serve", "--data", newFolder(), "--hsts-days", "long"]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("a number of days, such as 180")]);
  });
});

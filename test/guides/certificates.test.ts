// The guide on certificates: its settings and commands, with an authority of the tests.
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { acmeServer } from "../support/acme.ts";
import { cleanUp, executable, newFolder, newOrganization, serve } from "../support/executable.ts";
import { freePort } from "../support/ports.ts";
import { until } from "../support/waiting.ts";

const page = readFileSync(join(import.meta.dir, "..", "..", "docs", "certificates.md"), "utf8");
const blocks = (kind: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    ([, block = ""]) => block,
  );

afterAll(() => cleanUp());

function nameShownBy(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, servername: "localhost", rejectUnauthorized: false };
    const socket = connect(options, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.end();
    });
    socket.once("error", reject);
  });
}

test("a server with the guide's setting gets a certificate, and its commands say so", async () => {
  const machine = newFolder();
  const { data } = await newOrganization(join(machine, "var/lib/confab"));
  const bin = join(machine, "bin");
  mkdirSync(bin);
  const started = executable.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, "confab"), `#!/bin/sh\nexec ${started} "$@"\n`);
  writeFileSync(join(bin, "sudo"), '#!/bin/sh\nshift 2\nexec "$@"\n');
  for (const name of ["confab", "sudo"]) chmodSync(join(bin, name), 0o755);

  const [usual = "", own = ""] = blocks("toml");
  const httpPort = await freePort();
  const authority = await acmeServer({ httpPort });
  const port = await freePort();
  const settings = `${usual}${own.replace(/"https:.*"/, `"${authority.directory}"`).replace(/^acme_ca.*$/m, "")}`;
  const ours = `port = ${port}\nhttp_port = ${httpPort}\nhost = "127.0.0.1"\n`;
  writeFileSync(join(data, "confab.toml"), settings.replace("chat.example.com", "localhost") + ours);
  const server = await serve(data, ["--port", String(port)], { isSecure: true });
  expect(server.printed().stdout).toStartWith(`Confab is ready at https://localhost:${port}\n`);
  await until(
    async () => (await nameShownBy(port)) === "localhost",
    () => `the certificate is shown: ${server.printed().stderr}`,
  );

  const outputs: string[] = [];
  for (const command of blocks("sh")) {
    const onMachine = command.replaceAll("/var/lib/", `${machine}/var/lib/`);
    const ran = Bun.spawn(["bash", "-euo", "pipefail", "-c", onMachine], {
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
      stdout: "pipe",
      stderr: "pipe",
    });
    outputs.push((await new Response(ran.stdout).text()) + (await new Response(ran.stderr).text()));
    expect(await ran.exited).toBe(0);
  }
  expect(outputs.join("")).toMatch(/Certificate.*The one for localhost is valid until 20\d\d-/);
  const led = await fetch(`http://127.0.0.1:${httpPort}/login`, { redirect: "manual" });
  expect(led.headers.get("location")).toBe(`https://localhost:${port}/login`);
  expect(await server.end("SIGTERM")).toBe(0);
  await authority.stop();
});

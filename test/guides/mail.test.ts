// Runs the commands of the guides on mail and single sign-on, with a mail server and a provider that the test starts.
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { providersOf } from "@cli/providers.ts";
import { providerRule } from "@/outside/single-sign-on/schema.ts";
import { cleanUp, confab, newFolder } from "../support/executable.ts";
import { client, startProvider, type TestProvider } from "../support/oidc.ts";
import { startMailServer } from "../support/smtp.ts";

const root = join(import.meta.dir, "..", "..");
const built = join(root, "dist", "confab");
const page = (name: string) => readFileSync(join(root, "docs", name), "utf8");
const blocks = (name: string, kind: string) =>
  [...page(name).matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    ([, block = ""]) => block,
  );

/** The providers in the guide's examples. */
const examples = ["keycloak", "authentik", "google", "entra"] as const;

const mails = await startMailServer();
const provider = await startProvider("https://chat.example.com");
afterAll(async () => {
  mails.close();
  provider.close();
  await cleanUp();
});

describe.skipIf(!existsSync(built))("the guides on mail and single sign-on", () => {
  test("give commands that work as they stand, with their settings", async () => {
    const data = newFolder();
    const made = ["init", "--data", data, "--org", "Crew", "--owner-email", "ada@example.com"];
    expect((await confab([...made, "--owner-name", "Ada"])).status).toBe(0);
    const settings = [...blocks("mail.md", "toml"), ...blocks("single-sign-on.md", "toml")]
      .filter((block) => !examples.some((name) => block.startsWith(`[oidc.${name}]`)))
      .join("\n")
      .replace("smtps://chat:PASSWORD@mail.example.com", mails.url)
      .replace("https://id.example.com/realms/company", provider.issuer)
      .replace("SECRET", client.client_secret);
    writeFileSync(join(data, "confab.toml"), settings);
    const bin = join(data, "bin");
    mkdirSync(bin);
    symlinkSync(built, join(bin, "confab"));
    const commands = [
      ...blocks("mail.md", "sh"),
      ...blocks("single-sign-on.md", "sh"),
      ...blocks("two-step.md", "sh"),
    ];
    expect(commands.length).toBe(10);
    for (const command of commands) {
      const ran = Bun.spawn(["bash", "-euo", "pipefail", "-c", command], {
        env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, CONFAB_DATA: data },
        stdout: "pipe",
        stderr: "pipe",
      });
      const output = (await new Response(ran.stdout).text()) + (await new Response(ran.stderr).text());
      const status = await ran.exited;
      expect(`${command}→ ${status} ${status === 0 ? "" : output}`).toBe(`${command}→ 0 `);
      if (command.includes("doctor")) expect(output).toMatch(/company: 127\.0\.0\.1:\d+ signs people in/);
    }
    expect(mails.taken.map(({ to }) => to)).toEqual(["ada@example.com"]);
  });

  test("give an example for each provider, which the server reads and doctor checks", async () => {
    const data = newFolder();
    const made = ["init", "--data", data, "--org", "Crew", "--owner-email", "ada@example.com"];
    expect((await confab([...made, "--owner-name", "Ada"])).status).toBe(0);
    const started: TestProvider[] = [];
    let settings = "";
    for (const name of examples) {
      const [block = "", ...more] = blocks("single-sign-on.md", "toml").filter((one) =>
        one.startsWith(`[oidc.${name}]`),
      );
      expect([name, more]).toEqual([name, []]);
      const issuer = /issuer = "(https:[^"]+)"/.exec(block)?.[1] ?? "";
      const { pathname } = new URL(issuer);
      // Addresses of the same form, on this machine: Authentik's ends with a slash, Google's has no path.
      const played = await startProvider("https://chat.example.com", name, pathname === "/" ? "" : pathname);
      started.push(played);
      settings += block
        .replace(issuer, played.issuer)
        .replace(/client_id = ".*"/, `client_id = "${client.client_id}"`)
        .replace("SECRET", client.client_secret);
      expect(page("single-sign-on.md")).toContain(`https://chat.example.com/complete/oidc/${name}`);
    }
    writeFileSync(join(data, "confab.toml"), settings);
    expect(providersOf(data).map(({ name }) => name)).toEqual([...examples]);
    const { stdout } = await confab(["doctor", "--data", data]);
    for (const name of examples)
      expect(stdout).toMatch(new RegExp(`${name}: 127\\.0\\.0\\.1:\\d+ signs people in`));
    for (const { close } of started) close();
  }, 300_000);

  test("name every setting of a provider", () => {
    const text = page("single-sign-on.md");
    for (const name of Object.keys(providerRule.shape))
      expect([name, text.includes(name)]).toEqual([name, true]);
  });
});

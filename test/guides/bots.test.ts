// Runs the programs of docs/bots.md against a server until each has answered.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Credentials,
  call,
  cleanUp,
  json,
  newFolder,
  type Server,
  serve,
} from "../support/executable.ts";
import { textOf } from "../support/source-tree.ts";

let server: Server;
let owner: Credentials & { user_id: number };
const data = newFolder();
const guide = await textOf("docs/bots.md");

beforeAll(async () => {
  const init = [
    "init",
    "--org",
    "Crew",
    "--owner-email",
    "ada@example.com",
    "--owner-name",
    "Ada",
    "--data",
    data,
  ];
  owner = (await json<{ owner: typeof owner }>(init)).owner;
  server = await serve(data);
});
beforeEach(async () => {
  server = await server.revived();
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await cleanUp();
});

const commands: Record<string, { file: string; run: (file: string) => string[] }> = {
  python: { file: "bot.py", run: (file) => ["python3", file] },
  ts: { file: "bot.ts", run: (file) => [process.execPath, file] },
  sh: { file: "bot.sh", run: (file) => ["sh", file] },
};
const needs = { python: ["python3"], ts: [], sh: ["sh", "curl", "jq"] };

for (const language of ["python", "ts", "sh"] as const) {
  const absent = needs[language].filter((program) => !Bun.which(program));
  if (absent.length > 0)
    console.log(`LEFT OUT: the bot in ${language}, since ${absent.join(" and ")} is not here`);
  test.skipIf(absent.length > 0)(
    `the bot in ${language} answers`,
    async () => {
      const program = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? "";
      expect(program).not.toBe("");
      const create = [
        "bot",
        "create",
        "--name",
        `Echo ${language}`,
        "--short-name",
        language,
        "--data",
        data,
      ];
      const bot = await json<Credentials & { user_id: number }>(create);
      const { file, run } = commands[language] as (typeof commands)["sh"];
      writeFileSync(join(data, file), program);
      const env = {
        ...process.env,
        CONFAB_SITE: server.url,
        CONFAB_EMAIL: bot.email,
        CONFAB_KEY: bot.api_key,
      };
      const child = Bun.spawn(run(join(data, file)), { env, stdout: "ignore", stderr: "inherit" });
      try {
        // Until the bot has registered, it gets no messages: send until it answers.
        const answered = async () => {
          const narrow = JSON.stringify([{ operator: "sender", operand: bot.user_id }]);
          const window = {
            anchor: "newest",
            num_before: "1",
            num_after: "0",
            narrow,
            apply_markdown: "false",
          };
          const { body } = await call(server, owner, ["GET", "/messages"], window);
          return (body.messages as { content: string }[])[0]?.content;
        };
        let content: string | undefined;
        while (content === undefined && child.exitCode === null) {
          await call(server, owner, ["POST", "/messages"], {
            type: "direct",
            to: `[${bot.user_id}]`,
            content: "Ten *days* & “more”",
          });
          await Bun.sleep(300);
          content = await answered();
        }
        expect(content).toBe("You said: Ten *days* & “more”");
        expect(child.exitCode).toBeNull();
      } finally {
        child.kill();
        await child.exited;
      }
    },
    300_000,
  );
}

// Completion in the shells: bash, and zsh and fish, which the test installs if it can.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allCommands } from "@cli/loaders.ts";
import { commandLine } from "../support/command-line.ts";
import { cleanUp, executable, newFolder, newOrganization } from "../support/executable.ts";
import { hasTmux, openProgram } from "../support/tmux.ts";

let data = "";
let bin = "";
const { json, text, refused } = commandLine(() => data);

/** Whether a shell is installed; on Debian, root installs it. */
function has(shell: string): boolean {
  if (Bun.which(shell)) return true;
  if (process.getuid?.() === 0 && Bun.which("apt-get")) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", shell];
    const quietly = { env, stdout: "ignore", stderr: "ignore", timeout: 60_000 } as const;
    if (!Bun.spawnSync(install, quietly).success) {
      Bun.spawnSync(["apt-get", "update", "-qq"], quietly);
      Bun.spawnSync(install, quietly);
    }
  }
  if (Bun.which(shell)) return true;
  console.warn(`LEFT OUT: completion in ${shell}, which is not here and cannot be installed.`);
  return false;
}
const [hasZsh, hasFish] = [has("zsh"), has("fish")];

beforeAll(async () => {
  const founded = await newOrganization();
  data = founded.data;
  bin = newFolder();
  const [program = "", ...source] = executable;
  const path = join(bin, "confab");
  if (source.length === 0) symlinkSync(program, path);
  else
    writeFileSync(path, `#!/bin/sh\nexec ${executable.map((word) => `'${word}'`).join(" ")} "$@"\n`, {
      mode: 0o755,
    });
  await json(["user", "create", "--email", "ada@example.com", "--name", "Ada"]);
  await json(["channel", "create", "design"]);
  await json(["channel", "create", "design reviews"]);
  await json(["group", "create", "makers"]);
});
afterAll(() => cleanUp());

function shell(words: string[], env: Record<string, string> = {}): string {
  const path = `${bin}:${process.env.PATH}`;
  const { stdout } = Bun.spawnSync(words, { env: { ...process.env, ...env, PATH: path, CONFAB_DATA: data } });
  return stdout.toString().trim();
}

describe("completion", () => {
  test.skipIf(!Bun.which("bash"))("in bash offers nouns, verbs and options", async () => {
    const script = await text(["completion", "bash"]);
    const complete = (line: string) => {
      const words = line.split(" ");
      const call = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _confab; echo "\${COMPREPLY[@]}"`;
      return shell(["bash", "-c", `${script}\n${call}`]);
    };
    expect(complete("confab fol")).toBe("folder");
    expect(complete("confab folder un")).toBe("unarchive");
    expect(complete("confab channel update design --to")).toBe("--topics");
    expect(complete("confab serve --rate")).toBe("--rate-limit");
    expect(complete("confab user role ada@example.com mo")).toBe("moderator");
    expect(complete("confab user list --kind ")).toBe("person bot");
    expect(complete("confab bot create --name Bo --kind in")).toBe("incoming");
    expect(complete("confab --data /srv/x --as ada@example.com folders un")).toBe("unarchive");
    expect(complete("confab help channel upd")).toBe("update");
    expect(complete("confab --data /pro")).toBe("/proc");
    expect(complete("confab user list --a")).toBe("--as");
    expect(complete("confab api GE")).toBe("GET");
    expect(complete("confab api GET /us").split(" ")).toContain("/users/me");
    expect(complete("confab api GET /us")).not.toContain("/usr");
    expect(complete("confab api GET /nothing")).toBe("");
    expect(complete("confab settings set color_s")).toBe("color_scheme");
    expect(complete("confab config --a")).toBe("");
  });

  test("lists every command for the other shells", async () => {
    const [zsh, fish] = [await text(["completion", "zsh"]), await text(["completion", "fish"])];
    for (const { name } of await allCommands()) {
      const last = name.split(" ").at(-1) as string;
      expect(zsh).toContain(last);
      expect(fish).toContain(last);
    }
    expect(fish).toContain("-a update -d 'Change a user\\'s name or address'");
    expect(fish).toContain("-l role -x -a 'owner admin moderator member guest'");
    expect(await refused(["completion", "tcsh"], 2)).toContain("must be one of: bash, zsh, fish");
  });

  test.skipIf(!Bun.which("bash"))("in bash offers what the organization holds", async () => {
    const script = await text(["completion", "bash"]);
    const complete = (line: string) => {
      const words = line.split(" ");
      const call = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _confab; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return shell(["bash", "-c", `${script}\n${call}`]).split("\n");
    };
    expect(complete("confab user show a")).toEqual(["ada@example.com"]);
    expect(complete("confab channel show des")).toEqual(["design", "design\\ reviews"]);
    expect(complete("confab channel subscribe design ol")).toEqual(["olive@example.com"]);
    expect(complete("confab message list --channel design --from ad")).toEqual(["ada@example.com"]);
    expect(complete("confab group show mak")).toEqual(["makers"]);
    expect(complete("confab user list --as o")).toEqual(["olive@example.com"]);
    expect(complete("confab --data /nowhere user show a")).toEqual([""]);
    expect(complete("confab channel show nothing")).toEqual([""]);
  });

  test.skipIf(!hasZsh)("in zsh offers the same", async () => {
    const script = join(bin, "_confab.zsh");
    writeFileSync(script, await text(["completion", "zsh"]));
    const complete = (...words: string[]) => {
      const line = words.map((word) => `'${word}'`).join(" ");
      // Calls the function as zsh's bashcompinit does.
      const body = `autoload -U compinit && compinit -u -d ${join(bin, "dump")}; source ${script}
        probe() { emulate -L sh; setopt kshglob noshglob braceexpand ksharrays; local COMP_CWORD=${words.length - 1}; local -a COMP_WORDS COMPREPLY
        COMP_WORDS=(${line}); _confab; printf '%s\\n' "\${COMPREPLY[@]}"; }; probe`;
      // zsh itself drops completions that do not begin with the word.
      const offered = shell(["zsh", "-f", "-c", body]).split("\n");
      return offered.filter((one) => one.startsWith(words.at(-1) ?? ""));
    };
    expect(complete("confab", "fol")).toEqual(["folder"]);
    expect(complete("confab", "user", "show", "a")).toEqual(["ada@example.com"]);
    expect(complete("confab", "channel", "show", "des")).toEqual(["design", "design\\ reviews"]);
    expect(complete("confab", "settings", "set", "color_s")).toEqual(["color_scheme"]);
    expect(complete("confab", "group", "show", "mak")).toEqual(["makers"]);
  });

  test.skipIf(!hasFish)("in fish offers the same", async () => {
    const script = join(bin, "confab.fish");
    writeFileSync(script, await text(["completion", "fish"]));
    const complete = (line: string) =>
      shell(["fish", "--no-config", "-c", `source ${script}; complete -C '${line}'`], { HOME: bin })
        .split("\n")
        .map((found) => found.split("\t")[0]);
    expect(complete("confab fol")).toEqual(["folder"]);
    expect(complete("confab user show a")).toEqual(["ada@example.com"]);
    expect(complete("confab channel show des")).toEqual(["design", "design reviews"]);
    expect(complete("confab message list --from ad")).toEqual(["ada@example.com"]);
    expect(complete("confab group show mak")).toEqual(["makers"]);
    expect(complete("confab settings set color_s")).toEqual(["color_scheme"]);
  });

  const shells = [
    {
      name: "bash",
      program: ["bash", "--norc", "--noprofile", "-i"],
      source: "source <(confab completion bash)",
    },
    { name: "zsh", program: ["zsh", "-f", "-i"], source: "source <(confab completion zsh)" },
    { name: "fish", program: ["fish", "--no-config", "-i"], source: "confab completion fish | source" },
  ];
  const isHere = (name: string) => hasTmux && Bun.which(name) !== null;
  for (const { name, program, source } of shells)
    test.skipIf(!isHere(name))(`in ${name} answers the Tab key`, async () => {
      const path = `${bin}:${process.env.PATH}`;
      const env = {
        PATH: path,
        CONFAB_DATA: data,
        HOME: bin,
        ZDOTDIR: bin,
        TERM: "xterm",
        INPUTRC: "/dev/null",
      };
      const terminal = openProgram(program, { columns: 100, rows: 30, env });
      try {
        // The output differs from the typed command, so seeing it means that the shell has run the command.
        terminal.type(`${source}; echo "ready ""now"\n`);
        await terminal.sees(/^ready now/m);
        terminal.type("confab user sh\t");
        await terminal.sees(/confab user show$/m); // tmux drops the blank that follows
        terminal.type("ad\t");
        await terminal.sees("confab user show ada@example.com");
        terminal.press("C-u");
        terminal.type("confab channel show 'design r\t");
        await terminal.sees(/confab channel show ('design reviews'?|design\\ reviews)/);
        terminal.press("C-u");
        terminal.type("confab settings set color_s\t");
        await terminal.sees("confab settings set color_scheme");
      } finally {
        terminal.close();
      }
    });

  test("lists at most a thousand names, and refuses unknown kinds", async () => {
    expect(await json(["suggest", "groups", "MAK"])).toEqual(["makers"]);
    expect(await json(["suggest", "bots"])).toEqual([]);
    expect(await refused(["suggest", "secrets"], 2)).toContain("people, bots, channels, groups");
  });
});

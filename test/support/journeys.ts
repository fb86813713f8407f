// The worlds in which journeys are made: an organization that is empty, the sample, and a large one. In each, olive is an owner, and
// mel and max are members.
import { join } from "node:path";
import { apiKeyOf, emailOf, type World } from "../bench/worlds.ts";
import type { Browser } from "./browser.ts";
import { type Credentials, json, newFolder, serve } from "./executable.ts";
import { letSignIn, organizationAt, type WebOrganization } from "./web-people.ts";

export type WorldName = "empty" | "sample" | "large";

const fill = join(import.meta.dir, "..", "bench", "fill.ts");
/** 20 messages in each channel are unread by everybody: a thousand conversations for mel and max, who are in all. */
const large: World = {
  users: 300,
  channels: Array.from({ length: 80 }, (_, n) => ({ name: `channel ${n + 1}`, subscribers: 40 })),
  special: 0,
  messages: 43_000,
};

const worlds: Record<WorldName, (data: string) => Promise<Record<string, Credentials>>> = {
  empty: async (data) => {
    const olive = await found(data);
    const create = (name: string) => json<Credentials>(["user", "create", ...personArgs(data, name)]);
    const [mel, max] = await Promise.all([create("mel"), create("max")]);
    await Promise.all([olive, mel, max].map(({ email }) => letSignIn(data, email)));
    return { olive, mel, max };
  },
  sample: async (data) => {
    const server = await serve(data, ["--dev"]);
    const addresses = ["ines", "mei", "omar"].map((one) => `${one}@example.com`);
    // Before they get their keys, which a new password ends.
    await Promise.all(addresses.map((one) => letSignIn(data, one)));
    const keyOf = async (username: string): Promise<Credentials> => {
      const body = new URLSearchParams({ username });
      const answer = await fetch(`${server.url}/api/v1/dev_fetch_api_key`, { method: "POST", body });
      return (await answer.json()) as Credentials;
    };
    const [olive, mel, max] = await Promise.all(addresses.map(keyOf));
    await server.end("SIGTERM");
    return { olive, mel, max } as Record<string, Credentials>;
  },
  large: async (data) => {
    const olive = await found(data);
    const filling = Bun.spawn([process.execPath, fill, data, JSON.stringify(large)], { stdout: "ignore" });
    if ((await filling.exited) !== 0) throw new Error("The large organization could not be filled.");
    const nth = (n: number) => ({ email: emailOf(n), api_key: apiKeyOf(n) });
    const [mel, max] = [nth(large.users - 2), nth(large.users - 1)];
    await Promise.all([olive, mel, max].map(({ email }) => letSignIn(data, email)));
    return { olive, mel, max };
  },
};

function personArgs(data: string, name: string): string[] {
  return ["--email", `${name}@example.com`, "--name", name, "--data", data];
}

async function found(data: string): Promise<Credentials> {
  const owner = ["--org", "Harbour", "--owner-email", "olive@example.com", "--owner-name", "olive"];
  return (await json<{ owner: Credentials }>(["init", "--data", data, ...owner])).owner;
}

/** Opens one, which previews what links to this machine; everybody signs in by the password of these tests in a browser. */
export async function openWorld(name: WorldName, browser: Browser): Promise<WebOrganization> {
  const data = newFolder();
  const people = await worlds[name](data);
  return organizationAt({
    data,
    server: await serve(data, ["--preview-networks", "127.0.0.1"]),
    browser,
    people,
  });
}

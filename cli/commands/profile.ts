// Profiles: the remote servers that a person administers from here.
import { resolve } from "node:path";
import { z } from "zod";
import { emailAddress } from "@/foundation/users/schema.ts";
import { operand, option } from "../args.ts";
import { standalone } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { readSecret } from "../input.ts";
import { table } from "../output.ts";
import {
  addProfile,
  checkKeyText,
  chooseProfile,
  profileName,
  readKey,
  readProfiles,
  removeProfile,
} from "../profile-store.ts";
import { type RemoteAccount, remoteServer, serverUrl } from "../remote.ts";

const name = operand("NAME", profileName, "the profile's name");
const shape = z.object({ name: z.string(), server: z.string(), email: z.string(), is_current: z.boolean() });
type Shown = z.infer<typeof shape>;
const own = z.object({ delivery_email: z.string().nullish(), email: z.string() });

function presentProfile(name: string): Shown {
  const { current, profiles } = readProfiles();
  const { server = "", email = "" } = profiles[name] ?? {};
  return { name, server, email, is_current: current === name };
}

/** Fails unless the key opens the account. */
async function checkKey(account: RemoteAccount): Promise<void> {
  await remoteServer(account).get("/api/v1/users/me", own);
}

export default [
  standalone({
    name: "profile add",
    isApart: true,
    summary: "Save the address of a remote server and your API key there",
    about:
      "Saves a server's address, your address there and your API key, for --profile and --server. The key is read from --key-file or " +
      "from standard input; a terminal prompts for it without showing it. It is tried first, and kept in a file of its own that " +
      "only you can read. The first profile becomes the current one.",
    examples: [
      "confab profile add work --address https://chat.example.com --email ada@example.com < key.txt",
      "confab profile add lab --address https://10.0.0.7:9900 --email ada@example.com --key-file ~/lab.key --ca lab.pem",
    ],
    args: {
      name,
      address: option("URL", serverUrl, "the server's address"),
      email: option("EMAIL", emailAddress, "your address there"),
      key_file: option(
        "FILE",
        z.string().min(1).optional(),
        "file that holds the API key, which only you can read",
      ),
      ca: option(
        "FILE",
        z.string().min(1).optional(),
        "certificate (PEM) to trust, for a server that signs its own",
      ),
    },
    result: shape,
    async run({ show }, { name, address: server, email, key_file: file, ca }) {
      const key =
        file === undefined
          ? checkKeyText((await readSecret(`API key of ${email}`, { once: true })).trim(), "Standard input")
          : readKey(file);
      const made = { server, email, ...(ca === undefined ? {} : { ca: resolve(ca) }) };
      await checkKey({ ...made, key });
      addProfile(name, made, key);
      await show(presentProfile(name));
    },
    json: (made: Shown) => made,
    print: ({ name, server, email }: Shown) => `'confab --profile ${name}' acts as ${email} at ${server}.`,
  }),

  standalone({
    name: "profile list",
    isApart: true,
    summary: "List the saved servers",
    examples: ["confab profile list"],
    args: {},
    result: z.array(shape),
    async run({ show }) {
      await show(Object.keys(readProfiles().profiles).sort().map(presentProfile));
    },
    json: (profiles: Shown[]) => profiles,
    print: (profiles: Shown[]) =>
      table(
        ["NAME", "SERVER", "EMAIL", ""],
        profiles.map(({ name, server, email, is_current }) => [
          name,
          server,
          email,
          is_current ? "current" : "",
        ]),
      ),
  }),

  standalone({
    name: "profile use",
    isApart: true,
    summary: "Choose the profile that commands use",
    about:
      "Chooses the profile that every command uses if none of --data, CONFAB_DATA, --server and --profile is given, even where there " +
      "is a ./confab-data. Commands that work only on the machine of the server refuse then.",
    examples: ["confab profile use work"],
    args: { name },
    result: shape,
    async run({ show }, { name }) {
      chooseProfile(name);
      await show(presentProfile(name));
    },
    json: (made: Shown) => made,
    print: ({ name, server, email }: Shown) => `${name} is the current profile: ${email} at ${server}.`,
  }),

  standalone({
    name: "profile remove",
    isApart: true,
    summary: "Forget a profile and its key",
    examples: ["confab profile remove work --yes"],
    args: { name, yes },
    result: shape,
    async run({ show }, { name, yes }) {
      const removed = presentProfile(name);
      await confirm({ does: "forgets", count: [1, "profile"], of: "with its key", names: [name] }, yes);
      removeProfile(name);
      await show(removed);
    },
    json: (removed: Shown) => removed,
    print: ({ name, email, server }: Shown) =>
      `Forgot ${name}. The key itself still works: ${email} ends it at ${server}.`,
  }),
];

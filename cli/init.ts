import { z } from "zod";
import { createRealm } from "@/foundation/realm/actions.ts";
import { organizationName } from "@/foundation/realm/schema.ts";
import { emailAddress, fullName } from "@/foundation/users/schema.ts";
import { accountWithKey, accountWithKeyShape, keyFacts } from "./accounts.ts";
import { option } from "./args.ts";
import { standalone } from "./command.ts";
import { openFolder } from "./organization.ts";
import { harmless } from "./output.ts";

/** What makes the addresses of pictures unguessable. */
export function newSalt(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
}

/** What a first run creates. */
export const createdShape = z.object({
  organization: z.object({ name: z.string(), string_id: z.string(), date_created: z.int() }),
  owner: accountWithKeyShape,
});
type Created = z.infer<typeof createdShape>;

export default [
  standalone({
    name: "init",
    summary: "Create the organization and its owner",
    about:
      "Creates the organization and its owner in a data folder that has none yet, and shows the owner's API key.",
    examples: [
      "confab init --org 'Ada & Co' --owner-email ada@example.com --owner-name 'Ada Byron'",
      "confab init --data /srv/confab --org Crew --owner-email ada@example.com --owner-name Ada --json",
    ],
    args: {
      org: option("NAME", organizationName, "name of the organization"),
      owner_email: option("EMAIL", emailAddress, "address of its owner"),
      owner_name: option("NAME", fullName, "name of its owner"),
    },
    result: createdShape,
    async run({ dataDir, show }, { org, owner_email, owner_name }) {
      const app = await openFolder(dataDir);
      try {
        const names = { name: org, owner_email, owner_name };
        const { organization, ...owner } = await createRealm(app.system, {
          ...names,
          avatar_salt: newSalt(),
        });
        await show({ organization, owner: accountWithKey(owner) });
      } finally {
        await app.close();
      }
    },
    json: (created) => created,
    print: ({ organization, owner }: Created) =>
      `Created the organization ${harmless(organization.name)}, owned by ${owner.full_name}.\n${keyFacts(owner)}`,
  }),
];

import { z } from "zod";
import { organizationName } from "@/foundation/realm/schema.ts";
import {
  type CreatedRealm,
  continueRealm,
  createRealm,
  type RealmNames,
} from "@/foundation/realm-administration/actions.ts";
import { hasOrganization } from "@/foundation/realm-administration/queries.ts";
import { emailAddress, fullName } from "@/foundation/users/schema.ts";
import { stripControlCharacters } from "@/kernel/lib/control-characters.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { endBeginning, markFolder, putAside } from "@/operations/data-folder/host.ts";
import { beginningOf, checkNotLost, hasOrganizationIn, isLost } from "@/operations/data-folder/queries.ts";
import { english, languages } from "@/text/language/languages.ts";
import { accountWithKey, accountWithKeyShape, keyFacts } from "../accounts.ts";
import { flag, option } from "../args.ts";
import { standalone } from "../command.ts";
import { lockFolder } from "../lock.ts";
import { openFolder } from "../organization.ts";

/** The language of a new organization. */
export const languageTag = z.enum(languages.map(({ tag }) => tag)).default(english.tag);

/** A random value that makes avatar addresses impossible to guess. */
export function newSalt(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
}

/** What the first run created. */
export const createdShape = z.object({
  organization: z.object({ name: z.string(), string_id: z.string(), date_created: z.int() }),
  owner: accountWithKeyShape,
});
type Created = z.infer<typeof createdShape>;

/** Moves the remains of a lost organization out of the way; does nothing if the organization is intact. */
async function giveUpLost(dataDir: string): Promise<void> {
  if (!isLost(dataDir)) return;
  const unlock = lockFolder(dataDir);
  try {
    putAside(dataDir, new Date());
  } finally {
    unlock();
  }
}

/** Creates the organization, or continues where a process was killed that created it with the same names. */
async function create(dataDir: string, names: RealmNames, begunAt: number | null): Promise<CreatedRealm> {
  const app = await openFolder(dataDir);
  try {
    if (!hasOrganization(app.system)) {
      return await createRealm(app.system, { ...names, avatar_salt: newSalt() });
    }
    const continued = begunAt === null ? null : await continueRealm(app.system, { since: begunAt, names });
    return continued ?? alreadyThere();
  } finally {
    await app.close();
  }
}

/** Creates the organization in a data folder that has none yet; `tell` shows what cannot be shown again. */
export async function foundIn(
  dataDir: string,
  names: RealmNames,
  tell: (created: CreatedRealm) => Promise<void>,
): Promise<void> {
  checkNotLost(dataDir);
  const begunAt = beginningOf(dataDir);
  if (hasOrganizationIn(dataDir) && begunAt === null) alreadyThere();
  const unlock = lockFolder(dataDir);
  try {
    const created = await create(dataDir, names, begunAt);
    markFolder(dataDir);
    await tell(created);
    endBeginning(dataDir);
  } finally {
    unlock();
  }
}

function alreadyThere(): never {
  fail("BAD_REQUEST", "This data folder already holds an organization.");
}

export default [
  standalone({
    name: "init",
    summary: "Create the organization and its owner",
    about:
      "Creates the organization and its owner in a data folder that has none yet, and shows the owner's API key. In a " +
      "folder that has lost its database, --anew moves the remaining files into a subfolder and starts over.",
    examples: [
      "confab init --org 'Ada & Co' --owner-email ada@example.com --owner-name 'Ada Byron'",
      "confab init --org Werft --owner-email ada@example.com --owner-name 'Ada Byron' --language de",
      "confab init --data /srv/confab --org Crew --owner-email ada@example.com --owner-name Ada --json",
    ],
    args: {
      org: option("NAME", organizationName, "name of the organization"),
      owner_email: option("EMAIL", emailAddress, "address of its owner"),
      owner_name: option("NAME", fullName, "name of its owner"),
      language: option("TAG", languageTag, "language of the organization and of new people"),
      anew: flag(z.boolean().default(false), "start over in a folder that has lost its database"),
    },
    result: createdShape,
    async run({ dataDir, show }, { org, owner_email, owner_name, language, anew }) {
      if (anew) await giveUpLost(dataDir);
      const names = { name: org, owner_email, owner_name, default_language: language };
      await foundIn(dataDir, names, ({ organization, ...owner }) =>
        show({ organization, owner: accountWithKey(owner) }),
      );
    },
    json: (created) => created,
    print: ({ organization, owner }: Created) =>
      `Created the organization ${stripControlCharacters(organization.name)}, owned by ${owner.full_name}.\n${keyFacts(owner)}`,
  }),
];

import { z } from "zod";
import { roleName } from "@/foundation/permissions/schema.ts";
import { errorKinds } from "@/kernel/lib/errors.ts";

export const signOnErrors = errorKinds({
  SIGN_ON_FAILED: { status: 403, wire: "BAD_REQUEST" },
});

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** A provider's URL; without TLS only on this machine. */
const issuer = z.string().refine((text) => {
  const url = URL.parse(text);
  return (
    url !== null && (url.protocol === "https:" || (url.protocol === "http:" && loopback.test(url.hostname)))
  );
}, "an issuer's address must start with https://, such as https://id.example.com/realms/company");

/** An issuer's address as identities are stored with it: other spellings of the same address give the same text. */
export function issuerKey(address: string): string {
  return new URL(address).href;
}

const word = z.string().min(1).max(500);

/** The name of a provider in confab.toml and in URLs. */
export const providerName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,29}$/, "a provider's name has at most 30 small letters, digits and hyphens");

/** A provider's settings in confab.toml. */
export const providerRule = z.strictObject({
  issuer,
  client_id: word,
  client_secret: word.optional(),
  /** The label of its sign-in button. */
  button: z.string().trim().min(1).max(50).optional(),
  /** The path of a picture for the button. */
  icon: word.optional(),
  scopes: word.default("openid profile email"),
  /** The claim that says whether the address is verified. */
  verified_claim: word.default("email_verified"),
  groups_claim: word.default("groups"),
  /** Maps the provider's groups to roles. */
  roles: z.record(z.string(), roleName).default({}),
  /** Maps the provider's groups to user groups. */
  groups: z.record(z.string(), word).default({}),
  /** Whether to create accounts for people without one. */
  create_accounts: z.boolean().default(true),
});

export interface Provider extends z.infer<typeof providerRule> {
  name: string;
}

/** Where somebody ends who has shown at a provider who they are. */
export const provedPath = "/login/proved";

/** How long a person may take to sign in at the provider, in seconds. */
export const signOnLife = 600;

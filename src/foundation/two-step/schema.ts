import { z } from "zod";
import { errorKinds } from "@/kernel/lib/errors.ts";

export const twoStepErrors = errorKinds({
  TWO_STEP_REQUIRED: { status: 403 },
  TWO_STEP_SETUP_REQUIRED: { status: 403 },
});

/** What is still missing after a password or a link: a code, or setting two-step sign-in up. */
export type SecondStep = "code" | "set-up";

/** How many recovery codes people get at a time. */
export const recoveryCodeCount = 10;

/** A code as typed: six digits of an app, or a recovery code; blanks and hyphens do not matter. */
export const typedCode = z.string().max(100, "A code has at most 100 characters.");

export const setUpShape = {
  /** For typing into an app, in Base32. */
  secret: z.string(),
  /** For apps on the same device. */
  uri: z.string(),
  /** The same as a QR code: a `data:` URL of an SVG picture. */
  qr: z.string(),
};

export type SetUp = z.infer<z.ZodObject<typeof setUpShape>>;

export const recoveryCodes = z.array(z.string());

export const ownTwoStep = {
  is_on: z.boolean(),
  /** Whether the organization demands it. */
  is_required: z.boolean(),
  recovery_codes_left: z.int(),
  /** Whether setting it up takes the password. */
  needs_password: z.boolean(),
};

export const demandShape = {
  required: z.boolean(),
  /** How many active people have not set it up. */
  people_without: z.int(),
};

import { timingSafeEqual } from "node:crypto";
import { queueLetter } from "@/foundation/mail/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { authErrors } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { attempting, attemptLimit, countGuess, refuseFor } from "@/foundation/secrets/attempts.ts";
import { confirmPassword, insider } from "@/foundation/secrets/passwords.ts";
import { hashKey, newCode, plainCode } from "@/foundation/secrets/secrets.ts";
import { setProved } from "@/foundation/sessions/actions.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import { myself } from "@/foundation/users/access.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { AppError, fail, RefusedLogin } from "@/kernel/lib/errors.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { proofState } from "./queries.ts";
import { proofLife } from "./schema.ts";
import * as store from "./store.ts";

interface Proof {
  password?: string | undefined;
  /** The code that `mailProof` sent. */
  code?: string | undefined;
}

/** Notes that the person of the actor's session knows the account's password, or reads its mail. */
export const giveProof = operation(allow.user, async (ctx, { password, code }: Proof): Promise<void> => {
  const session = sessionOf(ctx);
  if ((password === undefined) === (code === undefined))
    fail("BAD_REQUEST", "Give either the password or the code from the mail.");
  if (password !== undefined) await provePassword(ctx, password);
  if (code !== undefined) await proveCode(ctx, session, code);
  await proved(ctx, session);
});

/** The session by which the actor acts. */
function sessionOf({ actor: { by } }: Ctx): number {
  if (by?.kind === "session") return by.id;
  return fail("BAD_REQUEST", "Only browsers that are signed in have to show who uses them.");
}

async function provePassword(ctx: Ctx, password: string): Promise<void> {
  if (!proofState(ctx).password) fail("BAD_REQUEST", "This account is not opened by a password.");
  await confirmPassword(ctx, myself(ctx), password);
}

/** Wrong codes count like failed logins. */
async function proveCode(ctx: Ctx, session: number, code: string): Promise<void> {
  const user = myself(ctx);
  const guesser = insider(user, "session");
  const isRight = await attempting(user.delivery_email, async () => countGuess(ctx, "code", guesser));
  const wanted = store.findCode(ctx, session);
  if (!wanted || !timingSafeEqual(hashKey(plainCode(code)), wanted)) {
    const refused = "This code is not right, or older than ten minutes.";
    throw new RefusedLogin(new AppError(authErrors.WRONG_CODE, refused), user.delivery_email);
  }
  isRight();
}

const proved = action(allow.user, (tx, session: number): void => markProved(tx, session));

const mailsAllowed = perApp(({ clock }) => attemptLimit(clock, 3, 3600));

/** Mails a code to a person who has neither a password nor a provider. A new one ends the one before. */
export const mailProof = operation(allow.user, async (ctx): Promise<void> => {
  const session = sessionOf(ctx);
  if (!proofState(ctx).mail)
    fail("BAD_REQUEST", "A code is mailed only to people who have no other way to show that it is them.");
  refuseFor(mailsAllowed(ctx).take(String(ctx.actor.id)), "codes");
  await sendCode(ctx, { session, code: newCode(2).toUpperCase() });
});

const sendCode = action(allow.user, (tx, { session, code }: { session: number; code: string }): void => {
  const { id, delivery_email } = myself(tx);
  const { name: organization } = realmSettings.read(tx);
  const translator = translatorTo(tx, id);
  const { t } = translator;
  const expires_at = tx.now + proofLife;
  store.putCode(tx, { session_id: session, hash: hashKey(plainCode(code)), expires_at });
  const letter = {
    translator,
    subject: t("Your code for {organization}", { organization }),
    blocks: [
      {
        text: t("Somebody, probably you, is about to change how your account {email} is opened.", {
          email: delivery_email,
        }),
      },
      { facts: [[t("Code"), code]] as const },
      { text: t("Type it where you were asked for it, within ten minutes.") },
    ],
    footer: t("If it was not you, give the code to nobody, and sign out your browsers in the settings."),
  };
  queueLetter(tx, { letter, recipient: delivery_email, sender_id: id, tells_sender: false, expires_at });
});

/** Notes that the user of a session, given by ID, has just shown who they are. */
export function markProved(tx: Tx, sessionId: number): void {
  setProved(tx, sessionId);
  if (store.findCode(tx, sessionId)) store.deleteCode(tx, sessionId);
}

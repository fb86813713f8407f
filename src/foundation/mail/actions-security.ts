// Mails that tell people what happened to their accounts.

import { realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import { networkOf } from "@/foundation/secrets/networks.ts";
import { settingsOf } from "@/foundation/user-settings/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { queueLetter } from "./actions.ts";
import type { MailLetter } from "./schema.ts";
import * as store from "./store.ts";

/** Seconds after joining in which logins are not new. */
const newcomerSeconds = 300;

const loginsKept = 50;

interface Login {
  /** The program's own description, such as "Firefox on Linux". */
  device: string;
  /** The network address. */
  address: string;
}

/** Mails a person about a login from a new device or network. */
export function noteLogin(tx: Tx, user: UserRow, { device, address }: Login): void {
  const network = networkOf(address);
  const isKnown = store.touchLogin(tx, { userId: user.id, device, network });
  if (isKnown) return;
  store.insertLogin(tx, { userId: user.id, device, network });
  store.deleteOldLogins(tx, user.id, loginsKept);
  const isNewcomer = tx.now - user.date_joined < newcomerSeconds;
  const isWanted = settingsOf(tx, user.id).enable_login_emails && serverOptions.read(tx).sends_mail;
  if (isNewcomer || user.is_bot || !isWanted) return;
  const { name } = realmSettings.read(tx);
  mailUser(tx, user, {
    unsubscribe: { userId: user.id, kind: "logins" },
    letter: {
      subject: `New login to ${name}`,
      blocks: [
        { text: `Somebody, probably you, logged in to your account ${user.delivery_email}.` },
        {
          facts: [
            ["Device", device],
            ["Network address", address],
            ["Time", timeFor(user, tx.now)],
          ],
        },
        {
          text: "If it was not you, change your password at once, which signs out all other browsers and apps, and tell an administrator.",
        },
        { label: `Open ${name}`, url: tx.env.site },
      ],
      footer: "You get this mail when your account is used from a new device or network.",
    },
  });
}

/** Mails a person at their old address and the new one that their address has changed. */
export function notifyAddressChanged(tx: Tx, user: UserRow, address: string): void {
  if (!serverOptions.read(tx).sends_mail || user.is_bot) return;
  const { name } = realmSettings.read(tx);
  const letter = (advice: string): MailLetter => ({
    subject: `Your address at ${name} has changed`,
    blocks: [
      { text: `Hello ${user.full_name},\n\nthe email address of your account at ${name} has changed.` },
      {
        facts: [
          ["Before", user.delivery_email],
          ["Now", address],
          ["Time", timeFor(user, tx.now)],
        ],
      },
      { text: advice },
    ],
  });
  mailUser(tx, user, { letter: letter("If you did not want this, tell an administrator at once.") });
  mailUser(
    tx,
    { ...user, delivery_email: address },
    { letter: letter("From now on, sign in with the new address.") },
  );
}

interface PasswordNews {
  /** The name of the administrator who set it; null if the person did. */
  by: string | null;
  /** Whether other devices stay signed in. */
  keepsDevices: boolean;
}

/** Mails a person that their password has changed. */
export function notifyPasswordChanged(tx: Tx, user: UserRow, { by, keepsDevices }: PasswordNews): void {
  if (!serverOptions.read(tx).sends_mail) return;
  const { name } = realmSettings.read(tx);
  const happened = by === null ? "has changed" : `was set by ${by}`;
  const devices = keepsDevices
    ? "Browsers and apps that were signed in stay signed in, as was chosen."
    : "All other browsers and apps that were signed in have to sign in again.";
  mailUser(tx, user, {
    letter: {
      subject: `Your password at ${name} has changed`,
      blocks: [
        {
          text: `Hello ${user.full_name},\n\nthe password of your account at ${name} ${happened}. ${devices}`,
        },
        factsOf(user, tx.now),
        {
          text: "If you know nothing of this, choose a new password at once, look through the API keys in the settings, and tell an administrator.",
        },
        { label: "Choose a new password", url: `${tx.env.site}/password/reset` },
      ],
    },
  });
}

/** Mails a person that their account has a new API key. */
export function notifyNewKey(tx: Tx, user: UserRow, by: string | null): void {
  if (!serverOptions.read(tx).sends_mail || user.is_bot) return;
  const { name } = realmSettings.read(tx);
  const made = by === null ? "was made" : `was made by ${by}`;
  mailUser(tx, user, {
    letter: {
      subject: `A new API key at ${name}`,
      blocks: [
        {
          text: `Hello ${user.full_name},\n\na new API key ${made} for your account at ${name}. Programs that have it act as you, and the keys that you had no longer work.`,
        },
        factsOf(user, tx.now),
        {
          text: "If you know nothing of this, end the key in the settings, where a new password does not end it; then change your password and tell an administrator.",
        },
        { label: `Open ${name}`, url: `${tx.env.site}/#settings/account` },
      ],
    },
  });
}

const factsOf = (user: UserRow, now: number) => ({
  facts: [
    ["Account", user.delivery_email],
    ["Time", timeFor(user, now)],
  ] as const,
});

const leftText = (count: number) => (count === 1 ? "One recovery code is" : `${count} recovery codes are`);

/** What has happened to an account's two-step sign-in. */
type TwoStepChange =
  | { change: "on" | "off" | "reset" | "recovery codes replaced" }
  | { change: "recovery code used"; left: number };

function wordsFor(change: TwoStepChange, name: string): { subject: string; happened: string } {
  switch (change.change) {
    case "on":
      return {
        subject: `Two-step sign-in at ${name} is on`,
        happened: `Two-step sign-in was turned on for your account at ${name}. From now on, signing in also needs a code from your app.`,
      };
    case "off":
      return {
        subject: `Two-step sign-in at ${name} is off`,
        happened: `Two-step sign-in was turned off for your account at ${name}. Your password alone signs you in now.`,
      };
    case "reset":
      return {
        subject: `Two-step sign-in at ${name} was reset`,
        happened: `An administrator has turned two-step sign-in off for your account at ${name}. Set it up again in the settings after signing in.`,
      };
    case "recovery codes replaced":
      return {
        subject: `New recovery codes at ${name}`,
        happened: `New recovery codes were made for your account at ${name}. The ones you had no longer work.`,
      };
    case "recovery code used":
      return {
        subject: `A recovery code was used at ${name}`,
        happened: `A recovery code was used for your account at ${name}. ${leftText(change.left)} left; make new ones in the settings before they run out.`,
      };
  }
}

/** Mails a person that their two-step sign-in has changed. */
export function notifyTwoStep(tx: Tx, user: UserRow, change: TwoStepChange): void {
  if (!serverOptions.read(tx).sends_mail) return;
  const { name } = realmSettings.read(tx);
  const { subject, happened } = wordsFor(change, name);
  mailUser(tx, user, {
    letter: {
      subject,
      blocks: [
        { text: `Hello ${user.full_name},\n\n${happened}` },
        factsOf(user, tx.now),
        { text: "If you know nothing of this, change your password at once and tell an administrator." },
        { label: `Open ${name}`, url: tx.env.site },
      ],
    },
  });
}

function mailUser(
  tx: Tx,
  { id, delivery_email: recipient }: UserRow,
  posting: Pick<Parameters<typeof queueLetter>[1], "letter" | "unsubscribe">,
): void {
  queueLetter(tx, { ...posting, recipient, sender_id: id, tells_sender: false });
}

function timeFor({ timezone }: UserRow, seconds: number): string {
  const format = { dateStyle: "long", timeStyle: "long", timeZone: timezone || "UTC" } as const;
  return new Intl.DateTimeFormat("en", format).format(seconds * 1000);
}

// Mails that tell people what happened to their accounts.

import { firstVisit, realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import { networkOf } from "@/foundation/secrets/networks.ts";
import { settingsOf, translatorTo } from "@/foundation/user-settings/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { nameDevice } from "@/text/language/devices.ts";
import type { Translator } from "@/text/language/translator.ts";
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
  const { organization, translator } = writingTo(tx, user);
  const { t } = translator;
  mailUser(tx, user, {
    unsubscribe: { userId: user.id, kind: "logins" },
    letter: {
      translator,
      subject: t("New login to {organization}", { organization }),
      blocks: [
        {
          text: t("Somebody, probably you, logged in to your account {email}.", {
            email: user.delivery_email,
          }),
        },
        {
          facts: [
            [t("Device"), nameDevice(t, device)],
            [t("Network address"), address],
            [t("Time"), timeFor(tx, user, translator)],
          ],
        },
        {
          text: t(
            "If it was not you, change your password at once, which signs out all other browsers and apps, and tell an administrator.",
          ),
        },
        { label: t("Open {organization}", { organization }), url: tx.env.site },
      ],
      footer: t("You get this mail when your account is used from a new device or network."),
    },
  });
}

/** Mails a person at their old address and the new one that their address has changed. */
export function notifyAddressChanged(tx: Tx, user: UserRow, address: string): void {
  if (!serverOptions.read(tx).sends_mail || user.is_bot) return;
  // Nobody reads mails at an address that the server made up.
  if (firstVisit.read(tx).owner === user.id) return;
  const { organization, translator } = writingTo(tx, user);
  const { t } = translator;
  const news = t("the email address of your account at {organization} has changed.", { organization });
  const letter = (advice: string): MailLetter => ({
    translator,
    subject: t("Your address at {organization} has changed", { organization }),
    blocks: [
      { text: `${hello(translator, user)}\n\n${news}` },
      {
        facts: [
          [t("Before"), user.delivery_email],
          [t("Now"), address],
          [t("Time"), timeFor(tx, user, translator)],
        ],
      },
      { text: advice },
    ],
  });
  mailUser(tx, user, { letter: letter(t("If you did not want this, tell an administrator at once.")) });
  mailUser(
    tx,
    { ...user, delivery_email: address },
    { letter: letter(t("From now on, sign in with the new address.")) },
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
  const { organization, translator } = writingTo(tx, user);
  const { t } = translator;
  const happened =
    by === null
      ? t("the password of your account at {organization} has changed.", { organization })
      : t("the password of your account at {organization} was set by {person}.", {
          organization,
          person: by,
        });
  const devices = keepsDevices
    ? t("Browsers and apps that were signed in stay signed in, as was chosen.")
    : t("All other browsers and apps that were signed in have to sign in again.");
  const news = t("{first} {second}", { first: happened, second: devices });
  mailUser(tx, user, {
    letter: {
      translator,
      subject: t("Your password at {organization} has changed", { organization }),
      blocks: [
        { text: `${hello(translator, user)}\n\n${news}` },
        factsOf(tx, user, translator),
        {
          text: t(
            "If you know nothing of this, choose a new password at once, look through the API keys in the settings, and tell an administrator.",
          ),
        },
        { label: t("Choose a new password"), url: `${tx.env.site}/password/reset` },
      ],
    },
  });
}

/** Mails a person that their account has a new API key. */
export function notifyNewKey(tx: Tx, user: UserRow, by: string | null): void {
  if (!serverOptions.read(tx).sends_mail || user.is_bot) return;
  const { organization, translator } = writingTo(tx, user);
  const { t } = translator;
  const news =
    by === null
      ? t(
          "a new API key was made for your account at {organization}. Programs that have it act as you, and the keys that you had no longer work.",
          { organization },
        )
      : t(
          "a new API key was made by {person} for your account at {organization}. Programs that have it act as you, and the keys that you had no longer work.",
          { person: by, organization },
        );
  mailUser(tx, user, {
    letter: {
      translator,
      subject: t("A new API key at {organization}", { organization }),
      blocks: [
        { text: `${hello(translator, user)}\n\n${news}` },
        factsOf(tx, user, translator),
        {
          text: t(
            "If you know nothing of this, end the key in the settings, where a new password does not end it; then change your password and tell an administrator.",
          ),
        },
        { label: t("Open {organization}", { organization }), url: `${tx.env.site}/#settings/account` },
      ],
    },
  });
}

/** What has happened to an account's two-step sign-in. */
type TwoStepChange =
  | { change: "on" | "off" | "reset" | "recovery codes replaced" }
  | { change: "recovery code used"; left: number };

interface Writing {
  organization: string;
  translator: Translator;
}

function wordsFor(
  change: TwoStepChange,
  { organization, translator: { t } }: Writing,
): { subject: string; happened: string } {
  switch (change.change) {
    case "on":
      return {
        subject: t("Two-step sign-in at {organization} is on", { organization }),
        happened: t(
          "Two-step sign-in was turned on for your account at {organization}. From now on, signing in also needs a code from your app.",
          { organization },
        ),
      };
    case "off":
      return {
        subject: t("Two-step sign-in at {organization} is off", { organization }),
        happened: t(
          "Two-step sign-in was turned off for your account at {organization}. Your password alone signs you in now.",
          { organization },
        ),
      };
    case "reset":
      return {
        subject: t("Two-step sign-in at {organization} was reset", { organization }),
        happened: t(
          "An administrator has turned two-step sign-in off for your account at {organization}. Set it up again in the settings after signing in.",
          { organization },
        ),
      };
    case "recovery codes replaced":
      return {
        subject: t("New recovery codes at {organization}", { organization }),
        happened: t(
          "New recovery codes were made for your account at {organization}. The ones you had no longer work.",
          { organization },
        ),
      };
    case "recovery code used":
      return {
        subject: t("A recovery code was used at {organization}", { organization }),
        happened: t(
          "A recovery code was used for your account at {organization}. {left, plural, one {One recovery code is left} other {# recovery codes are left}}; make new ones in the settings before they run out.",
          { organization, left: change.left },
        ),
      };
  }
}

/** Mails a person that their two-step sign-in has changed. */
export function notifyTwoStep(tx: Tx, user: UserRow, change: TwoStepChange): void {
  if (!serverOptions.read(tx).sends_mail) return;
  const writing = writingTo(tx, user);
  const { organization, translator } = writing;
  const { t } = translator;
  const { subject, happened } = wordsFor(change, writing);
  mailUser(tx, user, {
    letter: {
      translator,
      subject,
      blocks: [
        { text: `${hello(translator, user)}\n\n${happened}` },
        factsOf(tx, user, translator),
        { text: t("If you know nothing of this, change your password at once and tell an administrator.") },
        { label: t("Open {organization}", { organization }), url: tx.env.site },
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

function writingTo(tx: Tx, { id }: UserRow): Writing {
  return { organization: realmSettings.read(tx).name, translator: translatorTo(tx, id) };
}

const hello = ({ t }: Translator, { full_name: name }: UserRow) => t("Hello {name},", { name });

function factsOf(tx: Tx, user: UserRow, translator: Translator) {
  const { t } = translator;
  return {
    facts: [
      [t("Account"), user.delivery_email],
      [t("Time"), timeFor(tx, user, translator)],
    ] as const,
  };
}

/** The current time, in a person's time zone. */
function timeFor(tx: Tx, { timezone }: UserRow, { language }: Translator): string {
  const format = { dateStyle: "long", timeStyle: "long", timeZone: timezone || "UTC" } as const;
  return new Intl.DateTimeFormat(language.tag, format).format(tx.now * 1000);
}

// The pages for people who join.

import { framePage, sign } from "@/foundation/pages/frame.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { type Html, html } from "@/kernel/http/html.ts";
import type { Translator } from "@/text/language/translator.ts";
import type { InvitationDoor } from "./queries.ts";

/** What was typed before; the form shows it again. */
export interface Typed {
  full_name?: string;
  email?: string;
}

export interface JoinRefusal {
  message: string;
  /** The wrong field; null if the error does not belong to a single field. */
  field: string | null;
}

interface JoinForm {
  translator: Translator;
  door: InvitationDoor;
  /** The invitation's key. */
  key: string;
  typed: Typed;
  refusal?: JoinRefusal;
}

/** The ways to join: a form for name, address and password, and a button for each provider. */
export function joinPage(joining: JoinForm): Html {
  const { translator, door, key } = joining;
  const title = translator.t("Join {organization}", { organization: door.organization });
  return framePage({ translator, title, icon: door.icon }, [
    sign(door),
    html`<h1>${title}</h1>
<p class="lead">${translator.t("{first} {second}", { first: asWhat(translator, door.role), second: whatToDo(translator, door) })}</p>
${door.providers.map((one) => providerButton(one, key))}${door.takesPasswords && form(joining)}`,
  ]);
}

function whatToDo({ t }: Translator, { email, takesPasswords, providers }: InvitationDoor): string {
  if (!takesPasswords)
    return email === null ? t("Sign in to join.") : t("Sign in as {email} to join.", { email });
  if (providers.length === 0) return t("Tell us who you are, and you are in.");
  return t("Sign in, or tell us who you are, and you are in.");
}

function providerButton({ name, button, icon }: InvitationDoor["providers"][number], key: string): Html {
  const address = `/login/oidc/${name}?invitation=${key}`;
  const picture = icon === null ? null : html`<img src="${icon}" alt="" width="20" height="20">`;
  return html`<a class="provider" href="${address}">${picture}${button}</a>
`;
}

function form(joining: JoinForm): Html {
  const {
    refusal,
    translator: { t },
  } = joining;
  return html`${refusal ? html`<p class="wrong" role="alert" id="refusal">${refusal.message}</p>` : null}
<form method="post">
${nameField(joining)}${addressField(joining)}${passwordField(joining)}
<button type="submit">${t("Join")}</button>
</form>`;
}

function asWhat({ t }: Translator, role: number): string {
  if (role === roles.guest) return t("You have been invited as a guest.");
  if (role === roles.moderator) return t("You have been invited as a moderator.");
  if (role === roles.admin) return t("You have been invited as an administrator.");
  return role === roles.owner ? t("You have been invited as an owner.") : t("You have been invited.");
}

type Fields = Omit<JoinForm, "key">;

/** Attributes of an input: autofocus for the first field or the wrong one, and its error state. */
function attributes({ door, refusal }: Fields, name: string): Html {
  const isWrong = refusal?.field === name;
  const first = refusal?.field ?? "full_name";
  return html`id="${name}" name="${name}" required${isWrong && html` aria-invalid="true" aria-errormessage="refusal"`}${
    first === name && !(name === "email" && door.email !== null) && html` autofocus`
  }`;
}

function nameField(fields: Fields): Html {
  return html`<label for="full_name">${fields.translator.t("Your name")}</label>
<input ${attributes(fields, "full_name")} type="text" autocomplete="name" minlength="2" maxlength="100" value="${fields.typed.full_name ?? ""}">
`;
}

function addressField(fields: Fields): Html {
  const {
    door,
    typed,
    translator: { t },
  } = fields;
  const isFixed = door.email !== null;
  return html`<label for="email">${t("Email address")}</label>
<input ${attributes(fields, "email")} type="email" dir="ltr" autocomplete="username" maxlength="254" value="${door.email ?? typed.email ?? ""}"${
    isFixed && html` readonly aria-describedby="email-hint"`
  }>
${isFixed && html`<p class="hint" id="email-hint">${t("The invitation is for this address.")}</p>\n`}`;
}

function passwordField(fields: Fields): Html {
  const { password_min_length: min, password_max_length: max } = limits;
  const { t } = fields.translator;
  return html`<label for="password">${t("Password")}</label>
<input ${attributes(fields, "password")} type="password" autocomplete="new-password" minlength="${min}" maxlength="${max}" aria-describedby="password-hint">
<p class="hint" id="password-hint">${t("At least {min, number} characters. A few unrelated words are easy to remember and hard to guess.", { min })}</p>`;
}

/** The page after joining an organization that requires two-step sign-in, which the sign-in page sets up. */
export function welcomePage(translator: Translator): Html {
  const { t } = translator;
  return framePage({ translator, title: t("Welcome") }, [
    html`<h1>${t("Your account is made")}</h1>
<p class="lead">${t("Signing in takes a second step here: a code of an authenticator app. Have your phone at hand, and sign in to set it up.")}</p>
<p><a href="/login">${t("Sign in")}</a></p>`,
  ]);
}

/** Says only that the invitation does not work, for now or forever. */
export const closedPage =
  (translator: Translator) =>
  (message: string, { forNow }: { forNow: boolean }): Html => {
    const { t } = translator;
    return framePage({ translator, title: t("Invitation") }, [
      html`<h1>${forNow ? t("Please wait a while") : t("You cannot join with this link")}</h1>
<p class="lead">${message}</p>
${!forNow && html`<p>${t("Whoever invited you can send you a new invitation.")}</p>`}`,
    ]);
  };

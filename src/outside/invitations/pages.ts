// The pages for people who join.

import { framePage, sign } from "@/foundation/pages/frame.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { type Html, html } from "@/kernel/http/html.ts";
import { inEnglish } from "@/text/language/tables.ts";
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
  door: InvitationDoor;
  /** The invitation's key. */
  key: string;
  typed: Typed;
  refusal?: JoinRefusal;
}

/** The ways to join: a form for name, address and password, and a button for each provider. */
export function joinPage(joining: JoinForm): Html {
  const { door, key } = joining;
  const title = `Join ${door.organization}`;
  return framePage({ translator: inEnglish, title, icon: door.icon }, [
    sign(door),
    html`<h1>${title}</h1>
<p class="lead">You have been invited${asWhat(door.role)}. ${whatToDo(door)}</p>
${door.providers.map((one) => providerButton(one, key))}${door.takesPasswords && form(joining)}`,
  ]);
}

function whatToDo({ email, takesPasswords, providers }: InvitationDoor): string {
  if (!takesPasswords) return email === null ? "Sign in to join." : `Sign in as ${email} to join.`;
  const other = providers.length === 0 ? "Tell us who you are" : "Sign in, or tell us who you are";
  return `${other}, and you are in.`;
}

function providerButton({ name, button, icon }: InvitationDoor["providers"][number], key: string): Html {
  const address = `/login/oidc/${name}?invitation=${key}`;
  const picture = icon === null ? null : html`<img src="${icon}" alt="" width="20" height="20">`;
  return html`<a class="provider" href="${address}">${picture}${button}</a>
`;
}

function form(joining: JoinForm): Html {
  const { refusal } = joining;
  return html`${refusal ? html`<p class="wrong" role="alert" id="refusal">${refusal.message}</p>` : null}
<form method="post">
${nameField(joining)}${addressField(joining)}${passwordField(joining)}
<button type="submit">Join</button>
</form>`;
}

function asWhat(role: number): string {
  if (role === roles.guest) return " as a guest";
  if (role === roles.moderator) return " as a moderator";
  if (role === roles.admin) return " as an administrator";
  return role === roles.owner ? " as an owner" : "";
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
  return html`<label for="full_name">Your name</label>
<input ${attributes(fields, "full_name")} type="text" autocomplete="name" minlength="2" maxlength="100" value="${fields.typed.full_name ?? ""}">
`;
}

function addressField(fields: Fields): Html {
  const { door, typed } = fields;
  const isFixed = door.email !== null;
  return html`<label for="email">Email address</label>
<input ${attributes(fields, "email")} type="email" autocomplete="username" maxlength="254" value="${door.email ?? typed.email ?? ""}"${
    isFixed && html` readonly aria-describedby="email-hint"`
  }>
${isFixed && html`<p class="hint" id="email-hint">The invitation is for this address.</p>\n`}`;
}

function passwordField(fields: Fields): Html {
  const { password_min_length: min, password_max_length: max } = limits;
  return html`<label for="password">Password</label>
<input ${attributes(fields, "password")} type="password" autocomplete="new-password" minlength="${min}" maxlength="${max}" aria-describedby="password-hint">
<p class="hint" id="password-hint">At least ${min} characters. A few unrelated words are easy to remember and hard to guess.</p>`;
}

/** The page after joining an organization that requires two-step sign-in, which the sign-in page sets up. */
export function welcomePage(): Html {
  return framePage({ translator: inEnglish, title: "Welcome" }, [
    html`<h1>Your account is made</h1>
<p class="lead">Signing in takes a second step here: a code of an authenticator app. Have your phone at hand, and sign in to set it up.</p>
<p><a href="/login">Sign in</a></p>`,
  ]);
}

/** Says only that the invitation does not work, for now or forever. */
export function renderClosedPage(message: string, { forNow }: { forNow: boolean }): Html {
  return framePage({ translator: inEnglish, title: "Invitation" }, [
    html`<h1>${forNow ? "Please wait a while" : "You cannot join with this link"}</h1>
<p class="lead">${message}</p>
${!forNow && html`<p>Whoever invited you can send you a new invitation.</p>`}`,
  ]);
}

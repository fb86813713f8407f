// The pages for people who join.
import { framed, sign } from "@/foundation/pages/present.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { type Html, html } from "@/kernel/html.ts";
import type { Door } from "./queries.ts";

/** What was typed before; the form shows it again. */
export interface Typed {
  full_name?: string;
  email?: string;
}

export interface Refusal {
  message: string;
  /** The wrong field; null if the error does not belong to a single field. */
  field: string | null;
}

/** The form for name, address and password. */
export function formPage(door: Door, typed: Typed, refusal?: Refusal): Html {
  const title = `Join ${door.organization}`;
  const fields = { door, typed, refusal };
  return framed({ title, icon: door.icon }, [
    sign(door),
    html`<h1>${title}</h1>
<p class="lead">You have been invited${asWhat(door.role)}. Tell us who you are, and you are in.</p>
${refusal ? html`<p class="wrong" role="alert" id="refusal">${refusal.message}</p>` : null}
<form method="post">
${nameField(fields)}${addressField(fields)}${passwordField(fields)}
<button type="submit">Join</button>
</form>`,
  ]);
}

function asWhat(role: number): string {
  if (role === roles.guest) return " as a guest";
  if (role === roles.moderator) return " as a moderator";
  if (role === roles.admin) return " as an administrator";
  return role === roles.owner ? " as an owner" : "";
}

interface Fields {
  door: Door;
  typed: Typed;
  refusal?: Refusal;
}

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
  return framed({ title: "Welcome" }, [
    html`<h1>Your account is made</h1>
<p class="lead">Signing in takes a second step here: a code of an authenticator app. Have your phone at hand, and sign in to set it up.</p>
<p><a href="/login">Sign in</a></p>`,
  ]);
}

/** Says only that the invitation does not work, for now or forever. */
export function closedPage(message: string, { forNow }: { forNow: boolean }): Html {
  return framed({ title: "Invitation" }, [
    html`<h1>${forNow ? "Please wait a while" : "You cannot join with this link"}</h1>
<p class="lead">${message}</p>
${!forNow && html`<p>Whoever invited you can send you a new invitation.</p>`}`,
  ]);
}

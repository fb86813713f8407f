// The pages for people who join.
import { framed, sign } from "@/foundation/pages/present.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { type Html, html } from "@/kernel/html.ts";
import { type ClientGuide, clientGuides } from "@/personal/onboarding/present.ts";
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

export interface Welcomed {
  user_id: number;
  full_name: string;
  email: string;
  api_key: string;
  door: Door;
}

/** Shows a new user how to connect. The key is never shown again. */
export function welcomePage({ full_name, email, api_key, door }: Welcomed): Html {
  const { organization, site } = door;
  const request = `curl -sS -u ${shellWord(`${email}:${api_key}`)} ${shellWord(`${site}/api/v1/users/me`)}`;
  return framed({ title: `Welcome to ${organization}`, icon: door.icon, isWide: true }, [
    sign(door),
    html`<h1>Welcome, ${full_name}</h1>
<p class="lead">You are now a part of ${organization}. Keep this page open until your client is connected.</p>
<h2>Your API key</h2>
<p>It is shown this once. Whoever has it can act as you, so keep it like a password.</p>
<code class="key">${api_key}</code>
<h2>Connect a client</h2>
<dl><dt>Server</dt><dd>${site}</dd><dt>E-mail</dt><dd>${email}</dd></dl>
${clientGuides({ site, email }).map(guided)}<p class="hint">Clients that ask for a password take the one you have just chosen. It also gets you another key when this one is lost.</p>
<h2>Configuration file</h2>
<p>Terminal clients and bots read it, mostly as <code>~/.zuliprc</code>:</p>
<pre>[api]
email=${email}
key=${api_key}
site=${site}</pre>
<h2>Try it</h2>
<pre>${request}</pre>`,
  ]);
}

function guided({ device, lines, isTyped }: ClientGuide): Html {
  return isTyped
    ? html`<h3>${device}</h3>
<pre>${lines.join("\n")}</pre>
`
    : html`<h3>${device}</h3>
<p>${lines.join(" ")}</p>
`;
}

/** Quotes a text as one word for a shell. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Says only that the invitation does not work, for now or forever. */
export function closedPage(message: string, { forNow }: { forNow: boolean }): Html {
  return framed({ title: "Invitation" }, [
    html`<h1>${forNow ? "Please wait a while" : "You cannot join with this link"}</h1>
<p class="lead">${message}</p>
${!forNow && html`<p>Whoever invited you can send you a new invitation.</p>`}`,
  ]);
}

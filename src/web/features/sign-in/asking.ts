// The sign-in page's requests.
import { t } from "../../lib/texts.ts";

export interface LoginInput {
  username: string;
  password: string;
}

/** What is still missing after the password: a code, or first an authenticator app set up with this secret. */
export type SecondStepState = "code" | { secret: string; uri: string; qr: string };

interface Answer {
  ok: boolean;
  /** Why it was refused. */
  msg: string;
  body: Readonly<Record<string, unknown>>;
}

/** Sends a form. A server that does not answer counts as a refusal. */
export async function ask(address: string, given: Readonly<Record<string, string>>): Promise<Answer> {
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams(given),
    });
    const body: Record<string, unknown> = await response.json();
    return { ok: response.ok, msg: inWords(body), body };
  } catch {
    return { ok: false, msg: t("The server cannot be reached. Please try again."), body: {} };
  }
}

/** The server's error text, except for a wrong password: that text mentions a user name, which this page does not ask for. */
function inWords({ code, msg }: Record<string, unknown>): string {
  if (code === "AUTHENTICATION_FAILED") return t("The address or the password is wrong.");
  return typeof msg === "string" && msg !== "" ? msg : t("Signing in failed. Please try again.");
}

/** The second step that a refusal asks for, if any. */
export function secondStepIn({ body }: Answer): SecondStepState | null {
  if (body.code === "TWO_STEP_REQUIRED") return "code";
  if (body.code !== "TWO_STEP_SETUP_REQUIRED") return null;
  return { secret: String(body.secret), uri: String(body.uri), qr: String(body.qr) };
}

export function focus(field: HTMLInputElement | null): void {
  field?.focus();
}

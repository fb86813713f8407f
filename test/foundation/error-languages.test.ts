// Errors speak the language of a person in a browser; programs get English.
import { describe, expect, test } from "bun:test";
import { givePassword, password, signedIn, webClient } from "../support/web-session.ts";
import { type World, world } from "../support/world.ts";

const german = "Es wartet keine neue Adresse auf Bestätigung.";
const english = "No new address waits to be confirmed.";

/** What Mel reads in a browser, when she cancels a change of her address that she has not begun. */
async function inBrowser(w: World, language: string, accepted?: string) {
  await w.as("mel").patch("/settings", { default_language: language });
  await givePassword(w, "mel");
  const browser = await signedIn(w, "mel");
  const headers: Record<string, string> = accepted === undefined ? {} : { "accept-language": accepted };
  const { status, body } = await browser.ask("DELETE", "/json/users/me/address", {}, { headers });
  return { status, body };
}

const refused = (msg: string) => ({ status: 400, body: { result: "error", code: "BAD_REQUEST", msg } });

describe("an error in the browser of somebody who is signed in", () => {
  test("is in their language, and in English for a program with the same account", async () => {
    const w = world();
    expect(await inBrowser(w, "de", "ja")).toEqual(refused(german));
    const { status, body } = await w.as("mel").delete("/users/me/address");
    expect({ status, body }).toEqual(refused(english));
  });

  test.each([
    ["en", "de", english],
    ["pl", "de", german],
    ["pl", "pl", english],
    ["pl", undefined, english],
  ])("for %s in a browser that likes %s: %s", async (own, accepted, said) => {
    expect(await inBrowser(world(), own, accepted)).toEqual(refused(said));
  });

  test("stays in English if it is not listed", async () => {
    const w = world();
    await w.as("mel").patch("/settings", { default_language: "de" });
    await givePassword(w, "mel");
    const browser = await signedIn(w, "mel");
    const { status, body } = await browser.ask("DELETE", "/json/users/me/sessions/9999");
    expect([status, body.msg]).toEqual([400, "No such session"]);
  });
});

describe("an error for a program", () => {
  test("is in English, whatever language it accepts", async () => {
    const w = world();
    const { email, key } = w.user("mel");
    const headers = { authorization: `Basic ${btoa(`${email}:${key}`)}`, "accept-language": "de" };
    const answer = await w.anonymous.request("/api/v1/users/me/address", { method: "DELETE", headers });
    expect(await answer.json()).toMatchObject({ msg: english });
  });
});

describe("an error for somebody who is not signed in", () => {
  const signIn = (w: World, headers = {}) =>
    webClient(w.app).ask("POST", "/login", { username: "mel@example.com", password }, { headers });
  const wrong = "Your username or password is incorrect";

  test.each([
    ["de-AT", {}, "Ihre Adresse oder Ihr Passwort ist falsch."],
    ["pl", {}, wrong],
    ["de", { authorization: `Basic ${btoa("mel@example.com:nothing")}` }, wrong],
  ])("on the sign-in page of a browser that likes %s, with %p: %s", async (accepted, headers, said) => {
    const { status, body } = await signIn(world(), { "accept-language": accepted, ...headers });
    expect([status, body.code, body.msg]).toEqual([401, "AUTHENTICATION_FAILED", said]);
  });

  test("is in the organization's language if the browser likes no other, and in English for programs", async () => {
    const w = world();
    await w.as("olive").patch("/realm", { default_language: "ja" });
    expect((await signIn(w, { "accept-language": "pl" })).body.msg).toBe(
      "メールアドレスまたはパスワードが正しくありません。",
    );
    expect((await signIn(w)).body.msg).toBe(wrong);
  });

  test("says how long to wait", async () => {
    const w = world();
    for (let i = 0; i < 5; i++) await signIn(w, { "accept-language": "de" });
    const { status, body } = await signIn(w, { "accept-language": "de" });
    expect([status, body.code, body["retry-after"]]).toEqual([429, "RATE_LIMIT_HIT", 1800]);
    expect(body.msg).toBe("Es waren zu viele Anfragen. Versuchen Sie es in 1.800 Sekunden noch einmal.");
  });
});

// Errors speak the language of a person in a browser; programs get English.
import { describe, expect, test } from "bun:test";
import type { Method, Params } from "../support/requests.ts";
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

function basic(w: World): string {
  const { email, key } = w.user("mel");
  return `Basic ${btoa(`${email}:${key}`)}`;
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

  test("stays in English where only programs ask", async () => {
    const w = world();
    await w.as("mel").patch("/settings", { default_language: "de" });
    await givePassword(w, "mel");
    const browser = await signedIn(w, "mel");
    const { status, body } = await browser.ask("GET", "/json/nothing");
    expect([status, body.msg]).toEqual([404, "There is nothing at this address."]);
  });
});

/** Requests that are refused, by what is refused; the texts in German and in English. */
const refusals: Readonly<Record<string, [Method, string, Params, string, string]>> = {
  "a session that has ended": [
    "DELETE",
    "/users/me/sessions/9999",
    {},
    "Diese Sitzung gibt es nicht.",
    "No such session",
  ],
  "a message without a text": [
    "POST",
    "/messages",
    { type: "direct", to: [0], content: " " },
    "Eine Nachricht darf nicht leer sein.",
    "Message must not be empty",
  ],
  "a draft that is gone": [
    "DELETE",
    "/drafts/99",
    {},
    "Diesen Entwurf gibt es nicht.",
    "Draft does not exist",
  ],
  "an export by a member": [
    "POST",
    "/export/realm",
    {},
    "Das darf nur die Administration.",
    "Must be an organization administrator",
  ],
  "a channel that does not exist": [
    "GET",
    "/get_stream_id",
    { stream: "No'where {x}" },
    "Den Kanal „No'where {x}“ gibt es nicht.",
    "Invalid channel name 'No'where {x}'",
  ],
  "an emoji that does not exist": [
    "DELETE",
    "/realm/emoji/nothing",
    {},
    "Das Emoji „nothing“ gibt es nicht.",
    "Emoji 'nothing' does not exist",
  ],
  "a search for nonsense": [
    "GET",
    "/messages",
    { anchor: "newest", num_before: 1, num_after: 0, narrow: [{ operator: "nonsense", operand: "x" }] },
    "Diese Suche ist nicht möglich: nonsense ist unbekannt.",
    "Invalid narrow operator: unknown operator nonsense",
  ],
  "a missing parameter": [
    "POST",
    "/channels/create",
    { subscribers: [] },
    "Der Parameter „name“ fehlt.",
    "Missing 'name' argument",
  ],
  "text that is no JSON": [
    "POST",
    "/drafts",
    { drafts: "[" },
    "Der Parameter „drafts“ ist kein gültiges JSON.",
    'Argument "drafts" is not valid JSON.',
  ],
  "a value of another type": [
    "POST",
    "/users/me/alert_words",
    { alert_words: 1 },
    "alert_words ist keine Liste.",
    "alert_words is not a list",
  ],
  "a value that no alternative takes": [
    "POST",
    "/user_groups/create",
    { name: "x", description: "", members: [], can_join_group: true },
    "can_join_group hat den falschen Typ.",
    "can_join_group is neither a number nor an object",
  ],
  "a rule's own sentence": [
    "POST",
    "/saved_snippets",
    { title: "x".repeat(61), content: "x" },
    "Der Titel ist zu lang: Erlaubt sind höchstens 60 Zeichen.",
    "Title is too long: at most 60 characters are allowed.",
  ],
  "a setting of a channel": [
    "POST",
    "/users/me/subscriptions/properties",
    { subscription_data: [{ stream_id: 1, property: "pin_to_top", value: 1 }] },
    "„pin_to_top“: Der Wert muss true oder false sein.",
    "Property 'pin_to_top': The value must be true or false.",
  ],
};

describe("in a German browser and in a program, the same is refused in their language:", () => {
  test.each(Object.entries(refusals))("%s", async (_, [method, path, params, german, english]) => {
    const w = world();
    await w.as("mel").patch("/settings", { default_language: "de" });
    await givePassword(w, "mel");
    const browser = await signedIn(w, "mel");
    const own = await browser.ask(method, `/json${path}`, params);
    const program = await webClient(w.app).ask(method, `/api/v1${path}`, params, {
      headers: { authorization: basic(w), "accept-language": "de" },
    });
    expect(own.status).toBeGreaterThanOrEqual(400);
    expect(own.body.msg).toBe(german);
    expect({ status: program.status, body: program.body }).toEqual({
      status: own.status,
      body: { ...own.body, msg: english },
    });
  });

  test("in Arabic, with the parameter's name apart from the direction of the text", async () => {
    const { body } = await webClient(world().app).ask(
      "POST",
      "/login",
      { username: "mel@example.com" },
      { headers: { "accept-language": "ar" } },
    );
    expect(body.msg).toBe("الوسيط «\u2068password\u2069» مفقود.");
  });
});

describe("an error for a program", () => {
  test("is in English, whatever language it accepts", async () => {
    const w = world();
    const headers = { authorization: basic(w), "accept-language": "de" };
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

// The pages outside the client speak the language of the browser, also where they say what is wrong.
import { describe, expect, test } from "bun:test";
import { type World, world } from "../support/world.ts";

const asking = (language: string) => ({ accept: "text/html", "accept-language": language });

async function read(w: World, path: string, language: string): Promise<string> {
  return (await w.anonymous.request(path, { headers: asking(language) })).text();
}

describe("a page that a link leads to", () => {
  test.each([
    ["/join/x", "Mit diesem Link können Sie nicht beitreten", "Diese Einladung gibt es nicht."],
    ["/address/confirm/x", "Dieser Link funktioniert nicht", "es wurde eine andere Änderung angefordert"],
    ["/password/reset/x", "Dieser Link funktioniert nicht", "Fordern Sie einen neuen an."],
    ["/login/link/x", "Mit diesem Link können Sie sich nicht anmelden", "Der Link wurde schon benutzt"],
    ["/mail/unsubscribe/x", "Das hat nicht geklappt", "Dieser Link zum Abbestellen funktioniert nicht."],
    ["/login/oidc/x", "Sie sind nicht angemeldet", "Diese Art der Anmeldung gibt es nicht."],
    ["/login/proved", "Sie haben bestätigt, dass Sie es sind", "Schließen Sie dieses Fenster"],
  ])("%s says in German what is wrong", async (path, heading, reason) => {
    const page = await read(world(), path, "de-AT, en;q=0.5");
    expect(page).toContain('<html lang="de" dir="ltr">');
    expect(page).toContain(`<h1>${heading}</h1>`);
    expect(page).toContain(reason);
  });

  test("says how long to wait", async () => {
    const w = world();
    for (let i = 0; i < 30; i++) await read(w, `/join/${i}`, "de");
    const page = await read(w, "/join/30", "de");
    expect(page).toContain("<h1>Bitte warten Sie eine Weile</h1>");
    expect(page).toContain("Es waren zu viele Versuche. Versuchen Sie es in 1.800 Sekunden noch einmal.");
    expect(await read(w, "/join/31", "en")).toContain(
      "There were too many attempts. Try again in 1800 seconds.",
    );
  });
});

describe("the page for joining", () => {
  const ann = { full_name: "Ann", email: "ann@example.org", password: "correct horse" };
  const invite = async (w: World) =>
    new URL((await w.as("ada").post("/invites/multiuse")).body.invite_link).pathname;

  test("is in Arabic from right to left, with the names in it apart", async () => {
    const w = world();
    const page = await read(w, await invite(w), "ar");
    expect(page).toContain('<html lang="ar" dir="rtl">');
    expect(page).toContain("<h1>الانضمام إلى \u2068Test Organization\u2069</h1>");
  });

  test.each([
    [{ full_name: "A" }, "Der Name ist zu kurz."],
    [{ full_name: "A".repeat(101) }, "Der Name ist zu lang."],
    [{ full_name: "A*n" }, "Der Name enthält unzulässige Zeichen."],
    [{ full_name: "Ann|1" }, "Der Name darf nicht mit einem senkrechten Strich und Ziffern enden."],
    [{ email: "ann" }, "Geben Sie eine gültige E-Mail-Adresse ein."],
    [{ email: `${"a".repeat(255)}@example.org` }, "Die E-Mail-Adresse ist zu lang."],
    [{ email: "ada@example.com" }, "Die Adresse „ada@example.com“ wird schon verwendet."],
    [{ password: "short" }, "Ein Passwort hat mindestens 6 Zeichen."],
    [{ password: "x".repeat(101) }, "Ein Passwort hat höchstens 100 Zeichen."],
    [
      { password: "correct\nhorse" },
      "Ein Passwort besteht aus einer Zeile und nur aus Zeichen, die sich tippen lassen.",
    ],
    [{ password: "password" }, "Dieses Passwort ist leicht zu erraten."],
  ])("says in German what is wrong with %p", async (wrong, said) => {
    const w = world();
    const answer = await w.anonymous.request(await invite(w), {
      method: "POST",
      headers: asking("de"),
      body: new URLSearchParams({ ...ann, ...wrong }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(`role="alert" id="refusal">${said}`);
  });
});

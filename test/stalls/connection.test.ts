// How soon a person sees that the connection is lost, and that it is back: by the clock, in a real browser.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Passage } from "../support/passage.ts";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

const lost = "No connection.";
/** Other programs of the machine may delay a try. */
const tries = 3;

let w: WebOrganization;
let passage: Passage;
let mel: Seat;

beforeAll(async () => {
  w = await webOrganization("olive", "mel");
  passage = await Passage.to(w.server.port);
  mel = await w.sit("mel", "#inbox", {}, `http://127.0.0.1:${passage.port}`);
  // The page notes when the banner comes and goes.
  await mel.tab.evaluate(`
    window.seen = { shown: 0, gone: 0 };
    new MutationObserver(() => {
      const isShown = document.body.innerText.includes(${JSON.stringify(lost)});
      if (isShown && seen.shown === 0) seen.shown = Date.now();
      if (!isShown && seen.shown > 0 && seen.gone === 0) seen.gone = Date.now();
    }).observe(document.body, { childList: true, subtree: true });
  `);
}, 240_000);
afterAll(async () => {
  passage.close();
  await w.close();
});

test.each([
  ["connections are closed", () => passage.refuse()],
  ["nothing arrives any more", () => passage.cut()],
] as const)(
  "the banner comes within five seconds when %s, and goes within two of the return",
  async (_, lose) => {
    const shownAfter: number[] = [];
    const goneAfter: number[] = [];
    for (let n = 0; n < tries; n++) {
      await mel.tab.evaluate("Object.assign(window.seen, { shown: 0, gone: 0 })");
      // Somebody is there.
      await mel.press("Shift");
      const left = Date.now();
      lose();
      await mel.sees(lost);
      const back = Date.now();
      passage.mend(true);
      await mel.missed(lost);
      const seen = (await mel.tab.evaluate("window.seen")) as { shown: number; gone: number };
      shownAfter.push(seen.shown - left);
      goneAfter.push(seen.gone - back);
    }
    expect(Math.min(...shownAfter)).toBeLessThan(5_000);
    expect(Math.min(...goneAfter)).toBeLessThan(2_000);
  },
  240_000,
);

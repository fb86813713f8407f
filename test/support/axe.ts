// The accessibility faults that axe-core finds on a page.
import axe from "axe-core";
import type { Page } from "./browser.ts";

/**
 * Returns a line for each fault: the rule, and the element. Checks all rules, or only some. Ignores two faults. The focus guards
 * that floating-ui puts before and after what it opens can have the focus without content, but pass it on at once. An open menu
 * is in no landmark, as any menu that is drawn above the page; axe allows this for dialogs only.
 */
export async function faultsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Uses the debugging protocol, because a page's Content-Security-Policy does not restrict it.
  if (!(await page.tab.evaluate("'axe' in globalThis"))) await page.tab.evaluate(axe.source);
  const found = await page.tab.evaluate(async (only) => {
    const run = (globalThis as unknown as { axe: { run(page: object, options: object): Promise<Results> } })
      .axe.run;
    const page = { include: [["html"]], exclude: [["[data-floating-ui-focus-guard]"]] };
    // Neither style sheets fetched once more nor selectors, which nobody reads: a third of the time on some pages.
    const options = { resultTypes: ["violations"], preload: false, selectors: false };
    const { violations } = await run(page, { ...options, ...(only && { runOnly: only }) });
    return violations.flatMap(({ id, nodes }) =>
      nodes
        .filter(({ html }) => id !== "region" || !/^<div[^>]* role="menu"/.test(html))
        .map(({ html, any }) => [id, html, any[0]?.message ?? ""]),
    );
  }, rules);
  return found.map(([id, html = "", message]) => `${id}: ${html.slice(0, 160)} ${message}`);
}

/** As `faultsOf`, in the light and in the dark theme. Only colours differ in them, so the other rules are checked once. */
export async function faultsInBothThemes(page: Page): Promise<string[]> {
  // Without motion, as before: this replaces all features that are set.
  const choose = (value: "light" | "dark") =>
    page.tab.emulateMediaFeatures([
      { name: "prefers-color-scheme", value },
      { name: "prefers-reduced-motion", value: "reduce" },
    ]);
  await choose("light");
  const found = await faultsOf(page);
  await choose("dark");
  const inTheDark = await faultsOf(page, ["color-contrast"]);
  await choose("light");
  return [...found, ...inTheDark.map((fault) => `in the dark theme: ${fault}`)];
}

interface Results {
  violations: { id: string; nodes: { html: string; any: { message: string }[] }[] }[];
}

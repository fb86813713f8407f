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
    const { violations } = await run(page, { resultTypes: ["violations"], ...(only && { runOnly: only }) });
    return violations.flatMap(({ id, nodes }) =>
      nodes
        .filter(({ html }) => id !== "region" || !/^<div[^>]* role="menu"/.test(html))
        .map(({ html, any }) => [id, html, any[0]?.message ?? ""]),
    );
  }, rules);
  return found.map(([id, html = "", message]) => `${id}: ${html.slice(0, 160)} ${message}`);
}

interface Results {
  violations: { id: string; nodes: { html: string; any: { message: string }[] }[] }[];
}

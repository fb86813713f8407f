// What axe-core objects to on a page.
import axe from "axe-core";
import type { Page } from "./browser.ts";

/** Returns a line for each fault: the rule, and the element. Looks for all faults, or those of some rules. */
export async function faultsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Through the debugging protocol, which a page's Content-Security-Policy does not bind.
  await page.tab.evaluate(axe.source);
  const found = await page.tab.evaluate(async (only) => {
    const run = (globalThis as unknown as { axe: { run(options: object): Promise<Results> } }).axe.run;
    const { violations } = await run({ resultTypes: ["violations"], ...(only && { runOnly: only }) });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => [id, html, any[0]?.message ?? ""]),
    );
  }, rules);
  return found.map(([id, html = "", message]) => `${id}: ${html.slice(0, 160)} ${message}`);
}

interface Results {
  violations: { id: string; nodes: { html: string; any: { message: string }[] }[] }[];
}

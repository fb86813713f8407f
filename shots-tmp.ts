import { startBrowser } from "./test/support/browser.ts";
import { writeFileSync } from "node:fs";
const [url, out, data] = process.argv.slice(2) as [string, string, string];
const b = await startBrowser();
async function login(p: any) {
  const r = Bun.spawnSync(["dist/confab", "user", "login-link", "ines@example.com", "--data", data, "--site", url]);
  const link = /https?:\S+\/login\/link\/\S+/.exec(r.stdout.toString() + r.stderr.toString())?.[0];
  await p.open(link!.replace(/^https?:\/\/[^/]+/, url));
  await p.follow("button");
}
const views: [string, string][] = [["inbox", "#inbox"], ["conversation", process.argv[5] ?? "#narrow/channel/1"], ["topics", process.argv[6] ?? "#narrow/channel/1"], ["recent", "#recent"], ["feed","#feed"], ["settings", "#settings/profile"], ["search", "#narrow/search/tide"]];
for (const [size, width, height] of [["desktop", 1280, 820], ["phone", 390, 780]] as const) for (const colours of ["light", "dark"] as const) {
  const p = await b.page({ width, height, colours, scripts: true });
  await p.open(`${url}/login`); await Bun.sleep(700);
  writeFileSync(`${out}/sign-in-${size}-${colours}.png`, await p.tab.screenshot());
  await login(p); await Bun.sleep(1500);
  for (const [name, hash] of views) {
    await p.tab.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await Bun.sleep(1200);
    writeFileSync(`${out}/${name}-${size}-${colours}.png`, await p.tab.screenshot());
  }
}
await b.close();

// Serves test/web/stories.tsx: the web client's components and every kind of content, without a Confab server.
import { join } from "node:path";
import { renderMarkdown } from "@/text/rendering/render.ts";
import { servePlain } from "./plain-server.ts";
import { root } from "./source-tree.ts";

export const contents: readonly string[] = [
  "Good morning @**Mei Lin**, see #**launch>countdown** and #**launch**; @*boat-crew*, @_**Hugo** and @**Hugo** :wave: the tide at <time:2026-11-23T14:30:00Z>. `code` **bold** *it* ~~no~~ https://example.org",
  ":tada: :rocket:",
  "> quoted text\n> more\n\nreply\n\n1. one\n2. two\n   - nested",
  '```python\nimport os\n@cache\ndef next_wake(now: int) -> int:\n    # Drifts: every wake adds its own delay, and this line is far too long for a phone.\n    return now + 2.5 if True else "x"\n```\n```ts\nclass A extends B { x = `t` }\n```\n```sql\nSELECT name FROM users WHERE id = 1;\n```',
  "| Buoy | Depth | Last heard of |\n|:-----|------:|:--------------|\n| North Ledge | 18 m | this morning |",
  "So after $$n$$ wakes we are late by $$\\sum_{i=1}^{n} \\delta_i$$.\n```math\nh(t) = Z_0 + \\sum_{k=1}^{37} A_k \\cos(\\omega_k t)\n```",
  "```spoiler What failed\n- `test_wake`\n```",
  "[picture](/user_uploads/1/a/b.png)\n[notes.pdf](/user_uploads/1/a/notes.pdf)",
  "# Head one\n## Head two\n### Head three\ntext\n\n---\n",
  ":tada: ".repeat(8),
  ":tada: done",
  ":tada:\n\n:tada:",
  "* :tada:",
];

const lookup = {
  user: (name: string | null) => ({ id: name === "Mei Lin" ? 1 : 2, full_name: name ?? "Hugo" }),
  group: (name: string) => ({ id: 1, name, is_system: false, description: "" }),
  channel: (name: string) => ({ id: 3, name }),
  newestInTopic: () => 7,
  emptyTopicName: "general chat",
  upload: (href: string) =>
    href.endsWith(".png")
      ? { path_id: "1/a/b.png", width: 1200, height: 800, content_type: "image/png", is_animated: false }
      : null,
};

/** Bundles the page as the client is bundled, and serves it until stopped. */
export async function serveStories() {
  const bundle = await Bun.build({
    entrypoints: [join(root, "test/web/stories.tsx")],
    target: "browser",
    splitting: true,
    tsconfig: join(root, "src/web/tsconfig.json"),
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const files = new Map(bundle.outputs.map((one) => [one.path.replace(/^\.?\/?/, "/"), one]));
  const html = contents.map((content) => renderMarkdown(content, lookup, { previews: true }).html);
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Stories</title>
    <meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">
    <link rel="stylesheet" href="/stories.css"><div id="root"></div>
    <script>globalThis.messages=${JSON.stringify(html).replaceAll("<", "\\u003c")}</script>
    <script type="module" src="/stories.js"></script>`;
  return servePlain(async ({ path }) => {
    if (path === "/") return { body: page, headers: { "content-type": "text/html" } };
    const file = files.get(path);
    if (file)
      return { body: new Uint8Array(await file.arrayBuffer()), headers: { "content-type": file.type } };
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="84" height="56"/>';
    return { body: picture, headers: { "content-type": "image/svg+xml" } };
  });
}

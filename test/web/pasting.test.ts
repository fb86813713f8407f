// What is dropped on a conversation, and pasted into its composer.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { watchCpu } from "../support/browser.ts";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
let harbour = 0;
let first = 0;

const composer = "textarea[data-composer]";
const value = `document.querySelector('${composer}').value`;
const looks = [
  ["at a desk", { width: 1440, height: 860 }],
  ["on a phone", { width: 390, height: 780 }],
] as const;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  harbour = await w.channel("harbour", ["olive", "mel", "max"]);
  first = await w.post("max", "harbour", "boats", "all ashore");
  await w.ask("olive", ["POST", "/realm/filters"], {
    ...{ pattern: "#(?P<id>[0-9]+)", url_template: "https://example.com/issues/{id}" },
    ...{ example_input: "#12", reverse_template: "#{id}" },
    alternative_url_templates: ["https://example.com/i/{id}"],
  });
});
afterAll(() => w.close());

/** Dispatches an event with these texts and files at what the selector finds; returns whether the page has taken it. */
const give = (kind: "paste" | "dragover" | "drop", at: string, texts: Record<string, string>, file = "") =>
  mel.tab.evaluate(`(() => {
    const data = new DataTransfer();
    for (const [type, text] of Object.entries(${JSON.stringify(texts)})) data.setData(type, text);
    if (${JSON.stringify(file)}) data.items.add(new File(["of the log"], ${JSON.stringify(file)}, { type: "text/plain" }));
    const traits = { clipboardData: data, dataTransfer: data, bubbles: true, cancelable: true };
    const event = new (${kind === "paste" ? "ClipboardEvent" : "DragEvent"})("${kind}", traits);
    return !document.querySelector(${JSON.stringify(at)}).dispatchEvent(event);
  })()`);
const paste = (text: string) => give("paste", composer, { "text/plain": text });

async function clear(): Promise<void> {
  await mel.tab.focus(composer);
  await mel.press("Control+a", "Backspace");
}

describe.each(looks)("%s", (_name, look) => {
  beforeAll(async () => {
    mel = await w.sit("mel", `#narrow/channel/${harbour}-harbour/topic/boats`, look);
    await mel.tab.waitForSelector(composer);
    await mel.sees("all ashore");
  });

  afterEach(clear);

  test("a file that is dropped on the messages goes into the composer, after the page has shown where", async () => {
    expect(await give("dragover", "[data-feed]", {}, "log.txt")).toBe(true);
    await mel.tab.waitForSelector("main [data-drop-target]");
    await mel.sees("Drop files to add them to your message");
    expect(await give("drop", "[data-feed]", {}, "log.txt")).toBe(true);
    await mel.tab.waitForSelector("main [data-drop-target]", { hidden: true });
    await mel.until(`/\\[log\\.txt\\]\\(\\/user_uploads\\/.+\\)/.test(${value})`);
  });

  test("a file that is dropped on the composer is added once", async () => {
    await give("drop", composer, {}, "once.txt");
    await mel.until(`/\\[once\\.txt\\]\\(\\/user_uploads\\/.+\\)/.test(${value})`);
    expect(await mel.tab.evaluate(`${value}.split("[once.txt]").length - 1`)).toBe(1);
  });

  test("text that is dragged is left to the browser", async () => {
    expect(await give("dragover", "[data-feed]", { "text/plain": "words" })).toBe(false);
    expect(await mel.tab.$("main [data-drop-target]")).toBeNull();
  });

  test("a text that is too long for a message is offered as a file, and not cut", async () => {
    await paste("wave ".repeat(4_000));
    await mel.sees("This is too long for a message.");
    expect(await mel.tab.evaluate(value)).toBe("");
    await mel.click("aria/Add it as a file");
    await mel.until(`/\\[pasted\\.txt\\]\\(\\/user_uploads\\/.+\\)/.test(${value})`);
  });

  test.each<[string, () => string, string]>([
    ["a topic", () => `#narrow/channel/${harbour}-harbour/topic/boats`, "#**harbour>boats**"],
    [
      "a message",
      () => `#narrow/channel/${harbour}-harbour/topic/boats/near/${first}`,
      "#**harbour>boats@ID**",
    ],
    ["a channel", () => `#narrow/channel/${harbour}-harbour`, "#**harbour**"],
  ])("the address of %s becomes its short form, and undo brings it back", async (_, hash, short) => {
    await mel.tab.focus(composer);
    const address = `${w.server.url}/${hash()}`;
    await paste(address);
    expect(await mel.tab.evaluate(value)).toBe(short.replace("ID", String(first)));
    await mel.press("Control+z");
    expect(await mel.tab.evaluate(value)).toBe(address);
  });

  test.each([
    ["a linkifier", "https://example.com/issues/12"],
    ["one of its other templates", "https://example.com/i/12"],
  ])("the address of %s becomes the text that stands for it, and undo brings it back", async (_, address) => {
    await mel.tab.focus(composer);
    await paste(address);
    expect(await mel.tab.evaluate(value)).toBe("#12");
    await mel.press("Control+z");
    expect(await mel.tab.evaluate(value)).toBe(address);
  });

  test.each([
    ["a page that a linkifier does not know", () => "https://example.com/issues/12/notes"],
    ["another site", () => `https://example.com/#narrow/channel/${harbour}-harbour/topic/boats`],
    ["a view", () => `${w.server.url}/#inbox`],
    ["a search", () => `${w.server.url}/#narrow/search/boats`],
  ])("the address of %s is left as it is", async (_, address) => {
    await mel.tab.focus(composer);
    expect(await paste(address())).toBe(false);
  });

  test("the place to drop is as wide as the view", async () => {
    await give("dragover", "[data-feed]", {}, "log.txt");
    await mel.tab.waitForSelector("[data-drop-target]");
    expect(await mel.page.overflow()).toBe(0);
    await give("drop", "[data-feed]", {});
  });
});

/** What people copy, and what it becomes; the mention is of Max. */
const formatted: Record<string, [html: string, markdown: string]> = {
  marks: [
    `<p>Some <b>bold</b>, <i>italic</i> and <s>old</s> words<br>on two lines</p>`,
    "Some **bold**, *italic* and ~~old~~ words\non two lines",
  ],
  "marks by style": [
    `<b style="font-weight:normal" id="docs-internal-guid-1"><p><span style="font-weight:400">Ship </span><span style="font-weight:700">on </span><span style="font-weight:700;font-style:italic">Monday</span><span style="font-weight:400">.</span></p></b>`,
    "Ship **on** ***Monday***.",
  ],
  links: [
    `<p>See <a href="https://example.com/a_(b)">the <em>plan</em></a> and <a href="https://example.com/">example.com</a></p>`,
    "See [the *plan*](https://example.com/a_%28b%29) and example.com",
  ],
  lists: [
    `<p>Bring:</p><ul><li><p>bread</p><ul><li>white</li><li>dark</li></ul></li><li>fish</li></ul><ol start="3"><li>eat<ol><li>slowly</li></ol></li></ol>`,
    "Bring:\n\n- bread\n  - white\n  - dark\n- fish\n\n3. eat\n   1. slowly",
  ],
  "lists of another office": [
    `<p class=MsoListParagraph style='margin-left:36pt;mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp; </span></span>one</p><p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o </span>deeper</p><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>· </span>two</p>`,
    "- one\n  - deeper\n- two",
  ],
  "lists that are nested wrongly": ["<ul><li>one</li><ul><li>deeper</li></ul></ul>", "- one\n  - deeper"],
  "code in a line": ["<p>run <code>npm `x`</code> twice</p>", "run `` npm `x` `` twice"],
  "a block of code": [
    `<pre><code class="hljs language-python">def f():\n\n    return "\`\`\`"\n</code></pre>`,
    '```python\ndef f():\n\n    return "```"\n```',
  ],
  "a block of code with a fence": ["<p>so</p><pre>```\nx\n```</pre>", "so\n\n````\n```\nx\n```\n````"],
  quotes: [
    "<blockquote><p>first</p><blockquote><p>inner</p></blockquote></blockquote><p>mine</p>",
    "> first\n>\n> > inner\n\nmine",
  ],
  headings: ["<h2><b>The plan</b></h2><p>words</p>", "## The plan\n\nwords"],
  tables: [
    `<table><thead><tr><th>Boat</th><th align="right">Length</th></tr></thead><tbody><tr><td>Gull | Tern</td><td style="text-align:right">12</td></tr><tr><td></td><td><b>3</b></td></tr></tbody></table>`,
    "| Boat | Length |\n| --- | --: |\n| Gull \\| Tern | 12 |\n|  | **3** |",
  ],
  "a spreadsheet's cells": [
    `<google-sheets-html-origin><style>td {border: 1px}</style><table><colgroup><col><col></colgroup><tbody><tr><td>a</td><td>b</td></tr><tr><td colspan="2">both</td></tr></tbody></table>`,
    "| a | b |\n| --- | --- |\n| both |  |",
  ],
  "lines of an editor for mail": [
    "<div>one</div><div><b>two</b></div><div><br></div><div>three</div>",
    "one\n**two**\n\nthree",
  ],
  "spaces that do not break": ["<p>a&nbsp;<b>b</b></p>", "a **b**"],
  "pictures of emoji": [
    `<p>well <img alt=":wave:" src="https://example.com/w.png"> <img alt="🚀" src="x.png"><img alt="a boat" src="b.png"></p>`,
    "well :wave: 🚀",
  ],
};

const unformatted: Record<string, string> = {
  "an editor's colours": `<meta charset='utf-8'><div style="color: #d4d4d4;font-family: Consolas, 'Courier New', monospace;font-weight: normal;white-space: pre;"><div><span style="color: #569cd6;font-style: italic;">// plain</span></div></div>`,
  "another editor's": `<html><body><pre style="background-color:#2b2b2b;font-family:'JetBrains Mono',monospace"><span style="color:#cc7832;font-weight:bold">plain</span></pre></body></html>`,
  "one styled span": `<meta charset='utf-8'><span style="font-size: 32px; font-weight: 700; display: inline !important;">plain</span>`,
  "paragraphs alone": "<p>plain</p><p>words</p>",
  "one cell": "<table><tr><td>plain</td></tr></table>",
  "the address as a link": `<a href="https://example.com/plain">https://example.com/plain</a>`,
  "a link that leads nowhere": `<a href="javascript:alert(1)">plain</a> <a href="/x">words</a>`,
  "an empty mark": "<p>plain<b> </b></p>",
};

describe.each(looks)("formatted text %s", (name, look) => {
  beforeAll(async () => {
    mel = await w.sit("mel", `#narrow/channel/${harbour}-harbour/topic/boats`, look);
    await mel.tab.waitForSelector(composer);
    await mel.sees("all ashore");
  });

  afterEach(clear);

  const pasteHtml = (html: string, plain = "the plain text") =>
    give("paste", composer, { "text/plain": plain, "text/html": html });
  /** What a browser with a window does at these keys. */
  const edit = async (key: "c" | "v", command: string) => {
    await mel.tab.keyboard.down("Control");
    await mel.tab.keyboard.press(key, { commands: [command] });
    await mel.tab.keyboard.up("Control");
  };
  const becomes = (text: string) => mel.until(`${value} === ${JSON.stringify(text)}`);

  test.each(Object.entries(formatted))("%s become Markdown", async (_, [html, markdown]) => {
    await mel.tab.focus(composer);
    expect(await pasteHtml(html)).toBe(true);
    await mel.until(`${value} !== "" && ${value} !== "the plain text"`);
    expect(await mel.tab.evaluate(value)).toBe(markdown);
    await mel.press("Control+z");
    expect(await mel.tab.evaluate(value)).toBe("the plain text");
  });

  test.each(Object.entries(unformatted))("%s are pasted as plain text", async (_, html) => {
    await mel.tab.focus(composer);
    await pasteHtml(html);
    // The next paste is converted after this one.
    await mel.press("End", "Shift+Enter");
    await pasteHtml("<p><b>next</b></p>", "next");
    await becomes("the plain text\n**next**");
  });

  test("are pasted as plain text where the keys ask for that, and in code", async () => {
    await mel.tab.focus(composer);
    for (const key of ["Control", "Shift", "V"] as const) await mel.tab.keyboard.down(key);
    expect(await pasteHtml("<p><b>bold</b></p>")).toBe(false);
    for (const key of ["V", "Shift", "Control"] as const) await mel.tab.keyboard.up(key);
    await mel.tab.keyboard.type("run `");
    expect(await pasteHtml("<p><b>bold</b></p>")).toBe(false);
  });

  test("stand on lines of their own where that matters, and the cursor stays where the person writes on", async () => {
    await mel.tab.focus(composer);
    await mel.tab.keyboard.type("bring: now");
    for (let n = 0; n < 4; n++) await mel.press("ArrowLeft");
    await pasteHtml("<ul><li>bread</li><li>fish</li></ul>", "bread fish");
    await becomes("bring:\n- bread\n- fish\n now");
    await mel.tab.keyboard.type("X");
    await becomes("bring:\n- bread\n- fish\nX now");
  });

  test("are not converted where there is too much of them, and the page goes on", async () => {
    await mel.tab.focus(composer);
    // Of the processor, not of the clock: other programs may delay the page.
    const usedMs = await watchCpu(mel.tab);
    const before = await usedMs();
    await mel.tab.evaluate(`(async () => {
      const data = new DataTransfer();
      data.setData("text/plain", "the plain text");
      data.setData("text/html", "<b><i>".repeat(170_000) + "x");
      document.querySelector("${composer}").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    })()`);
    const took = (await usedMs()) - before;
    expect(took).toBeLessThan(2_000);
    await mel.press("End", "Shift+Enter");
    await pasteHtml("<p><b>next</b></p>", "next");
    await becomes("the plain text\n**next**");
  });

  test("of this page keeps mentions, emoji, times, formulas and links to conversations", async () => {
    const content = [
      "@**Max** and @_**Olive** :tada: <time:2026-06-05T14:30:00Z>, see #**harbour>boats** and #**harbour**: $$x^2$$",
      "```python\nprint(1)\n```",
      `\`\`\`quote\nso they said ${name}\n\`\`\``,
    ].join("\n");
    await w.post("max", "harbour", "boats", content);
    await mel.sees(`so they said ${name}`);
    const html = await mel.tab.evaluate(
      "[...document.querySelectorAll('article[data-message]')].at(-1).querySelector('.message-content').outerHTML",
    );
    await mel.tab.focus(composer);
    await pasteHtml(String(html));
    await becomes(
      [
        "@**Max** and @_**Olive** 🎉 <time:2026-06-05T14:30:00Z>, see #**harbour>boats** and #**harbour**: $$x^2$$",
        "```python\nprint(1)\n```",
        `> so they said ${name}`,
      ].join("\n\n"),
    );
  });

  // On phones, messages are copied by their menu.
  if (name === "at a desk") {
    test("copied and pasted by keys keeps its formats, and one undo brings back the plain text", async () => {
      await w.post("max", "harbour", "boats", `the *Gull* and the **Tern** ${name}`);
      await mel.sees(`the Gull and the Tern ${name}`);
      await mel.tab.evaluate(`(() => {
      const content = [...document.querySelectorAll("article[data-message] .message-content")].at(-1);
      document.activeElement.blur();
      getSelection().selectAllChildren(content);
    })()`);
      await edit("c", "copy");
      await mel.tab.focus(composer);
      await edit("v", "paste");
      await becomes(`the *Gull* and the **Tern** ${name}`);
      await mel.press("Control+z");
      await becomes(`the Gull and the Tern ${name}`);
    });
  }

  test("of other pages runs and requests nothing", async () => {
    await mel.tab.focus(composer);
    await pasteHtml(
      `<style>p {}</style><p style='color:red'><b>bold</b><img src="https://example.com/x.png" onerror="alert(1)"><script>alert(2)</script></p>`,
    );
    await becomes("**bold**");
    expect([mel.strangers, mel.page.complaints]).toEqual([[], []]);
  });
});

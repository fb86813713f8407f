import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { languageNamed } from "@/text/code/languages.ts";
import { render, renderMarkdown } from "@/text/rendering/render.ts";
import type { RenderLookup } from "@/text/rendering/scope.ts";
import { cpuTimeOf } from "./support/cpu-time.ts";
import { messages } from "./support/hostile-messages.ts";
import { foreignPart } from "./support/rendering-html";

// Users who add emoji and linkifiers are not trusted more than senders.
const hostileUrl = 'javascript:alert(1)//"><img src=x>';
const lookup: RenderLookup = {
  user: (name, id) => (name === null && id === null ? null : { id: 11, full_name: "Max <b>" }),
  group: (name) => ({ id: 5, name, is_system: false, description: '"<i>' }),
  channel: (name) => ({ id: 3, name }),
  newestInTopic: () => 77,
  emptyTopicName: "general chat",
  customEmoji: (name) => (name === "party" ? { url: '/user_avatars/1/emoji/images/"><b>.png' } : null),
  upload: (href) =>
    href.includes("x")
      ? { path_id: href, width: 3, height: 4, content_type: 'image/"><b>', is_animated: false }
      : null,
  linkifiers: [linkifier(/#\d+/g, hostileUrl), linkifier(/\bA-\d+/g, 'https://e.com/"><b>')],
};
const everything = { previews: true, translateEmoticons: true };

function linkifier(pattern: RegExp, url: string) {
  const find = (text: string) =>
    Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
      url,
    }));
  return { find };
}

test("no input adds forbidden tags, attributes or schemes to the HTML", () => {
  fc.assert(
    fc.property(messages, (source) =>
      expect(foreignPart(render(source, lookup, everything).html)).toBeNull(),
    ),
    { numRuns: 3000 },
  );
});

test("no formula adds forbidden tags, attributes or schemes to the HTML", () => {
  const parts = [
    ..."{}[]^_&%#$<>\"'\\ x1=",
    "\\frac",
    "\\sqrt",
    "\\left(",
    "\\right)",
    "\\text{",
    "\\begin{matrix}",
  ];
  const commands = [
    "\\end{matrix}",
    "\\\\",
    "\\color{red}",
    "\\href{javascript:x}{y}",
    "\\url{http://e.com}",
  ];
  const html = [
    "\\htmlClass{a}{b}",
    "\\htmlStyle{color:red}{b}",
    "\\includegraphics{http://e.com/x.png}",
    "\\rule{1em}{1em}",
  ];
  const tex = fc
    .array(fc.constantFrom(...parts, ...commands, ...html), { maxLength: 12 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(tex, (source) => {
      const rendered = render(`\`\`\`math\n${source}\n\`\`\``, lookup).html;
      expect(foreignPart(rendered)).toBeNull();
      expect(rendered).not.toMatch(/ (?:href|src)=/);
    }),
    { numRuns: 2000 },
  );
});

test("plain text renders the same without the parser", () => {
  const words = fc.constantFrom(
    ..."aZ9é字 ,;!?'\"()%=/_+-^.:\n\u00a0",
    ...["well", ". ", ": ", "a.com", "\n\n", "\n1. ", " \n", "A-1", "A-12 ", ":)", " :(", ";)", " (: "],
    ...[
      " **now**",
      " `now` ",
      "**",
      " **",
      "** ",
      "`",
      " `",
      "` ",
      "*",
      "\n**a b**\n",
      '\n`a"b`,',
      " **a**.",
      "``",
    ],
    ...[
      "https://e.com/a ",
      " http://e.com",
      " https://e.com/a?b=c&d=%20#e. ",
      "https://",
      " HTTP://E.com ",
      " http:// ",
      "\nhttps://e.com\n",
    ],
    ...[
      "http",
      " https://e.com:8/~a/.. ",
      " https://e.com/a_b_c, ",
      " (https://e.com) ",
      " https://e.com/x.png ",
      "https://a.b.c",
    ],
    ...[
      " https://zulip.example.com/#narrow/channel/1 ",
      " https://e.com/user_uploads/1/a.mp3 ",
      " https://é.com ",
      " http://-a.b ",
    ],
    ...[
      " https://e.com/:smile: ",
      " https://e.com/a~ ",
      " https://e.com/@**x** ",
      " xhttps://e.com ",
      " https://_a_.b ",
    ],
  );
  const plain = fc
    .tuple(
      fc.constantFrom("A", "**A** ", "`A` "),
      fc.array(words, { maxLength: 12 }),
      fc.constantFrom("b", " **b**", " `b`"),
    )
    .map(([first, parts, last]) => first + parts.join("") + last);
  fc.assert(
    fc.property(plain, fc.boolean(), (source, translateEmoticons) => {
      const options = { translateEmoticons };
      expect(render(source, lookup, options)).toEqual(renderMarkdown(source, lookup, options));
    }),
    { numRuns: 3000 },
  );
});

describe("10,000 characters at their worst render in time, and to so much HTML", () => {
  const filled = (part: string) => part.repeat(10_000 / part.length);
  const repeated = [
    ...[
      ">",
      "> ",
      "[",
      "[a](",
      "*[",
      "*",
      "**a",
      "`",
      "~~",
      "@**",
      "#**",
      "|",
      "a|\n|-\n",
      "a|b\n-|-\n",
      "- ",
      "1. ",
    ],
    ...[
      "http://(",
      "a.",
      "a@",
      "❤",
      ":party:",
      ":) ",
      "#1 ",
      "<time:",
      "[<time:",
      "$$",
      "'$$",
      "$$x$$",
      "$$\\LaTeX$$",
    ],
    ...[
      "```spoiler a\n",
      "```quote\n",
      "http://e.com/x.png ",
      "[a](/user_uploads/x.mp3)",
      "[a](/user_uploads/x)\n\n",
    ],
  ];
  const deep = (item: string) =>
    Array.from({ length: 95 }, (_, depth) => `${"  ".repeat(depth)}${item}\n`).join("");
  const fenced = (label: string, content: string) => `\`\`\`${label}\n${content}\n\`\`\``;
  const code = [
    "python",
    "js",
    "tsx",
    "java",
    "rust",
    "perl",
    "html",
    "css",
    "yaml",
    "haskell",
    "swift",
    "sql",
  ];
  const sources: [string, string][] = [
    ...repeated.map((part): [string, string] => [part, filled(part)]),
    ...code.flatMap((language) =>
      ["a", " ", "(", '"', "a\n  b"].map((part): [string, string] => [
        `${part} in ${language}`,
        fenced(language, filled(part)),
      ]),
    ),
    ...["\\KaTeX", "\\sqrt x", "é", "{", "x_{"].map((part): [string, string] => [
      `${part} in a formula`,
      fenced("math", part.repeat(1900 / part.length)),
    ]),
    ["columns in a formula", fenced("math", `\\begin{matrix}${"&".repeat(180)}\\end{matrix}`)],
    ["a deep list", deep("- a")],
    ["a deep numbered list", deep("1. a")],
    ["a table of empty rows", `a|b\n-|-\n${"|\n".repeat(4900)}`],
  ];
  // Several times the promised limit, because machines may be busy; anything that is not linear exceeds it by far.
  test.each(sources)("%j", (_name, source) => {
    let html = "";
    const time = cpuTimeOf(() => {
      html = render(source, lookup, everything).html;
    });
    expect(html.length).toBeLessThan(400_000);
    expect(time).toBeLessThan(150);
  });
});

// Four times the maximum length of a message, so that non-linear time shows.
test.each<[string, (size: number) => string]>([
  ["lines that no quote takes in", (size) => "> ```js\na\n".repeat(size / 10)],
  ["quotes in between", (size) => "a\n> ```quote\n".repeat(size / 13)],
  ["bullets of changing kinds", (size) => "* a\n- b\n".repeat(size / 8)],
  ["loose bullets of changing kinds", (size) => "* a\n\n- b\n\n".repeat(size / 10)],
  ["items of many lines", (size) => `1. a\n${"  a\n".repeat(size / 4)}`],
  ["marks with blanks between", (size) => "~~ ".repeat(size / 3)],
  ["marks after long blanks", (size) => `${" ".repeat(size / 2)}~~${" ".repeat(size / 2)}~~`],
  ["lists that end at once", (size) => "1. >>a\n  a\n".repeat(size / 11)],
  ["a heading of blanks", (size) => `#${" ".repeat(size)}\na`],
  ["a fence of blanks", (size) => `\`\`\`${" ".repeat(size)}\`\na`],
  ["a fence of tildes", (size) => `${"~".repeat(size)}\``],
])("%s take time in proportion to their length", (_name, sourceOf) => {
  expect(cpuTimeOf(() => render(sourceOf(40_000), lookup, everything))).toBeLessThan(500);
});

test("every language reads any code without failing", () => {
  const names = [
    "python",
    "c++",
    "ruby",
    "bash",
    "haskell",
    "tex",
    "xml",
    "sql",
    "clojure",
    "f#",
    "go",
    "sass",
  ];
  for (const name of names) expect(languageNamed(name)).not.toBeNull();
  fc.assert(
    fc.property(fc.constantFrom(...names), messages, (name, source) => {
      const { html } = render(`~~~~~${name}\n${source}\n~~~~~`, lookup);
      expect(html).toStartWith('<div class="codehilite" data-code-language="');
    }),
    { numRuns: 500 },
  );
});

// What is slow to render, in an organization whose people try to do harm.
import type { Linked, RenderLookup } from "@/text/rendering/scope.ts";

// Users who add emoji and linkifiers are not trusted more than senders.
const hostileUrl = 'javascript:alert(1)//"><img src=x>';
export const lookup: RenderLookup = {
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
  linked,
  linkifiers: [linkifier(/#\d+/g, hostileUrl), linkifier(/\bA-\d+/g, 'https://e.com/"><b>')],
};
export const everything = { previews: true, linkPreviews: true, translateEmoticons: true };

/** What other sites say of themselves, by the length of their address. */
function linked(href: string): Linked | null {
  const title = '"><script>alert(1)</script>';
  const src = "/external_content/ab/cd";
  if (href.length % 4 === 0) return { kind: "unfetched", address: href };
  if (href.length % 4 === 1) return { kind: "picture", src, width: 3, height: 4 };
  return href.length % 4 === 2 ? { kind: "page", src, title, description: `url("${title}` } : null;
}

function linkifier(pattern: RegExp, url: string) {
  const find = (text: string) =>
    Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
      url,
    }));
  return { find };
}

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
/** 10,000 characters at their worst, by name. */
export const worstSources: [string, string][] = [
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

/** Texts of any length that would take more than linear time if each part looked at the others. */
export const growingSources: [string, (size: number) => string][] = [
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
];

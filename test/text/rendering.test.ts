import { describe, expect, test } from "bun:test";
import { emojiByName, nameOfEmoji } from "@/text/emoji/emoji.ts";
import { type Rendered, render } from "@/text/rendering/render.ts";
import type { RenderLookup } from "@/text/rendering/scope.ts";

const users = [
  { id: 10, full_name: "Mel Member" },
  { id: 11, full_name: "Max <b>" },
  { id: 12, full_name: "Twin" },
  { id: 14, full_name: "Emma 🎉" },
  { id: 13, full_name: "Twin" },
];
const groups = [
  { id: 5, name: "devs", is_system: false, description: "" },
  { id: 6, name: "role:owners", is_system: true, description: "Owners" },
];
const channels = [
  { id: 1, name: "general" },
  { id: 2, name: "Q&A v1.5 (new)" },
  { id: 3, name: "x>y" },
];
const lookup: RenderLookup = {
  user: (name, id) =>
    users.find((user) => (name === null || user.full_name === name) && (id === null || user.id === id)) ??
    null,
  group: (name) => groups.find((group) => group.name === name) ?? null,
  channel: (name) => channels.find((channel) => channel.name === name) ?? null,
  newestInTopic: (_channel, topic) => (topic === "lunch" || topic === "" ? 77 : null),
  emptyTopicName: "general chat",
  sites: ["https://chat.example.com", "http://10.0.0.7:9900"],
};

const quiet = {
  mentionedUsers: [],
  mentionedGroups: [],
  channelWildcard: false,
  topicWildcard: false,
};

function expectHtml(source: string, html: string, found: Partial<Rendered> = {}) {
  const {
    html: actual,
    hasLink,
    hasImage,
    isMeMessage,
    uploads,
    toFetch,
    ...mentions
  } = render(source, lookup);
  expect(actual).toBe(html);
  expect(mentions).toEqual({ ...quiet, ...found });
}

/** Rows of source and HTML; those that are `inline` omit the paragraph around both. */
function rows(name: string, table: [source: string, html: string][]) {
  test.each(table)(`${name}: %j`, (source, html) => expectHtml(source, html));
}

function inline(name: string, table: [source: string, html: string][]) {
  rows(
    name,
    table.map(([source, html]) => [source, `<p>${html}</p>`]),
  );
}

describe("text", () => {
  rows("paragraphs", [
    ["", ""],
    ["a\nb\n\nc", "<p>a<br>\nb</p>\n<p>c</p>"],
    ['Tom & "Jerry" <b>', "<p>Tom &amp; &quot;Jerry&quot; &lt;b&gt;</p>"],
    ["<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"],
  ]);
  inline("emphasis", [
    ["*a* **b** ***c*** ~~d~~", "<em>a</em> <strong>b</strong> <em><strong>c</strong></em> <del>d</del>"],
    ["_a_ __b__ snake_case_name", "_a_ __b__ snake_case_name"],
    ["2 * 3 * 4, *a, **b, ~~c", "2 * 3 * 4, *a, **b, ~~c"],
    ["**a\nb**", "<strong>a<br>\nb</strong>"],
    ["~~ x ~~ a~~b~~c", "<del> x </del> a<del>b</del>c"],
    ["~~x~~ ~~**y** ~ z~~", "<del>x</del> <del><strong>y</strong> ~ z</del>"],
    ["~~~x~~~ ~~ ~~ ~~~~", "~~~x~~~ ~~ ~~ ~~~~"],
    ["C:\\*dir*", "C:\\<em>dir</em>"],
  ]);
  inline("inline code", [
    ["`a < *b*` ``c ` d``", "<code>a &lt; *b*</code> <code>c ` d</code>"],
    ["`open", "`open"],
    ["` x ` `  ` `a `", "<code> x </code> <code>  </code> <code>a </code>"],
    ["`` `a` `` `` ` `` ``` `` x ```", "<code> `a` </code> <code> ` </code> <code> `` x </code>"],
  ]);
});

describe("blocks", () => {
  rows("headings and rules", [
    ["# One\n###### Six", "<h1>One</h1>\n<h6>Six</h6>"],
    ["#  One  ##  ", "<h1>One</h1>"],
    ["#none\n#\n####### seven", "<p>#none<br>\n#<br>\n####### seven</p>"],
    ["a\n\n---\nb", "<p>a</p>\n<hr>\n<p>b</p>"],
    ["not a heading\n---", "<p>not a heading</p>\n<hr>"],
  ]);
  rows("lists", [
    ["* a\n* b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"],
    ["text\n- a\nb", "<p>text</p>\n<ul>\n<li>a<br>\nb</li>\n</ul>"],
    ["* a\n- b\n+ c\n* d", "<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n<li>d</li>\n</ul>"],
    ["- a\n\n+ b", "<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>"],
    ["- a\n+ b\n\n  c", "<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n<p>c</p>\n</li>\n</ul>"],
    ["* a\n  - b\n  + c\n- d", "<ul>\n<li>a\n<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n</li>\n<li>d</li>\n</ul>"],
    ["* a\n* * *\n- b", "<ul>\n<li>a</li>\n</ul>\n<hr>\n<ul>\n<li>b</li>\n</ul>"],
    ["* a\n1. b", "<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>"],
    ["3. c\n4. d", '<ol start="3">\n<li>c</li>\n<li>d</li>\n</ol>'],
    ["- a\n  - b", "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>"],
    ["1. a\n  - b\n2. c", "<ol>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ol>"],
    ["1. a\n  1. b\n  2. c", "<ol>\n<li>a\n<ol>\n<li>b</li>\n<li>c</li>\n</ol>\n</li>\n</ol>"],
    [
      "1. a\n  text\n\n  - b\n2. c",
      "<ol>\n<li>\n<p>a<br>\ntext</p>\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>\n<p>c</p>\n</li>\n</ol>",
    ],
    [
      "10. a\n    text\n  1. b\n    - c",
      '<ol start="10">\n<li>a<br>\ntext\n<ol>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ol>\n</li>\n</ol>',
    ],
    ["1. a\n\n  text\n2. b", "<ol>\n<li>\n<p>a</p>\n<p>text</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ol>"],
    [
      "10. a\n  > q\n  - b",
      '<ol start="10">\n<li>a</li>\n</ol>\n<blockquote>\n<p>q</p>\n</blockquote>\n<ul>\n<li>b</li>\n</ul>',
    ],
    ["1. a\n  2. b", '<ol>\n<li>a\n<ol start="2">\n<li>b</li>\n</ol>\n</li>\n</ol>'],
    [
      "- a\n  3. b\n    - c",
      '<ul>\n<li>a\n<ol start="3">\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ol>\n</li>\n</ul>',
    ],
    ["10. a\n  more\n  - b", '<ol start="10">\n<li>a<br>\nmore\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ol>'],
    ["a\n2. b", "<p>a<br>\n2. b</p>"],
    ["-\n1.\n2) c\n-d", "<p>-<br>\n1.<br>\n2) c<br>\n-d</p>"],
  ]);
  rows("tables", [
    [
      "a|b|c\n--|:-|-:\n1|*2*|3",
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th style="text-align: left;">b</th>\n' +
        '<th style="text-align: right;">c</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n' +
        '<td style="text-align: left;"><em>2</em></td>\n<td style="text-align: right;">3</td>\n</tr>\n</tbody>\n</table>',
    ],
    ["a|b\n1|2", "<p>a|b<br>\n1|2</p>"],
    [
      "a|b\n-|-:\n\nc",
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th style="text-align: right;">b</th>\n</tr>\n</thead>\n' +
        "<tbody>\n<tr>\n<td></td>\n<td></td>\n</tr>\n</tbody>\n</table>\n<p>c</p>",
    ],
  ]);
  const code = (text: string, language = "") =>
    `<div class="codehilite"${language && ` data-code-language="${language}"`}><pre><span></span><code>${text}\n</code></pre></div>`;
  rows("quotes", [
    ["> a\n> > b", "<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>"],
    [
      "```quote\n*a*\n\n- b\n```\nc",
      "<blockquote>\n<p><em>a</em></p>\n<ul>\n<li>b</li>\n</ul>\n</blockquote>\n<p>c</p>",
    ],
    [
      "````quote\n```quote\na\n```\nb\n````",
      "<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>\n</blockquote>",
    ],
    ["> a\nb\n> c\n\nd", "<blockquote>\n<p>a<br>\nb<br>\nc</p>\n</blockquote>\n<p>d</p>"],
    // A quote ends at its own fence, even if the quoted text leaves a fence open.
    ...["```js\na", "~~~\na", "~~~quote\na", "```spoiler\na", "> ```\n> a"].map((open): [string, string] => [
      `\`\`\`\`quote\n${open}\n\`\`\`\`\nb`,
      `${render(`\`\`\`\`quote\n${open}\n\`\`\`\``, lookup).html}\n<p>b</p>`,
    ]),
    ["````quote\n```zig\na\n````\nb", `<blockquote>\n${code("a", "Zig")}\n</blockquote>\n<p>b</p>`],
    [
      "~~~quote\n```zig\n~~~\n```\nb\n~~~\nc",
      `<blockquote>\n${code("~~~", "Zig")}\n<p>b</p>\n</blockquote>\n<p>c</p>`,
    ],
    ["~~~ quote\nunclosed", "<blockquote>\n<p>unclosed</p>\n</blockquote>"],
    // Other marks than its own open code.
    ["```quote\n````\na\n````\nb\n```\nc", `<blockquote>\n${code("a")}\n<p>b</p>\n</blockquote>\n<p>c</p>`],
    ["```quote\na\n````\nb", `<blockquote>\n<p>a</p>\n${code("b")}\n</blockquote>`],
  ]);
  const nested = (depth: number, text: string): string =>
    depth === 0 ? text : `<blockquote>\n${nested(depth - 1, text)}\n</blockquote>`;
  rows("marks without text", [
    [">", "<p>&gt;</p>"],
    [">\n>", "<p>&gt;<br>\n&gt;</p>"],
    ["a\n>\n>\n\nb", "<p>a<br>\n&gt;<br>\n&gt;</p>\n<p>b</p>"],
    [">\n>\n\ntext", "<p>&gt;<br>\n&gt;</p>\n<p>text</p>"],
    [">>>>>", nested(4, "<p>&gt;</p>")],
    ["> >", nested(1, "<p>&gt;</p>")],
    [">>\n>>", nested(1, "<p>&gt;<br>\n&gt;</p>")],
    ["a\n>>>", `<p>a</p>\n${nested(2, "<p>&gt;</p>")}`],
    [">>>>>\ntext", nested(5, "<p>text</p>")],
    [">\n>\ntext", nested(1, "<p>text</p>")],
    ["a\n>\ntext\nb\n\nc", `<p>a</p>\n${nested(1, "<p>text<br>\nb</p>")}\n<p>c</p>`],
    [">\n>\n> text", nested(1, "<p>text</p>")],
    ["> a\n>\nb\n> c", nested(1, "<p>a</p>\n<p>b<br>\nc</p>")],
    ["> a\n>\n- b", `${nested(1, "<p>a</p>")}\n<ul>\n<li>b</li>\n</ul>`],
    ["> > a\n> >\nb", nested(2, "<p>a</p>\n<p>b</p>")],
    ["- > a\n  >\n  b", `<ul>\n<li>\n${nested(1, "<p>a</p>\n<p>b</p>")}\n</li>\n</ul>`],
    ["- > a\n  >\nb", `<ul>\n<li>\n${nested(1, "<p>a</p>")}\n</li>\n</ul>\n<p>b</p>`],
    [">\ta\n>\n>\t\tb", nested(1, `<p>a</p>\n${code("  b")}`)],
  ]);
  rows("code", [
    ["```\na < *b*\n```", code("a &lt; *b*")],
    ['```text\n@**Mel Member** "x"\n```', code("@**Mel Member** &quot;x&quot;", "Text only")],
    ["~~~ brainf+k extra\n:smile:\n```\n~~~", code(":smile:\n```", "brainf+k")],
    ['```a"b\nx\n```', code("x", "a&quot;b")],
    ["```zig\nunclosed", code("unclosed", "Zig")],
    ["```\n\na\n```", code("a")],
    ["~~~ hello world ~~~", "<p>~~~ hello world ~~~</p>"],
    ["~~~ a`b\nc", "<p>~~~ a`b<br>\nc</p>"],
    ["~~~quote ~~~\nc", "<p>~~~quote ~~~<br>\nc</p>"],
    ["    indented\n      more", code("indented\n  more")],
    [
      "> ```quote\n> ```zig\n> x\n> ```\n> ```",
      `<blockquote>\n<blockquote>\n${code("x", "Zig")}\n</blockquote>\n</blockquote>`,
    ],
  ]);
});

describe("links", () => {
  const a = (href: string, text = href) => `<a href="${href}">${text}</a>`;
  inline("named", [
    ["[a *b*](https://e.com/?x=1&y=2)", a("https://e.com/?x=1&amp;y=2", "a <em>b</em>")],
    ['[a](http://e.com "t")', '<a href="http://e.com" title="t">a</a>'],
    ["[f.txt](/user_uploads/2/ab/f.txt)", a("/user_uploads/2/ab/f.txt", "f.txt")],
    ["[a](e.com/x) [b](#narrow/dm/1)", `${a("http://e.com/x", "a")} ${a("#narrow/dm/1", "b")}`],
    ["[](http://e.com)", a("http://e.com")],
    ["![cat](http://e.com/cat)", `!${a("http://e.com/cat", "cat")}`],
    ["[http://a.com](http://b.com)", a("http://b.com", "http://a.com")],
    ["[a] [b]( [c](d e) [](x", "[a] [b]( [c](d e) [](x"],
  ]);
  inline("to a place in this organization", [
    [
      "https://chat.example.com/#narrow/channel/1-general",
      a("#narrow/channel/1-general", "https://chat.example.com/#narrow/channel/1-general"),
    ],
    ["[a](https://chat.example.com#narrow/dm/3)", a("#narrow/dm/3", "a")],
    [
      "[a](https://chat.example.com.evil.dev/#narrow/x)",
      a("https://chat.example.com.evil.dev/#narrow/x", "a"),
    ],
    ["[a](http://chat.example.com/#narrow/x)", a("http://chat.example.com/#narrow/x", "a")],
    [
      "[a](HTTPS://Chat.Example.COM:443/#narrow/x) [b](http://10.0.0.7:9900/#narrow/y)",
      `${a("#narrow/x", "a")} ${a("#narrow/y", "b")}`,
    ],
    ["[a](http://10.0.0.7:99001/#narrow/x)", a("http://10.0.0.7:99001/#narrow/x", "a")],
    ["[a](https://chat.example.com/#other)", a("https://chat.example.com/#other", "a")],
  ]);
  inline("bare", [
    ["see http://e.com/a_b*c*d, ok", `see ${a("http://e.com/a_b*c*d")}, ok`],
    ["(https://e.com/a_(b)).", `(${a("https://e.com/a_(b)")}).`],
    ["**https://e.com**!", `<strong>${a("https://e.com")}</strong>!`],
    ["http://localhost:8000/:smile:x", a("http://localhost:8000/:smile:x")],
    [
      "e.com, docs.e.dev/x#y",
      `${a("http://e.com", "e.com")}, ${a("http://docs.e.dev/x#y", "docs.e.dev/x#y")}`,
    ],
    ["me@e.com mailto:me@e.com", `${a("mailto:me@e.com", "me@e.com")} ${a("mailto:me@e.com")}`],
    [
      "README.md v1.2 e.g. a.b.invalidtld http:// xhttp://e.com",
      "README.md v1.2 e.g. a.b.invalidtld http:// xhttp://e.com",
    ],
    ["`http://e.com`", "<code>http://e.com</code>"],
  ]);
  test.each([
    "javascript:alert`1`",
    "JaVaScRiPt:x",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc",
    "java&#9;script:x",
    " ",
  ])("refuses the target %j", (target) =>
    expect(render(`[a](${target})`, lookup).html).not.toContain("href"),
  );
  test("are recorded, including images", () => {
    const found = (source: string) =>
      (({ hasLink, hasImage }) => [hasLink, hasImage])(render(source, lookup));
    expect(found("e.com")).toEqual([true, false]);
    expect(found("[x](/user_uploads/1/Cat.PNG?x)")).toEqual([true, true]);
    expect(found("`http://e.com/a.png` #**general**")).toEqual([false, false]);
  });
});

describe("mentions", () => {
  const user = (id: number, name: string) =>
    `<span class="user-mention" data-user-id="${id}">@${name}</span>`;
  const silent = (id: number, name: string) =>
    `<span class="user-mention silent" data-user-id="${id}">${name}</span>`;
  const everyone = (name: string) =>
    `<span class="user-mention channel-wildcard-mention" data-user-id="*">@${name}</span>`;

  test.each<[string, string, Partial<Rendered>]>([
    [
      "@**Twin|13** (@**Mel Member**",
      `${user(13, "Twin")} (${user(10, "Mel Member")}`,
      { mentionedUsers: [10, 13] },
    ],
    [
      "@**|11** @**|11**",
      `${user(11, "Max &lt;b&gt;")} ${user(11, "Max &lt;b&gt;")}`,
      { mentionedUsers: [11] },
    ],
    ["@_**Mel Member|10** @_**Emma 🎉**", `${silent(10, "Mel Member")} ${silent(14, "Emma 🎉")}`, {}],
    ["@**all** @**stream**", `${everyone("all")} ${everyone("stream")}`, { channelWildcard: true }],
    [
      "@_**all**",
      '<span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span>',
      {},
    ],
    ["@**topic**", '<span class="topic-mention">@topic</span>', { topicWildcard: true }],
    ["@_**topic**", '<span class="topic-mention silent">topic</span>', {}],
    [
      "@*devs*",
      '<span class="user-group-mention" data-user-group-id="5">@devs</span>',
      { mentionedGroups: [5] },
    ],
    ["@_*devs*", '<span class="user-group-mention silent" data-user-group-id="5">devs</span>', {}],
    ["@_*role:owners*", '<span class="user-group-mention silent" data-user-group-id="6">Owners</span>', {}],
    [
      "@**Nobody** @**Mel Member|11** @*nobody* @*role:owners*",
      "@**Nobody** @**Mel Member|11** @*nobody* @*role:owners*",
      {},
    ],
    ["x@**Mel Member** @**Mel", "x@<strong>Mel Member</strong> @**Mel", {}],
    [
      "`@**all**` [@**all**](http://e.com)",
      '<code>@**all**</code> <a href="http://e.com">@<strong>all</strong></a>',
      {},
    ],
  ])("%s", (source, html, found) => expectHtml(source, `<p>${html}</p>`, found));

  test.each([
    ["> @**Mel Member**", silent(10, "Mel Member")],
    ["```quote\n@*devs*\n```", '<span class="user-group-mention silent" data-user-group-id="5">devs</span>'],
  ])("are silent in a quote: %j", (source, html) =>
    expectHtml(source, `<blockquote>\n<p>${html}</p>\n</blockquote>`),
  );

  test("notify again after the quote", () => {
    expect(render("> @**all**\n\n@**Mel Member**", lookup)).toMatchObject({ ...quiet, mentionedUsers: [10] });
  });
});

describe("channel links", () => {
  const topic = (href: string, text: string, id = 1) =>
    `<a class="stream-topic" data-stream-id="${id}" href="/#narrow/channel/${href}">${text}</a>`;
  inline("to", [
    ["#**general**", '<a class="stream" data-stream-id="1" href="/#narrow/channel/1-general">#general</a>'],
    ["#**general>lunch**", topic("1-general/topic/lunch/with/77", "#general &gt; lunch")],
    ["#**general>new/50% é**", topic("1-general/topic/new.2F50.25.20.C3.A9", "#general &gt; new/50% é")],
    ["#**general>**", topic("1-general/topic//with/77", "#general &gt; <em>general chat</em>")],
    [
      "#**general>lunch@12**",
      '<a class="message-link" href="/#narrow/channel/1-general/topic/lunch/near/12">#general &gt; lunch @ 💬</a>',
    ],
    ["#**Q&A v1.5 (new)>x**", topic("2-Q.26A-v1.2E5-.28new.29/topic/x", "#Q&amp;A v1.5 (new) &gt; x", 2)],
    ["#**x>y**", '<a class="stream" data-stream-id="3" href="/#narrow/channel/3-x.3Ey">#x&gt;y</a>'],
    ["#**nope** #**nope>a** #**general", "#**nope** #**nope&gt;a** #**general"],
    ["a#**general** `#**general**`", "a#<strong>general</strong> <code>#**general**</code>"],
  ]);
});

describe("emoji", () => {
  const span = (name: string, code: string, title = name) =>
    `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`;
  inline("as", [
    [":smile::thumbs_up:", span("smile", "1f642") + span("thumbs_up", "1f44d", "thumbs up")],
    [
      "a🎉 ❤️ ❤ 🇺🇸",
      `a${span("tada", "1f389")} ${span("heart", "2764")} ${span("heart", "2764")} ${span("flag_united_states", "1f1fa-1f1f8", "flag united states")}`,
    ],
    [":no_such: 12:30:45 ©", ":no_such: 12:30:45 ©"],
    [":flag_curaçao:", span("flag_curaçao", "1f1e8-1f1fc", "flag curaçao")],
    ["`:smile: 🎉` [🎉](http://e.com)", '<code>:smile: 🎉</code> <a href="http://e.com">🎉</a>'],
  ]);
  test("have names and codes", () => {
    expect(["smile", "+1", "-1", "rainbow_flag", "one", "no_such"].map(emojiByName)).toEqual([
      "1f642",
      "1f44d",
      "1f44e",
      "1f3f3-200d-1f308",
      "0031-20e3",
      null,
    ]);
    expect(["1f642", "1f44d", "2764", "0"].map(nameOfEmoji)).toEqual(["smile", "+1", "heart", null]);
  });
});

test.each([
  ["/me waves\nand *smiles*", true],
  ["/me waves\n\nand leaves", false],
  ["/me\n- waves", false],
  ["/meow", false],
])("a status message is one paragraph: %j", (source, expected) => {
  expect(render(source, lookup).isMeMessage).toBe(expected);
});

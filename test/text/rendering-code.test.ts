import { describe, expect, test } from "bun:test";
import { render } from "@/text/rendering/render.ts";
import type { RenderLookup, RenderOptions } from "@/text/rendering/scope.ts";

const lookup: RenderLookup = {
  user: () => null,
  group: () => null,
  channel: () => null,
  newestInTopic: () => null,
  emptyTopicName: "general chat",
};

function html(source: string, options?: RenderOptions) {
  return render(source, lookup, options).html;
}

/** Turns "k:def n:x" into spans of code; a part without a class has no span. */
function tokens(...parts: string[]) {
  return parts
    .map((part) =>
      part.replace(/^([a-z]\w?):(.*)$/s, (_whole, css, text) => `<span class="${css}">${text}</span>`),
    )
    .join("");
}

function block(language: string, code: string) {
  return `<div class="codehilite" data-code-language="${language}"><pre><span></span><code>${code}\n</code></pre></div>`;
}

describe("code", () => {
  test.each<[string, string, string, string]>([
    [
      "py",
      "def speak(self):\n    x = 1",
      "Python",
      tokens("k:def", " ", "nf:speak", "p:(", "bp:self", "p:):", "\n    ", "n:x", " ", "o:=", " ", "mi:1"),
    ],
    [
      "Python3",
      '@dec\nclass A(B):\n  """a\n  b"""\n  y = None # c',
      "Python",
      tokens(
        "nd:@dec",
        "\n",
        "k:class",
        " ",
        "nc:A",
        "p:(",
        "n:B",
        "p:):",
        "\n  ",
        "sd:&quot;&quot;&quot;a",
      ) + tokens("\n", "sd:  b&quot;&quot;&quot;", "\n  ", "n:y", " ", "o:=", " ", "kc:None", " ", "c1:# c"),
    ],
    [
      "js",
      "const f = (a) => a + 1.5; // x\n/* a\n b */",
      "JavaScript",
      tokens(
        "kd:const",
        " ",
        "n:f",
        " ",
        "o:=",
        " ",
        "p:(",
        "n:a",
        "p:)",
        " ",
        "o:=&gt;",
        " ",
        "n:a",
        " ",
        "o:+",
      ) + tokens(" ", "mf:1.5", "p:;", " ", "c1:// x", "\n", "cm:/* a", "\n", "cm: b */"),
    ],
    ["json", '{"a": true}', "JSON", tokens("p:{", "nt:&quot;a&quot;", "p::", " ", "kc:true", "p:}")],
    [
      "html",
      '<a href="x">it\'s</a>',
      "HTML",
      tokens(
        "p:&lt;",
        "nt:a",
        " ",
        "na:href",
        "=",
        "s2:&quot;x&quot;",
        "p:&gt;",
        "it's",
        "p:&lt;/",
        "nt:a",
        "p:&gt;",
      ),
    ],
    ["sh", "echo 'a' $B | x", "Bash", tokens("nb:echo", " ", "s1:'a'", " ", "nv:$B", " | x")],
    ["c", "#include <a>", "C", tokens("cp:#include &lt;a&gt;")],
    ["diff", "-a\n+b\n c", "Diff", tokens("gd:-a", "\n", "gi:+b", "\n c")],
    ["latex", "\\pi \\textbf{ is }", "TeX", tokens("k:\\pi", " ", "k:\\textbf", "p:{", " is ", "p:}")],
    ["yaml", "a: 1", "YAML", tokens("nt:a", "p:: ", "mi:1")],
    [
      "rust",
      "let x: u32 = 0x1f;",
      "Rust",
      tokens("kd:let", " ", "n:x", "p::", " ", "kt:u32", " ", "o:=", " ", "mh:0x1f", "p:;"),
    ],
    ["inventedlanguage", "def f():", "inventedlanguage", "def f():"],
    ["Makefile", "all: a\n\tb", "Makefile", "all: a\n\tb"],
    ["css+php", "<?php", "CSS+PHP", "&lt;?php"],
    ["JS+Jinja", "{{ a }}", "JavaScript+Django/Jinja", "{{ a }}"],
    ["abap", "a", "ABAP", "a"],
    ["json5", "1", "JSON5", tokens("mi:1")],
    ["kts", "1", "Kotlin", tokens("mi:1")],
    ['"><b>', "a", "&quot;&gt;&lt;b&gt;", "a"],
  ])("in %s: %j", (given, code, name, expected) => {
    expect(html(`\`\`\`${given}\n${code}\n\`\`\``)).toBe(block(name, expected));
  });

  test("is taken from a label that looks like a class", () => {
    expect(html("~~~~.python \nx\n~~~~")).toBe(block("Python", tokens("n:x")));
  });

  test.each([
    ["unclosed", "```\nx", "x"],
    ["unclosed, in a language", "```py\n1", tokens("mi:1")],
    ["unclosed, without any line", "```", ""],
    ["with blank lines at its ends", "```\n\n \n  x\n\ny\n\n\t\n```", "  x\n\ny"],
    ["with blank lines at its ends, in a language", "```py\n\n1\n\n```", tokens("mi:1")],
    ["indented, after blank lines", "\n\n    x\n\n    y\n\n", "x\n\ny"],
    ["of nothing but blank lines", "```\n\n\n```", ""],
    ["with a longer fence in it", "```\n````\nx\n````\n```", "````\nx\n````"],
    ["with a shorter fence in it", "````\n```\nx\n```\n````", "```\nx\n```"],
    ["that ends at no longer fence", "~~~\nx\n~~~~", "x\n~~~~"],
  ])("%s begins and ends with its text, and one newline", (_, source, code) => {
    const label = source.startsWith("```py") ? ' data-code-language="Python"' : "";
    expect(html(source)).toBe(
      `<div class="codehilite"${label}><pre><span></span><code>${code}\n</code></pre></div>`,
    );
  });

  test("without a language uses the default one; indented code never does", () => {
    const options = { defaultCodeLanguage: "python" };
    expect(html("```\nx\n```", options)).toBe(block("Python", tokens("n:x")));
    expect(html("    x", options)).toBe(
      '<div class="codehilite"><pre><span></span><code>x\n</code></pre></div>',
    );
  });

  test("stays plain at the end of a very long line, and the next line is read again", () => {
    const code = `${"a ".repeat(500)}None\nNone`;
    expect(html(`\`\`\`py\n${code}\n\`\`\``)).toEndWith(
      `<span class="n">a</span> None\n<span class="kc">None</span>\n</code></pre></div>`,
    );
  });

  test("beyond 10,000 characters stays plain", () => {
    const twice = `\`\`\`py\n${"None\n".repeat(1500)}\`\`\`\n`.repeat(2);
    const [first, second] = html(twice).split("</pre>");
    expect(first).toContain('<span class="kc">None</span>');
    expect(second).not.toContain("<span class");
  });
});

describe("formulas", () => {
  const x =
    '<span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics>' +
    '<mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x</annotation></semantics></math></span>' +
    '<span class="katex-html" aria-hidden="true"><span class="base"><span class="strut" style="height:0.4306em;">' +
    '</span><span class="mord mathnormal">x</span></span></span></span>';
  const display = `<span class="katex-display">${x
    .replace("<math xmlns", "<math display")
    .replace(
      'display="http://www.w3.org/1998/Math/MathML"',
      'xmlns="http://www.w3.org/1998/Math/MathML" display="block"',
    )}</span>`;
  const error = (text: string) => `<span class="tex-error">${text}</span>`;

  test.each([
    ["$$x$$", `<p>${x}</p>`],
    ["($$x$$), **$$x$$**", `<p>(${x}), <strong>${x}</strong></p>`],
    ["`$$x$$`", "<p><code>$$x$$</code></p>"],
    ["$$x=3\ny=4$$", "<p>$$x=3<br>\ny=4$$</p>"],
    [
      "$$_$$, $$$ or $$$$, $5 and $10, a$$b$$, $$b$$c",
      "<p>$$_$$, $$$ or $$$$, $5 and $10, a$$b$$, $$b$$c</p>",
    ],
    ["$$\\error{**a**}$$", `<p>${error("$$\\error{**a**}$$")}</p>`],
    ["$$\\<script>$$", `<p>${error("$$\\&lt;script&gt;$$")}</p>`],
    ["$$\\def\\a{\\a\\a}\\a$$", `<p>${error("$$\\def\\a{\\a\\a}\\a$$")}</p>`],
    ["```math\nx\n```", `<p>${display}</p>`],
    ["~~~ math\nx\n\n\nx\n~~~\ny", `<p>${display}</p>\n<p>${display}</p>\n<p>y</p>`],
    ["```math\n\\error{**a**}\n```", `<p>${error("\\error{**a**}")}</p>`],
    ["```math\n````\n\\error\n````\n```\nb", `<p>${error("````\n\\error\n````")}</p>\n<p>b</p>`],
    ["````math\n```\n\\error\n```\n````\nb", `<p>${error("```\n\\error\n```")}</p>\n<p>b</p>`],
    ["```math\n\\error\n````", `<p>${error("\\error\n````")}</p>`],
    ["> ```math\n> x\n> ```", `<blockquote>\n<p>${display}</p>\n</blockquote>`],
  ])("%j", (source, expected) => expect(html(source)).toBe(expected));

  test("keep escaped characters", () => {
    expect(html("$$x \\approx 500\\$$$")).toContain(
      '<annotation encoding="application/x-tex">x \\approx 500\\$<',
    );
  });

  test("in a message are limited", () => {
    const found = html("$$x$$ ".repeat(1000));
    expect(found).toContain('class="katex"');
    expect(found).toContain(error("$$x$$"));
  });
});

describe("spoilers", () => {
  const spoiler = (header: string, content: string) =>
    `<div class="spoiler-block"><div class="spoiler-header">\n${header && `<p>${header}</p>\n`}</div>` +
    `<div class="spoiler-content" aria-hidden="true">\n${content}\n</div></div>`;

  test.each([
    ["```spoiler header\ncontent\n```\nafter", `${spoiler("header", "<p>content</p>")}\n<p>after</p>`],
    ["```spoiler\ncontent\n```", spoiler("", "<p>content</p>")],
    ["~~~~ spoiler  a *b*\n- c\n~~~~", spoiler("a <em>b</em>", "<ul>\n<li>c</li>\n</ul>")],
    ["```spoiler <b>\n<i>\n```", spoiler("&lt;b&gt;", "<p>&lt;i&gt;</p>")],
    [
      "```spoiler a\n```spoiler b\nc\n```\n```text\nd\n```\ne\n```\nf",
      `${spoiler("a", `${spoiler("b", "<p>c</p>")}\n${block("Text only", "d")}\n<p>e</p>`)}\n<p>f</p>`,
    ],
    ["```quote\n```spoiler a\nb\n```\n```", `<blockquote>\n${spoiler("a", "<p>b</p>")}\n</blockquote>`],
    ["```spoiler a\n```quote\nb\n```\n```", spoiler("a", "<blockquote>\n<p>b</p>\n</blockquote>")],
    ["- a\n  ```spoiler b\n  c\n  ```", `<ul>\n<li>a${spoiler("b", "<p>c</p>")}\n</li>\n</ul>`],
    ["```spoiler a\nunclosed", spoiler("a", "<p>unclosed</p>")],
    ["```spoilers\na\n```", block("spoilers", "a")],
  ])("%j", (source, expected) => expect(html(source)).toBe(expected));
});

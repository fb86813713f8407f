import { expect, test } from "bun:test";
import fc from "fast-check";
import { languageNamed } from "@/text/code/languages.ts";
import { render, renderMarkdown } from "@/text/rendering/render.ts";
import { messages } from "../support/hostile-messages.ts";
import { everything, lookup, worstSources } from "../support/hostile-rendering.ts";
import { foreignPart } from "../support/rendering-html.ts";

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
    fc.property(plain, fc.boolean(), fc.boolean(), (source, translateEmoticons, linkPreviews) => {
      const options = { translateEmoticons, linkPreviews };
      expect(render(source, lookup, options)).toEqual(renderMarkdown(source, lookup, options));
    }),
    { numRuns: 3000 },
  );
});

test.each(worstSources)("10,000 characters at their worst become little HTML: %j", (_name, source) => {
  expect(render(source, lookup, everything).html.length).toBeLessThan(400_000);
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

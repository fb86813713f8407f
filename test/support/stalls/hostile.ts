// Texts of the maximum length that are slowest to parse, render, search or compare.
const maxLength = 10_000;
const filled = (part: string) => part.repeat(Math.ceil(maxLength / part.length)).slice(0, maxLength);
const nested = (open: string, middle: string, close: string) => {
  const times = Math.floor((maxLength - middle.length) / (open.length + close.length));
  return open.repeat(times) + middle + close.repeat(times);
};
const fenced = (language: string, text: string) =>
  `\`\`\`${language}\n${text.slice(0, maxLength - 30)}\n\`\`\``;

export const hostileTexts: Record<string, string> = {
  brackets: nested("[", "a", "](b)"),
  "open brackets": filled("["),
  "open links": filled("[a]("),
  pictures: nested("![", "a", "](b)"),
  emphasis: filled("*a **b _c __d "),
  "closed emphasis": nested("*a **", "b", "** c*"),
  stars: filled("a**b"),
  strikes: filled("~~a "),
  backticks: Array.from({ length: 140 }, (_, i) => "`".repeat(i))
    .join(" ")
    .slice(0, maxLength),
  quotes: filled(`${">".repeat(100)} a\n`),
  "deep quotes": filled(">"),
  lists: Array.from({ length: 130 }, (_, i) => `${" ".repeat(i)}- a`)
    .join("\n")
    .slice(0, maxLength),
  table: `|a|b|\n|-|-|\n${filled("|*a*|`b`|\n")}`.slice(0, maxLength),
  "wide table": `${"|a".repeat(1500)}|\n${"|-".repeat(1500)}|\n${"|b".repeat(1000)}`,
  entities: filled("&amp;&#x41;&lt;"),
  angles: filled("<a <b "),
  autolinks: filled("https://e.com/(((("),
  "one address": `https://e.com/${filled("a.")}`.slice(0, maxLength),
  domains: filled("e.com a@e.com "),
  "dotted word": filled("a.a-"),
  mentions: filled("@**Person p1** "),
  "open mentions": filled("@**a"),
  "mentions of many": Array.from({ length: 480 }, (_, i) => `@**Person p${i + 1}**`).join(" "),
  "group mentions": filled("@*crowd* "),
  channels: filled("#**everyone** "),
  topics: Array.from({ length: 380 }, (_, i) => `#**everyone>topic ${i}**`)
    .join(" ")
    .slice(0, maxLength),
  emoji: filled(":smile:"),
  "custom emoji": filled(":emoji_1: "),
  "colons of no emoji": filled(":a"),
  emoticons: filled(":) <3 "),
  times: filled("<time:2026-01-01T00:00:00Z> "),
  formulas: filled("$$x^2$$ "),
  "one formula": `$$${filled("\\frac{1}{").slice(0, 9_000)}$$`,
  "a deep formula": fenced("math", nested("{", "x", "}")),
  "roots of formulas": fenced("math", filled("\\sqrt{x} ")),
  matrices: fenced("math", `\\begin{matrix}${filled("a & b \\\\ ").slice(0, 9_000)}\\end{matrix}`),
  "macros of formulas": fenced("math", `\\def\\a{xxxxxxxxxx}${filled("\\a\\a\\a ").slice(0, 9_000)}`),
  javascript: fenced("js", filled("const a = `b` / 2; // c\n")),
  "one line of code": fenced("js", filled("a(")),
  "open strings": fenced("python", filled('"""a ')),
  html: fenced("html", filled("<a b='c'><script>d</script>")),
  php: fenced("php", filled("<?php $a = <<<EOT\n")),
  perl: fenced("perl", filled("m{a{b s/c/")),
  fences: filled("```quote\n"),
  spoilers: filled("```spoiler a\n"),
  "links of linkifiers": filled("abc-abc-190f0x "),
  "almost links of linkifiers": filled("abc-"),
  uploads: filled("[a](/user_uploads/1/f1/name.png) "),
  "uploads of many": Array.from(
    { length: 160 },
    (_, i) => `[](/user_uploads/1/${(i + 1).toString(16).padStart(32, "0")}/name.txt)`,
  ).join(" "),
  lines: filled("a\n"),
  blanks: filled("a \t"),
  "marks on letters": filled("á\u0323\u0307\u031b"),
  arabic: filled("ﷺ"),
  surrogates: filled("\ud83d\ude00"),
};

/** Two texts that have little in common, for comparisons. */
export const differing = [filled("a b c d "), filled("d x c y b z ")] as const;

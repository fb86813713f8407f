// Texts and patterns that are slow to read: what is not linear exceeds these limits by far.
import { describe, test } from "bun:test";
import { compilePattern, matchesOf } from "@/foundation/linkifiers/patterns.ts";
import { usersLookingFor, wordIndex } from "@/messaging/alert-words/matching.ts";
import { newLinkWork } from "@/text/links/link-work.ts";
import { render } from "@/text/rendering/render.ts";
import { highlight } from "@/text/search/highlight.ts";
import { parseSearch } from "@/text/search/search.ts";
import { everything, growingSources, lookup, worstSources } from "../support/hostile-rendering.ts";
import { expectCpu } from "../support/stalls/cpu-time.ts";

test("50,000 alert words are looked for in the longest text", async () => {
  const many = Array.from({ length: 50_000 }, (_, i) => ({ word: `word ${i}`, user_id: i }));
  const alike = Array.from({ length: 98 }, (_, i) => ({ word: "a ".repeat(i / 2 + 1).trim(), user_id: i }));
  const index = wordIndex([...many, ...alike]);
  const text = "word a ".repeat(1400);
  await expectCpu(200, () => usersLookingFor(index, text));
});

describe("10,000 characters at their worst are rendered", () => {
  test.each(worstSources)("%j", (_name, source) => expectCpu(150, () => render(source, lookup, everything)));
});

// Four times the maximum length of a message, so that non-linear time shows.
test.each(growingSources)("%s take time in proportion to their length", (_name, sourceOf) =>
  expectCpu(500, () => render(sourceOf(40_000), lookup, everything)),
);

describe("a linkifier looks at 10,000 hostile characters", () => {
  const chaos = Array.from({ length: 10_000 }, (_, n) => "ab ab".charAt((n * n * 7919) % 5)).join("");
  test.each([
    ["(?:x+x+)+y", "x".repeat(10_000)],
    ["a.*b|a", "a ".repeat(5000)],
    ["a(?:.*b)?", "a ".repeat(5000)],
    ["(a|aa)+$", `${"a".repeat(9999)}!`],
    ["(.*)(.*)(.*)(.*)!", `${"a".repeat(9999)}!`],
    ["[ab ]*a[ab ]{40}c", `${chaos}c`],
    ["(?:[ab ]{0,9}a){9}[ab ]{30}c", `${chaos}c`],
    ["[^\\W\\d_]{1,100}\\d{0,50}!", "é字".repeat(5000)],
    ["(?i)\\w{1,100}\\d{0,50}!", "é字".repeat(5000)],
    ["(?:a?){60}a{60}", "a ".repeat(5000)],
    ["\\S*", "a ".repeat(5000)],
  ])("%s", (source, text) =>
    expectCpu(150, () => {
      const pattern = compilePattern(source, "python");
      if ("problem" in pattern) throw new Error(pattern.problem.inEnglish);
      matchesOf(pattern, text, newLinkWork());
    }),
  );
});

test("what was searched for is highlighted in hostile HTML", async () => {
  const hostile = [
    "&".repeat(50_000),
    "<".repeat(50_000),
    "a".repeat(50_000),
    "&#1".repeat(20_000),
    "'\"".repeat(20_000),
  ];
  const searches = [parseSearch('a "aa" "&&" "aaaa" 東')];
  const highlightAll = () => {
    for (const html of hostile) highlight(html, searches);
  };
  await expectCpu(2_000, highlightAll);
});

// From a highlighter's scopes to the short token classes that this family of clients styles.

type Rule = string | ((text: string) => string);

const declaring = new Set(["const", "let", "var", "func"]);
const importing = new Set(["from", "import", "include", "namespace", "package", "using"]);
const wordOperators = new Set(["and", "in", "is", "not", "or"]);

const rules: Record<string, Rule> = {
  addition: "gi",
  attr: "na",
  attribute: "k",
  built_in: "nb",
  bullet: "k",
  "char escape_": "se",
  code: "s",
  comment: (text) => (text.startsWith("/*") ? "cm" : text.startsWith("<!--") ? "c" : "c1"),
  deletion: "gd",
  emphasis: "ge",
  keyword: (text) =>
    declaring.has(text) ? "kd" : importing.has(text) ? "kn" : wordOperators.has(text) ? "ow" : "k",
  link: "s",
  literal: "kc",
  meta: (text) => (text.startsWith("@") ? "nd" : text.startsWith("#!") ? "ch" : "cp"),
  "meta prompt_": "gp",
  name: "nt",
  number: numberClass,
  operator: "o",
  property: "n",
  punctuation: "p",
  quote: "ge",
  regexp: "sr",
  section: "gh",
  "selector-attr": "na",
  "selector-class": "nc",
  "selector-id": "nn",
  "selector-pseudo": "nd",
  "selector-tag": "nt",
  string: stringClass,
  strong: "gs",
  symbol: "ss",
  tag: "p",
  "template-tag": "cp",
  "template-variable": "nv",
  title: "nf",
  "title class_": "nc",
  type: "kt",
  variable: "nv",
  "variable constant_": "no",
  "variable language_": "bp",
};
// Scopes that only group others; what they hold of their own is as plain as what is around them.
for (const group of ["class", "function", "params", "subst"]) rules[group] = "";

/** The class of a scope that begins with `text`; an unknown scope looks like the one around it. */
export function classOf(scope: string, text: string, around: string): string {
  const [first = "", second] = scope.split(" ");
  const rule = rules[`${first} ${second}`] ?? rules[first];
  if (rule === undefined) return around;
  return typeof rule === "string" ? rule : rule(text);
}

function numberClass(text: string): string {
  if (/^[+-]?0[xX]/.test(text)) return "mh";
  if (/^[+-]?0[bB]/.test(text)) return "mb";
  if (/^[+-]?0[oO]/.test(text)) return "mo";
  return /^[^.eE]*$/.test(text) ? "mi" : "mf";
}

function stringClass(text: string): string {
  const [mark] = /["'`]/.exec(text.slice(0, 4)) ?? [];
  if (text.startsWith('"""')) return "sd";
  return mark === '"' ? "s2" : mark === "'" ? "s1" : mark === "`" ? "sb" : "s";
}

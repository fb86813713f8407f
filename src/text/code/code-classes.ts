// Maps the token names of the code tokenizers to the short CSS classes that clients style.

export interface CodeToken {
  /** The tokenizer's name for it, such as "keyword" or "variableName.special". */
  kind: string;
  text: string;
  /** The preceding word, if that was a keyword. */
  keyword: string;
  /** The class of the preceding token if this one continues it: same kind, nothing between. */
  continued: string | null;
  isCalled: boolean;
  isProgram: boolean;
}

type Rule = string | ((token: CodeToken) => string);

const rules: Record<string, Rule> = {
  angleBracket: "p",
  atom: ({ text }) => (text.startsWith(":") ? "ss" : "kc"),
  attribute: "na",
  bracket: "p",
  builtin: "nb",
  character: "sc",
  comment: commentClass,
  controlKeyword: "k",
  def: definitionClass,
  definition: definitionClass,
  deleted: "gd",
  emphasis: "ge",
  header: "gh",
  inserted: "gi",
  keyword: keywordClass,
  labelName: "nl",
  link: "s",
  literal: "s",
  macroName: "nb",
  meta: metaClass,
  modifier: "k",
  namespace: "nn",
  null: "kc",
  number: numberClass,
  operator: "o",
  processingInstruction: "cp",
  property: ({ isProgram }) => (isProgram ? "n" : "na"),
  propertyName: ({ text }) => (text.startsWith("@") ? "vi" : "n"),
  punctuation: "p",
  qualifier: "nc",
  quote: "s",
  regexp: "sr",
  self: "bp",
  standard: "nb",
  string: stringClass,
  "string property": "nt",
  strong: "gs",
  tag: ({ isProgram, text }) => (isProgram ? "nc" : text.startsWith("\\") ? "k" : "nt"),
  tagName: "nt",
  type: ({ text }) => (/\p{L}/u.test(text) ? "kt" : "o"),
  typeName: "kt",
  unit: "kt",
  url: "s",
  variable: variableClass,
  variableName: variableClass,
  "variableName.constant": "no",
  "variableName.special": "nv",
  "variableName.standard": "nb",
};

/** The CSS class of a token; "" for plain text. */
export function classOf(token: CodeToken): string {
  const rule = rules[token.kind] ?? rules[token.kind.split(/[ .]/, 1)[0] ?? ""] ?? "";
  return typeof rule === "string" ? rule : rule(token);
}

const typeKeywords = new Set(["class", "enum", "interface", "module", "object", "struct", "trait", "type"]);
const functionKeywords = new Set(["def", "defn", "fn", "fun", "func", "function", "sub"]);
const declaring = new Set(["const", "func", "function", "let", "var"]);
const importing = new Set(["from", "import", "include", "namespace", "package", "using"]);
const constants = new Set(["False", "None", "True", "false", "nil", "null", "true", "undefined"]);
const wordOperators = new Set(["and", "in", "is", "not", "or"]);
const selves = new Set(["self", "this"]);

function keywordClass({ text }: CodeToken): string {
  if (constants.has(text)) return "kc";
  if (selves.has(text)) return "bp";
  if (declaring.has(text)) return "kd";
  if (importing.has(text)) return "kn";
  if (wordOperators.has(text)) return "ow";
  return /^[^\p{L}]+$/u.test(text) ? "o" : "k";
}

function definitionClass({ text, keyword, isCalled }: CodeToken): string {
  if (/^[$@%]/.test(text)) return "nv";
  if (typeKeywords.has(keyword)) return "nc";
  return isCalled || functionKeywords.has(keyword) ? "nf" : "n";
}

function variableClass({ text, keyword, isProgram }: CodeToken): string {
  if (selves.has(text)) return "bp";
  if (/^[$@%]/.test(text)) return "nv";
  if (functionKeywords.has(keyword)) return "nf";
  return isProgram ? "n" : "nv";
}

function commentClass({ text, continued }: CodeToken): string {
  if (/^(?:\/\*|\(\*|\{-|#\|)/.test(text)) return "cm";
  if (text.startsWith("<!--")) return "c";
  return continued ?? "c1";
}

function metaClass({ text, continued }: CodeToken): string {
  if (text.startsWith("#!")) return "ch";
  return text.startsWith("@") ? "nd" : (continued ?? "cp");
}

function numberClass({ text }: CodeToken): string {
  if (!/\d/.test(text)) return "p";
  const [, base = ""] = /^[+-]?0([xbo])/i.exec(text) ?? [];
  if (base !== "") return `m${base.toLowerCase() === "x" ? "h" : base.toLowerCase()}`;
  return /[.eE]/.test(text) ? "mf" : "mi";
}

const stringMark = /^[a-zA-Z]{0,3}(?:("""|''')|(["'`/]))/;

function stringClass({ text, continued }: CodeToken): string {
  if (continued !== null) return continued;
  const [, triple, mark] = stringMark.exec(text) ?? [];
  if (triple) return "sd";
  return mark === '"' ? "s2" : mark === "'" ? "s1" : mark === "`" ? "sb" : mark === "/" ? "sr" : "s";
}

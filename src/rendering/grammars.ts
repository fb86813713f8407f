// Loads the highlighter and its grammars when a message first needs them: rendering is synchronous, hence
// `require`. The paths are spelled out because the executable holds only what the bundler can see.
import type { HLJSApi, LanguageFn } from "highlight.js";

const loaders: Record<string, () => LanguageFn> = {
  awk: () => require("highlight.js/lib/languages/awk"),
  bash: () => require("highlight.js/lib/languages/bash"),
  c: () => require("highlight.js/lib/languages/c"),
  clojure: () => require("highlight.js/lib/languages/clojure"),
  cmake: () => require("highlight.js/lib/languages/cmake"),
  coffeescript: () => require("highlight.js/lib/languages/coffeescript"),
  cpp: () => require("highlight.js/lib/languages/cpp"),
  csharp: () => require("highlight.js/lib/languages/csharp"),
  css: () => require("highlight.js/lib/languages/css"),
  dart: () => require("highlight.js/lib/languages/dart"),
  diff: () => require("highlight.js/lib/languages/diff"),
  dockerfile: () => require("highlight.js/lib/languages/dockerfile"),
  dos: () => require("highlight.js/lib/languages/dos"),
  elixir: () => require("highlight.js/lib/languages/elixir"),
  elm: () => require("highlight.js/lib/languages/elm"),
  erlang: () => require("highlight.js/lib/languages/erlang"),
  fortran: () => require("highlight.js/lib/languages/fortran"),
  fsharp: () => require("highlight.js/lib/languages/fsharp"),
  go: () => require("highlight.js/lib/languages/go"),
  graphql: () => require("highlight.js/lib/languages/graphql"),
  groovy: () => require("highlight.js/lib/languages/groovy"),
  haskell: () => require("highlight.js/lib/languages/haskell"),
  ini: () => require("highlight.js/lib/languages/ini"),
  java: () => require("highlight.js/lib/languages/java"),
  javascript: () => require("highlight.js/lib/languages/javascript"),
  json: () => require("highlight.js/lib/languages/json"),
  julia: () => require("highlight.js/lib/languages/julia"),
  kotlin: () => require("highlight.js/lib/languages/kotlin"),
  latex: () => require("highlight.js/lib/languages/latex"),
  less: () => require("highlight.js/lib/languages/less"),
  lisp: () => require("highlight.js/lib/languages/lisp"),
  lua: () => require("highlight.js/lib/languages/lua"),
  makefile: () => require("highlight.js/lib/languages/makefile"),
  markdown: () => require("highlight.js/lib/languages/markdown"),
  matlab: () => require("highlight.js/lib/languages/matlab"),
  nginx: () => require("highlight.js/lib/languages/nginx"),
  nix: () => require("highlight.js/lib/languages/nix"),
  objectivec: () => require("highlight.js/lib/languages/objectivec"),
  ocaml: () => require("highlight.js/lib/languages/ocaml"),
  perl: () => require("highlight.js/lib/languages/perl"),
  pgsql: () => require("highlight.js/lib/languages/pgsql"),
  php: () => require("highlight.js/lib/languages/php"),
  powershell: () => require("highlight.js/lib/languages/powershell"),
  prolog: () => require("highlight.js/lib/languages/prolog"),
  properties: () => require("highlight.js/lib/languages/properties"),
  protobuf: () => require("highlight.js/lib/languages/protobuf"),
  python: () => require("highlight.js/lib/languages/python"),
  "python-repl": () => require("highlight.js/lib/languages/python-repl"),
  r: () => require("highlight.js/lib/languages/r"),
  ruby: () => require("highlight.js/lib/languages/ruby"),
  rust: () => require("highlight.js/lib/languages/rust"),
  scala: () => require("highlight.js/lib/languages/scala"),
  scheme: () => require("highlight.js/lib/languages/scheme"),
  scss: () => require("highlight.js/lib/languages/scss"),
  shell: () => require("highlight.js/lib/languages/shell"),
  sql: () => require("highlight.js/lib/languages/sql"),
  swift: () => require("highlight.js/lib/languages/swift"),
  typescript: () => require("highlight.js/lib/languages/typescript"),
  vbnet: () => require("highlight.js/lib/languages/vbnet"),
  verilog: () => require("highlight.js/lib/languages/verilog"),
  vhdl: () => require("highlight.js/lib/languages/vhdl"),
  vim: () => require("highlight.js/lib/languages/vim"),
  wasm: () => require("highlight.js/lib/languages/wasm"),
  x86asm: () => require("highlight.js/lib/languages/x86asm"),
  xml: () => require("highlight.js/lib/languages/xml"),
  yaml: () => require("highlight.js/lib/languages/yaml"),
};

const highlighters = new Map<readonly string[], HLJSApi>();

/** A highlighter that knows these grammars and no others, so that none but they cost anything. */
export function highlighterFor(grammars: readonly string[]): HLJSApi {
  const known = highlighters.get(grammars);
  if (known) return known;
  const core: HLJSApi = require("highlight.js/lib/core");
  const highlighter = core.newInstance();
  highlighter.configure({ classPrefix: "" });
  for (const name of grammars) {
    const load = loaders[name];
    if (!load) throw new Error(`there is no grammar ${name}`);
    highlighter.registerLanguage(name, load());
  }
  highlighters.set(grammars, highlighter);
  return highlighter;
}

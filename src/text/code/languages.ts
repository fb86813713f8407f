// The languages that clients know by name, with their aliases and tokenizers, by those names wherever clients have one for
// a word. The import paths are spelled out because
// the executable contains only what the bundler can see.
import type { StreamParser } from "@codemirror/streamparser";
import languageNames from "./language-names.txt" with { type: "text" };

export interface Language {
  name: string;
  /** Loads the tokenizer, by `require` because rendering is synchronous. Null: the code is not highlighted. */
  load: (() => StreamParser<unknown>) | null;
  /** Whether unnamed tokens are names and punctuation (a program) or prose. */
  isProgram: boolean;
  /** Classes that differ from the usual ones, by token name. */
  classes: Readonly<Record<string, string>>;
}

type LanguageRow = [
  name: string,
  aliases: string,
  load: () => StreamParser<unknown>,
  classes?: Language["classes"],
];

const programs: LanguageRow[] = [
  ["C", "c h", () => require("@codemirror/legacy-modes/mode/clike").c],
  ["C#", "c# csharp cs", () => require("@codemirror/legacy-modes/mode/clike").csharp],
  ["C++", "c++ cpp cc cxx hpp", () => require("@codemirror/legacy-modes/mode/clike").cpp],
  ["Clojure", "clojure clj cljs", () => require("@codemirror/legacy-modes/mode/clojure").clojure],
  ["COBOL", "cobol", () => require("@codemirror/legacy-modes/mode/cobol").cobol],
  [
    "CoffeeScript",
    "coffeescript coffee",
    () => require("@codemirror/legacy-modes/mode/coffeescript").coffeeScript,
  ],
  [
    "Common Lisp",
    "common-lisp cl lisp elisp",
    () => require("@codemirror/legacy-modes/mode/commonlisp").commonLisp,
  ],
  ["Crystal", "crystal cr", () => require("@codemirror/legacy-modes/mode/crystal").crystal],
  ["Cypher", "cypher", () => require("@codemirror/legacy-modes/mode/cypher").cypher],
  ["D", "d", () => require("@codemirror/legacy-modes/mode/d").d],
  ["Dart", "dart", () => require("@codemirror/legacy-modes/mode/clike").dart],
  ["Delphi", "delphi pascal pas", () => require("@codemirror/legacy-modes/mode/pascal").pascal],
  ["Elm", "elm", () => require("@codemirror/legacy-modes/mode/elm").elm],
  ["F#", "f# fsharp fs", () => require("@codemirror/legacy-modes/mode/mllike").fSharp],
  ["Fortran", "fortran f90", () => require("@codemirror/legacy-modes/mode/fortran").fortran],
  ["GAS", "gas asm nasm", () => require("@codemirror/legacy-modes/mode/gas").gas],
  ["Go", "go golang", () => require("@codemirror/legacy-modes/mode/go").go],
  ["Groovy", "groovy gradle", () => require("@codemirror/legacy-modes/mode/groovy").groovy],
  ["Haskell", "haskell hs", () => require("@codemirror/legacy-modes/mode/haskell").haskell],
  ["Java", "java", () => require("@codemirror/legacy-modes/mode/clike").java],
  [
    "JavaScript",
    "javascript js mjs cjs node",
    () => require("@codemirror/legacy-modes/mode/javascript").javascript,
  ],
  ["JSON", "json jsonl json5", () => require("@codemirror/legacy-modes/mode/javascript").json],
  ["JSX", "jsx react", () => require("@codemirror/legacy-modes/mode/javascript").javascript],
  ["Julia", "julia jl", () => require("@codemirror/legacy-modes/mode/julia").julia],
  ["Kotlin", "kotlin kt kts", () => require("@codemirror/legacy-modes/mode/clike").kotlin],
  ["Lua", "lua", () => require("@codemirror/legacy-modes/mode/lua").lua],
  ["Matlab", "matlab octave", () => require("@codemirror/legacy-modes/mode/octave").octave],
  ["MySQL", "mysql", () => require("@codemirror/legacy-modes/mode/sql").mySQL],
  [
    "Objective-C",
    "objective-c objectivec obj-c objc",
    () => require("@codemirror/legacy-modes/mode/clike").objectiveC,
  ],
  ["OCaml", "ocaml ml", () => require("@codemirror/legacy-modes/mode/mllike").oCaml],
  ["Perl", "perl pl", () => require("@codemirror/legacy-modes/mode/perl").perl],
  ["PostgreSQL SQL dialect", "postgresql postgres", () => require("@codemirror/legacy-modes/mode/sql").pgSQL],
  [
    "PowerShell",
    "powershell pwsh posh ps1",
    () => require("@codemirror/legacy-modes/mode/powershell").powerShell,
  ],
  ["Protocol Buffer", "protobuf proto", () => require("@codemirror/legacy-modes/mode/protobuf").protobuf],
  ["Python", "python py python3 py3 sage", () => require("@codemirror/legacy-modes/mode/python").python],
  ["Python 2.x", "python2 py2", () => require("@codemirror/legacy-modes/mode/python").python],
  ["R", "r splus s", () => require("@codemirror/legacy-modes/mode/r").r],
  ["Ruby", "ruby rb duby", () => require("@codemirror/legacy-modes/mode/ruby").ruby],
  ["Rust", "rust rs", () => require("@codemirror/legacy-modes/mode/rust").rust, { atom: "kt" }],
  ["Scala", "scala", () => require("@codemirror/legacy-modes/mode/clike").scala],
  ["Scheme", "scheme scm", () => require("@codemirror/legacy-modes/mode/scheme").scheme],
  ["Smalltalk", "smalltalk squeak", () => require("@codemirror/legacy-modes/mode/smalltalk").smalltalk],
  ["SQL", "sql", () => require("@codemirror/legacy-modes/mode/sql").standardSQL],
  ["Swift", "swift", () => require("@codemirror/legacy-modes/mode/swift").swift],
  ["Tcl", "tcl", () => require("@codemirror/legacy-modes/mode/tcl").tcl],
  ["TSX", "tsx", () => require("@codemirror/legacy-modes/mode/javascript").typescript],
  [
    "TypeScript",
    "typescript ts mts cts",
    () => require("@codemirror/legacy-modes/mode/javascript").typescript,
  ],
  ["VB.net", "vb.net vbnet", () => require("@codemirror/legacy-modes/mode/vb").vb],
  ["VBScript", "vbscript", () => require("@codemirror/legacy-modes/mode/vbscript").vbScript],
  ["verilog", "verilog v", () => require("@codemirror/legacy-modes/mode/verilog").verilog],
  ["vhdl", "vhdl", () => require("@codemirror/legacy-modes/mode/vhdl").vhdl],
  ["WebAssembly", "wast wat wasm", () => require("@codemirror/legacy-modes/mode/wast").wast],
];

const others: LanguageRow[] = [
  ["Bash", "bash sh zsh ksh shell", () => require("@codemirror/legacy-modes/mode/shell").shell],
  ["CMake", "cmake", () => require("@codemirror/legacy-modes/mode/cmake").cmake],
  ["CSS", "css", () => require("@codemirror/legacy-modes/mode/css").css],
  ["Diff", "diff udiff patch", () => require("@codemirror/legacy-modes/mode/diff").diff, { meta: "gu" }],
  ["Docker", "docker dockerfile", () => require("@codemirror/legacy-modes/mode/dockerfile").dockerFile],
  ["Gherkin", "gherkin cucumber", () => require("@codemirror/legacy-modes/mode/gherkin").gherkin],
  ["HTML", "html htm xhtml", () => require("@codemirror/legacy-modes/mode/xml").html],
  ["HTTP", "http", () => require("@codemirror/legacy-modes/mode/http").http],
  ["INI", "ini cfg dosini", () => require("@codemirror/legacy-modes/mode/properties").properties],
  ["LessCss", "less", () => require("@codemirror/legacy-modes/mode/css").less],
  ["Nginx configuration file", "nginx nginxconf", () => require("@codemirror/legacy-modes/mode/nginx").nginx],
  [
    "Properties",
    "properties jproperties",
    () => require("@codemirror/legacy-modes/mode/properties").properties,
  ],
  ["Sass", "sass", () => require("@codemirror/legacy-modes/mode/sass").sass],
  ["SCSS", "scss", () => require("@codemirror/legacy-modes/mode/css").sCSS],
  ["TeX", "tex latex", () => require("@codemirror/legacy-modes/mode/stex").stex],
  ["TOML", "toml", () => require("@codemirror/legacy-modes/mode/toml").toml],
  ["XML", "xml svg xsl rss", () => require("@codemirror/legacy-modes/mode/xml").xml],
  ["YAML", "yaml yml", () => require("@codemirror/legacy-modes/mode/yaml").yaml, { atom: "nt", meta: "p" }],
];

// Further words for languages without a tokenizer: there is none, or it takes too long on hostile code.
const plain: [name: string, aliases: string][] = [
  ["Batchfile", "batchfile"],
  ["Text only", "plain txt"],
  ["VimL", "viml viml"],
];

const byAlias = new Map<string, Language>();
for (const [name, aliases, load, classes = {}] of programs)
  add(aliases, { name, load, classes, isProgram: true });
for (const [name, aliases, load, classes = {}] of others)
  add(aliases, { name, load, classes, isProgram: false });
for (const [name, aliases] of plain) add(aliases, { name, load: null, classes: {}, isProgram: false });

/** The names that clients know; parsed on first use, because most messages hold no code. */
let names: ReadonlyMap<string, string> | undefined;

/** A language by a word for it, under the name that clients know. */
export function languageNamed(alias: string): Language | null {
  const word = alias.toLowerCase();
  names ??= readNames();
  const name = names.get(word);
  const known = byAlias.get(word) ?? null;
  if (name === undefined || name === known?.name) return known;
  return { ...(known ?? { load: null, classes: {}, isProgram: false }), name };
}

function readNames(): Map<string, string> {
  const read = new Map<string, string>();
  for (const line of languageNames.split("\n")) {
    const [name = "", words = ""] = line.split("\t");
    for (const word of words.split(" ")) if (word !== "") read.set(word, name);
  }
  return read;
}

function add(aliases: string, language: Language): void {
  for (const alias of [language.name.toLowerCase(), ...aliases.split(" ")]) byAlias.set(alias, language);
}

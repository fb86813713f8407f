// The languages whose code is coloured, under the names this family of clients knows, with their aliases
// and the grammars they take: their own, then those of what may be embedded in them.

export interface Language {
  name: string;
  /** Whether the words between what a grammar marks are identifiers, and the signs operators. */
  isProgram: boolean;
  /** None for plain text. */
  grammars: readonly string[];
}

type Row = [name: string, aliases: string, grammars: string];

const programs: Row[] = [
  ["Awk", "awk gawk mawk nawk", "awk"],
  ["C", "c h", "c"],
  ["C#", "c# csharp cs", "csharp"],
  ["C++", "c++ cpp cc cxx hpp", "cpp"],
  ["Clojure", "clojure clj cljs", "clojure"],
  ["CoffeeScript", "coffeescript coffee", "coffeescript"],
  ["Common Lisp", "common-lisp cl lisp", "lisp"],
  ["Dart", "dart", "dart"],
  ["Elixir", "elixir ex exs", "elixir"],
  ["Elm", "elm", "elm"],
  ["Erlang", "erlang erl", "erlang"],
  ["F#", "f# fsharp fs", "fsharp"],
  ["Fortran", "fortran f90", "fortran"],
  ["Go", "go golang", "go"],
  ["GraphQL", "graphql gql", "graphql"],
  ["Groovy", "groovy gradle", "groovy"],
  ["Haskell", "haskell hs", "haskell"],
  ["Java", "java", "java"],
  ["JavaScript", "javascript js mjs cjs node", "javascript"],
  ["JSX", "jsx react", "javascript xml"],
  ["Julia", "julia jl", "julia"],
  ["Kotlin", "kotlin kt kts", "kotlin"],
  ["Lua", "lua", "lua"],
  ["Matlab", "matlab octave", "matlab"],
  ["NASM", "nasm asm", "x86asm"],
  ["Nix", "nix nixos", "nix"],
  ["Objective-C", "objective-c objectivec obj-c objc", "objectivec"],
  ["OCaml", "ocaml ml", "ocaml"],
  ["Perl", "perl pl", "perl"],
  ["PowerShell", "powershell pwsh posh ps1", "powershell"],
  ["Prolog", "prolog", "prolog"],
  ["Protocol Buffer", "protobuf proto", "protobuf"],
  ["Python", "python py python3 py3 sage", "python"],
  ["Python 2.x", "python2 py2", "python"],
  ["R", "r splus s", "r"],
  ["Ruby", "ruby rb duby", "ruby"],
  ["Rust", "rust rs", "rust"],
  ["Scala", "scala", "scala"],
  ["Scheme", "scheme scm", "scheme"],
  ["SQL", "sql", "sql"],
  ["PostgreSQL SQL dialect", "postgresql postgres", "pgsql"],
  ["Swift", "swift", "swift"],
  ["TSX", "tsx", "typescript xml"],
  ["TypeScript", "typescript ts mts cts", "typescript"],
  ["VB.net", "vb.net vbnet", "vbnet"],
  ["verilog", "verilog v", "verilog"],
  ["vhdl", "vhdl", "vhdl"],
];

const others: Row[] = [
  ["Bash", "bash sh zsh ksh shell", "bash"],
  ["Bash Session", "console shell-session", "shell bash"],
  ["Batchfile", "batch bat dosbatch winbatch", "dos"],
  ["CMake", "cmake", "cmake"],
  ["CSS", "css", "css"],
  ["Diff", "diff udiff patch", "diff"],
  ["Docker", "docker dockerfile", "dockerfile bash"],
  ["HTML", "html htm xhtml", "xml css javascript"],
  ["INI", "ini cfg dosini", "ini"],
  ["JSON", "json jsonl json5", "json"],
  ["LessCss", "less", "less"],
  ["Makefile", "make makefile mf", "makefile"],
  ["Markdown", "markdown md", "markdown xml"],
  ["Nginx configuration file", "nginx nginxconf", "nginx"],
  ["PHP", "php php3 php4 php5", "php"],
  ["Properties", "properties jproperties", "properties"],
  ["Python console session", "pycon", "python-repl python"],
  ["SCSS", "scss", "scss"],
  ["TeX", "tex latex", "latex"],
  ["Text only", "text plain txt", ""],
  ["TOML", "toml", "ini"],
  ["VimL", "vim viml", "vim"],
  ["WebAssembly", "wast wat wasm", "wasm"],
  ["XML", "xml svg xsl rss", "xml"],
  ["YAML", "yaml yml", "yaml"],
];

const byAlias = new Map<string, Language>();
addAll(programs, true);
addAll(others, false);

export function languageNamed(alias: string): Language | null {
  return byAlias.get(alias.toLowerCase()) ?? null;
}

function addAll(rows: Row[], isProgram: boolean): void {
  for (const [name, aliases, grammars] of rows) {
    const language = { name, isProgram, grammars: grammars.split(" ").filter(Boolean) };
    for (const alias of [name.toLowerCase(), ...aliases.split(" ")]) byAlias.set(alias, language);
  }
}

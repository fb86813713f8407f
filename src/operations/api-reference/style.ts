// The style sheet of the API's page; its content security policy allows it by its hash.

export const style = `
:root { color-scheme: light dark; --ground: #f6f7fa; --card: #fff; --ink: #1c2030; --soft: #565d74; --line: #d9dce6; --field: #fff;
  --accent: #3f51c9; --on-accent: #fff; --code: #f1f2f7; --get: #0b6e4f; --post: #3f51c9; --patch: #8a5a00; --put: #8a5a00; --delete: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ground: #12141c; --card: #1a1d28; --ink: #e8eaf3; --soft: #a6adc3; --line: #343a4f; --field: #12141c;
  --accent: #9aa8ff; --on-accent: #10132a; --code: #232736; --get: #6fd3ab; --post: #a9b5ff; --patch: #f0c069; --put: #f0c069; --delete: #ff9f97; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 78rem; margin: 0 auto; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem 1rem; border-right: 1px solid var(--line); font-size: 13px; }
nav ul { list-style: none; margin: .25rem 0 .75rem; padding: 0 0 0 .6rem; }
nav a { color: var(--soft); text-decoration: none; display: block; padding: .1rem 0; overflow-wrap: anywhere; }
nav a:hover, nav a:focus-visible { color: var(--accent); }
nav summary { cursor: pointer; font-weight: 600; padding: .15rem 0; }
main { padding: 2rem 2rem 6rem; min-width: 0; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 20px; margin: 3rem 0 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 16px; margin: 0; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem; margin: 0 0 1rem; }
article p { margin: .5rem 0 .75rem; }
.route { font: 13px/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; margin: .25rem 0 0; }
.method { font-weight: 700; }
.GET { color: var(--get); } .POST { color: var(--post); } .PATCH { color: var(--patch); } .PUT { color: var(--put); } .DELETE { color: var(--delete); }
.soft { color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; margin: .5rem 0; }
th { text-align: left; color: var(--soft); font-weight: 600; }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
code, pre { font: 13px/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
td code { overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: 6px; padding: .75rem .9rem; margin: .5rem 0; overflow: auto; max-height: 28rem; }
details > summary { cursor: pointer; font-size: 13px; color: var(--accent); padding: .25rem 0; }
form.try { display: grid; gap: .6rem; max-width: 40rem; padding: .5rem 0; }
label { display: grid; gap: .2rem; font-size: 13px; font-weight: 600; }
input, textarea { font: 13px/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; color: inherit; background: var(--field); border: 1px solid var(--line);
  border-radius: 6px; padding: .45rem .6rem; width: 100%; min-height: 2.4rem; }
button { font: inherit; font-weight: 600; justify-self: start; color: var(--on-accent); background: var(--accent); border: 0; border-radius: 6px; padding: .5rem 1rem; min-height: 2.4rem; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.who { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; max-width: 40rem; margin: 1rem 0; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media (max-width: 60rem) { .page { grid-template-columns: minmax(0, 1fr); } nav { position: static; height: auto; max-height: 14rem; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1.5rem 1rem 4rem; } .who { grid-template-columns: 1fr; } }
`;

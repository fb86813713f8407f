// The classes of styles: a component that names one which its style does not have looks unfinished, and no type says so.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";

const root = join(import.meta.dir, "..", "..", "src", "web");
const read = (path: string) => readFileSync(path, "utf8");
const scan = (pattern: string) => [...new Glob(pattern).scanSync({ cwd: root, absolute: true })];

interface Style {
  classes: ReadonlySet<string>;
  /** Classes that components and other styles name. */
  named: Set<string>;
  /** Whether a component computes the name of a class. */
  isComputed: boolean;
}

const styles = new Map<string, Style>();
for (const path of scan("**/*.module.css")) {
  const rules = read(path).replace(/\/\*.*?\*\/|"[^"]*"/gs, "");
  const classes = new Set([...rules.matchAll(/\.([a-z]\w*)/gi)].map(([, name = ""]) => name));
  styles.set(path, { classes, named: new Set(), isComputed: false });
}

function styleAt(from: string, to: string): Style {
  const style = styles.get(join(dirname(from), to));
  if (!style) throw new Error(`${from} imports ${to}, which does not exist`);
  return style;
}

for (const path of scan("**/*.{ts,tsx}")) {
  const text = read(path);
  for (const [, name = "", to = ""] of text.matchAll(/import (\w+) from "([^"]+\.module\.css)"/g)) {
    const style = styleAt(path, to);
    for (const [, one = ""] of text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))) style.named.add(one);
    if (text.includes(`${name}[`)) style.isComputed = true;
  }
}
for (const path of styles.keys())
  for (const [, names = "", to = ""] of read(path).matchAll(/composes: ([\w ]+) from "([^"]+)"/g))
    for (const one of names.split(" ")) styleAt(path, to).named.add(one);

const without = (some: ReadonlySet<string>, others: ReadonlySet<string>, path: string) =>
  [...some].filter((one) => !others.has(one)).map((one) => `${path.slice(root.length + 1)}: ${one}`);

test("components and styles name only classes that there are", () => {
  expect(styles.size).toBeGreaterThan(50);
  expect([...styles].flatMap(([path, { classes, named }]) => without(named, classes, path))).toEqual([]);
});

test("styles have only classes that somebody names", () => {
  const known = [...styles].filter(([, { isComputed }]) => !isComputed);
  expect(known.flatMap(([path, { classes, named }]) => without(classes, named, path))).toEqual([]);
});

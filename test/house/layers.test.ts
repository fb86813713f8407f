// The storeys of src/README.md: which imports are allowed.
import { describe, expect, test } from "bun:test";
import { dirname } from "node:path";
import { domains } from "@/domains.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { doors } from "../support/doors.ts";
import { pairs } from "../support/pairs.ts";
import { arrowsOf, type Broken, broken, brokenInWeb, mutual, storeys, webLayers } from "../support/plan.ts";
import {
  bareTransactions,
  exportsOfActions,
  inTransaction,
  ownTransactions,
  permissionsOfJobs,
  queryMakers,
  reExports,
  strayParts,
  unguarded,
  writingQueries,
} from "../support/shape.ts";
import { sourceTree, treeOf } from "../support/source-tree.ts";

const tree = await sourceTree("src", "cli", "console");
const found = broken(tree, doors);

describe("the scan", () => {
  test("sees the whole tree", () => {
    expect(tree.length).toBeGreaterThan(500);
    expect(arrowsOf(tree).length).toBeGreaterThan(3000);
    const named = tree.flatMap(({ path, imports }) => imports.map(({ to }) => ({ path, to })));
    const isOurs = (to: string) =>
      /^(src|cli|console)\//.test(to) && !/\.(sql|txt|json|png|css|woff2|client\.js)$/.test(to);
    const known = new Set(tree.map(({ path }) => path));
    expect(named.filter(({ to }) => isOurs(to) && !known.has(to))).toEqual([]);
  });

  test("finds every folder in a storey", () => {
    const ground = new Set(tree.flatMap(({ path }) => /^src\/([^/]+)\//.exec(path)?.[1] ?? []));
    const folders = new Set(storeys.map((storey) => storey.split("/")[0] ?? ""));
    expect([...ground].toSorted()).toEqual([...folders, "cluster", "migrations", "web"].toSorted());
    const rooms = new Set(tree.flatMap(({ path }) => /^src\/(kernel\/[^/]+)\//.exec(path)?.[1] ?? []));
    expect([...rooms].toSorted()).toEqual(storeys.filter((storey) => storey.includes("/")).toSorted());
  });
});

describe("the tree", () => {
  test("imports nothing from a higher storey", () => expect(found.upward).toEqual([]));
  test("imports nothing from a higher layer", () => expect(found.layers).toEqual([]));
  test("has no cycle of imports at run time", () => expect(found.cycles).toEqual([]));
  test("has no cycle of imports, types included", () => expect(found.typeCycles).toEqual([]));
  test("imports only the doors of other folders", () => expect(found.pastDoor).toEqual([]));

  test("has no pairs of folders that import each other but those with a reason, each of which it still has", () => {
    expect(mutual(tree)).toEqual(Object.keys(pairs).toSorted());
  });

  test("has no door that no other folder uses", () => {
    const used = new Set(
      arrowsOf(tree).flatMap(({ from, to }) => (dirname(from) === dirname(to) ? [] : [to])),
    );
    const files = Object.entries(doors).flatMap(([folder, uses]) =>
      Object.keys(uses).map((name) => `${folder}/${name}.ts`),
    );
    expect(files.filter((path) => !used.has(path))).toEqual([]);
  });
});

describe("the web client", () => {
  const isClient = (path: string) => path.startsWith("src/web/");
  const files = new Map(tree.map((file) => [file.path, file]));
  /** Everything that running a file of the core would load. */
  const loadedBy = (path: string, seen = new Set<string>()): Set<string> => {
    for (const { to, typeOnly } of files.get(path)?.imports ?? []) {
      if (typeOnly || seen.has(to)) continue;
      seen.add(to);
      loadedBy(to, seen);
    }
    return seen;
  };
  const taken = tree
    .filter(({ path }) => isClient(path))
    .flatMap(({ path, imports }) => imports.map((one) => ({ ...one, path })))
    .filter(({ to }) => to.startsWith("src/") && !isClient(to));

  test("imports only types and pure modules of the core: nothing that opens, stores or serves", () => {
    expect(taken.length).toBeGreaterThan(1);
    const loaded = taken
      .filter(({ typeOnly }) => !typeOnly)
      .flatMap(({ path, to }) => [to, ...loadedBy(to)].map((one) => ({ path, to: one })));
    const isImpure = ({ to }: { to: string }) =>
      /^(node|bun)(:|$)/.test(to) ||
      /^src\/(app|core|server|domains)\.ts$/.test(to) ||
      /\/(store|access|actions|queries|api|host)(-[a-z-]+)?\.ts$/.test(to);
    expect(loaded.filter(isImpure)).toEqual([]);
  });

  test("imports nothing from a higher layer", () => expect(brokenInWeb(tree).upward).toEqual([]));
  test("has no folders that import each other", () => expect(brokenInWeb(tree).cycles).toEqual([]));

  test("has every folder in a layer", () => {
    const folders = tree.flatMap(({ path }) => /^src\/web\/([^/]+)\//.exec(path)?.[1] ?? []);
    expect([...new Set(folders)].toSorted()).toEqual([...webLayers].toSorted());
  });

  test("is imported by nothing in the core", () => {
    const core = tree.filter(({ path }) => !isClient(path));
    const found = core.flatMap(({ path, imports }) => imports.map(({ to }) => `${path} → ${to}`));
    expect(found.filter((arrow) => / → src\/web\//.test(arrow))).toEqual([]);
  });
});

describe("a planted import", () => {
  const none: Broken = { upward: [], layers: [], cycles: [], typeCycles: [], pastDoor: [] };
  const planted = (texts: Record<string, string>) => broken(treeOf(texts));

  test("that goes down and through the door is accepted", () => {
    const texts = {
      "src/messaging/messages/actions.ts": 'import { a } from "@/places/channels/access.ts";',
      "src/places/channels/access.ts":
        'import { b } from "./store.ts"; import type { C } from "./schema.ts";',
      "src/places/channels/store.ts": 'import { d } from "@/kernel/store/db.ts";',
      "src/places/channels/schema.ts": "",
      "src/kernel/store/db.ts": "",
    };
    expect(planted(texts)).toEqual(none);
  });

  test("of a higher storey is refused, even of a type", () => {
    const texts = {
      "src/places/channels/actions.ts": 'import type { A } from "@/messaging/messages/actions.ts";',
      "src/messaging/messages/actions.ts": "",
    };
    expect(planted(texts)).toEqual({
      ...none,
      upward: ["src/places/channels/actions.ts → src/messaging/messages/actions.ts"],
    });
  });

  test("of a higher room is refused in the kernel", () => {
    const texts = {
      "src/kernel/store/db.ts": 'import type { A } from "@/kernel/events/queues.ts";',
      "src/kernel/events/queues.ts": 'import { b } from "@/kernel/store/db.ts";',
    };
    expect(planted(texts).upward).toEqual(["src/kernel/store/db.ts → src/kernel/events/queues.ts"]);
  });

  test("of a domain is refused in the kernel", () => {
    const texts = {
      "src/kernel/store/db.ts": 'import "@/foundation/realm/schema.ts";',
      "src/foundation/realm/schema.ts": "",
    };
    expect(planted(texts).upward).toEqual(["src/kernel/store/db.ts → src/foundation/realm/schema.ts"]);
  });

  test("of a higher layer is refused, also by way of a file with a name of its own", () => {
    const texts = {
      "src/places/channels/access.ts": 'import { a } from "./privacy.ts";',
      "src/places/channels/privacy.ts": 'import { b } from "@/foundation/realm/actions.ts";',
      "src/foundation/realm/actions.ts": "",
    };
    expect(planted(texts).layers).toEqual([
      "src/places/channels/access.ts → src/places/channels/privacy.ts → src/foundation/realm/actions.ts",
    ]);
  });

  test("back from another folder is found, also of a type", () => {
    const texts = {
      "src/places/channels/actions.ts": 'import { a } from "@/places/folders/access.ts";',
      "src/places/channels/schema.ts": 'import { d } from "@/places/topics/schema.ts";',
      "src/places/folders/access.ts": "",
      "src/places/folders/schema.ts": 'import type { B } from "@/places/channels/schema.ts";',
      "src/places/topics/schema.ts": "",
    };
    expect(mutual(treeOf(texts))).toEqual(["src/places/channels ⇄ src/places/folders"]);
  });

  test("that closes a cycle is refused", () => {
    const texts = {
      "src/foundation/users/a.ts": 'import { b } from "./b.ts";',
      "src/foundation/users/b.ts": 'const c = await import("./c.ts");',
      "src/foundation/users/c.ts": 'export { a } from "./a.ts";',
    };
    const cycle = [
      "src/foundation/users/a.ts → src/foundation/users/b.ts → src/foundation/users/c.ts → src/foundation/users/a.ts",
    ];
    expect(planted(texts)).toEqual({ ...none, cycles: cycle, typeCycles: cycle });
  });

  test("that closes a cycle of types is refused", () => {
    const texts = {
      "src/foundation/users/a.ts": 'import type { B } from "./b.ts";',
      "src/foundation/users/b.ts": 'import "./a.ts";',
    };
    const typeCycles = ["src/foundation/users/a.ts → src/foundation/users/b.ts → src/foundation/users/a.ts"];
    expect(planted(texts)).toEqual({ ...none, typeCycles });
  });

  test("that bypasses a folder's door is refused", () => {
    const texts = {
      "src/places/channels/actions.ts":
        'import { a } from "@/foundation/users/store.ts"; import { b } from "@/foundation/users/names.ts";',
      "src/foundation/users/store.ts": "",
      "src/foundation/users/names.ts": "",
    };
    expect(planted(texts).pastDoor).toEqual([
      "src/places/channels/actions.ts → src/foundation/users/store.ts",
      "src/places/channels/actions.ts → src/foundation/users/names.ts",
    ]);
    expect(
      broken(treeOf(texts), { "src/foundation/users": { names: "how people are called" } }).pastDoor,
    ).toEqual(["src/places/channels/actions.ts → src/foundation/users/store.ts"]);
  });
});

describe("an import planted in the web client", () => {
  const planted = (texts: Record<string, string>) => brokenInWeb(treeOf(texts));

  test("that goes down is accepted", () => {
    const texts = {
      "src/web/index.tsx": 'import { App } from "./shell/app.tsx";',
      "src/web/shell/app.tsx": 'const { Feed } = await import("../features/feed/feed.tsx");',
      "src/web/features/feed/feed.tsx":
        'import css from "../lists/lists.module.css"; import { Button } from "../../ui/button.tsx";',
      "src/web/ui/button.tsx": 'import { useClient } from "../api/client.ts";',
      "src/web/api/client.ts": 'import type { State } from "../state/state.ts";',
      "src/web/state/state.ts": 'import { createStore } from "../lib/observable.ts";',
      "src/web/lib/observable.ts": "",
    };
    expect(planted(texts)).toEqual({ upward: [], cycles: [] });
  });

  test("of a higher layer is refused, even of a type, a style or a part that is fetched later", () => {
    const texts = {
      "src/web/lib/observable.ts": 'import type { State } from "../state/state.ts";',
      "src/web/ui/button.tsx": 'import css from "../features/feed/feed.module.css";',
      "src/web/features/feed/feed.tsx": 'const { Shell } = await import("../../shell/shell.tsx");',
    };
    expect(planted(texts).upward).toEqual([
      "src/web/lib/observable.ts → src/web/state/state.ts",
      "src/web/ui/button.tsx → src/web/features/feed/feed.module.css",
      "src/web/features/feed/feed.tsx → src/web/shell/shell.tsx",
    ]);
  });

  test("that makes folders import each other is refused, also by way of a third", () => {
    const texts = {
      "src/web/features/feed/feed.tsx": 'import { Composer } from "../compose/composer.tsx";',
      "src/web/features/compose/toolbar.tsx": 'import { Card } from "../people/card.tsx";',
      "src/web/features/people/card.tsx": 'import css from "../feed/feed.module.css";',
    };
    expect(planted(texts).cycles).toEqual([
      "src/web/features/compose → src/web/features/people → src/web/features/feed → src/web/features/compose",
    ]);
  });
});

describe("what files may do", () => {
  const api = "src/places/channels/api.ts";
  const actions = "src/places/channels/actions.ts";
  const queries = "src/places/channels/queries.ts";
  const rules = "src/places/channels/rules.ts";

  test("actions files export only guarded operations, and parts of a transaction", () => {
    expect(exportsOfActions(tree).length).toBeGreaterThan(100);
    expect(unguarded(tree)).toEqual([]);
  });

  test("an unguarded export of an actions file is found", () => {
    const texts = {
      [actions]:
        "export const add = action(allow.user, (tx) => {});\nexport const move = operation<string>(allow.user, run);\n" +
        "export interface Added {}\nexport function sneak(ctx: Ctx) {}\nexport const all = [add];\n" +
        "export function part(tx: Tx) {}\nexport function* slow<T>(\n  tx: Tx,\n  id: T,\n) {}\n" +
        "export function late(id: number, tx: Tx) {}\nexport async function later(tx: Tx) {}\n" +
        "export const short = (tx: Tx) => 3;",
    };
    expect(unguarded(treeOf(texts))).toEqual([
      `${actions}: export function sneak(ctx: Ctx) {}`,
      `${actions}: export const all = [add];`,
      `${actions}: export function late(id: number, tx: Tx) {}`,
      `${actions}: export async function later(tx: Tx) {}`,
      `${actions}: export const short = (tx: Tx) => 3;`,
    ]);
  });

  test("commands and screens import guarded actions, never parts of a transaction", () => {
    expect(strayParts(tree)).toEqual([]);
  });

  test("a part of a transaction that a command imports is found, whatever the form", () => {
    const texts = {
      [actions]: "export const add = action(allow.user, part);\nexport function part(tx: Tx) {}",
      "cli/commands/one.ts": 'import { add, part } from "@/places/channels/actions.ts";',
      "cli/commands/two.ts": 'import {\n  add as a,\n  part as b,\n} from "@/places/channels/actions.ts";',
      "console/three.ts": 'import * as all from "@/places/channels/actions.ts"; all.part(tx);',
      "src/four.ts": 'const { part } = await import("@/places/channels/actions.ts");',
      "cli/five.ts": 'import { add } from "@/places/channels/actions.ts";',
      "cli/six.ts": 'const { add } = await import("@/places/channels/actions.ts");',
      "src/places/folders/actions.ts": 'import { part } from "@/places/channels/actions.ts";',
    };
    expect(strayParts(treeOf(texts))).toEqual([
      `cli/commands/one.ts → ${actions}: part`,
      `cli/commands/two.ts → ${actions}: part`,
      `console/three.ts → ${actions}: part`,
      `src/four.ts → ${actions}: part`,
    ]);
  });

  test("only actions, their parts and stores export functions that take a transaction", () => {
    expect(inTransaction(tree).length).toBeGreaterThan(200);
    expect(bareTransactions(tree)).toEqual([]);
  });

  test("a function that takes a transaction is found elsewhere, in whatever form", () => {
    const text =
      "export function one(tx: Tx): void {}\nexport async function two(\n  id: number,\n  tx: Tx,\n): Promise<void> {}\n" +
      "export const three = (tx: Tx) => 3;\nfunction own(tx: Tx) {}\nexport function reads(ctx: Ctx): void {}";
    const texts = {
      [rules]: text,
      [actions]: text,
      "src/places/channels/store-grants.ts": text,
    };
    expect(bareTransactions(treeOf(texts))).toEqual([`${rules}: one`, `${rules}: two`, `${rules}: three`]);
  });

  test("nothing is re-exported", () => expect(reExports(tree)).toEqual([]));

  test("a re-export is found, whatever its form", () => {
    const lines = [
      'export { list } from "./queries.ts";',
      'export type {\n  A,\n} from "@/a/b/c.ts";',
      'export * from "./store.ts";',
      'export type { Row } from "./store.ts";',
    ];
    const texts = { [rules]: lines.join("\n") };
    expect(reExports(treeOf(texts))).toEqual(lines.map((line) => `${rules}: ${line}`));
  });

  test("only actions begin transactions", () => expect(ownTransactions(tree)).toEqual([]));

  test("a transaction without a permission is found", () => {
    const texts = {
      [rules]: "await ctx.db.write(ctx, (tx) => change(tx));",
      "src/kernel/core/operation.ts": "ctx.db.write(",
    };
    expect(ownTransactions(treeOf(texts))).toEqual([rules]);
  });

  test("queries never write", () => {
    expect(queryMakers(tree).length).toBeGreaterThan(30);
    expect(writingQueries(tree)).toEqual([]);
  });

  test("a query that can write is found, also by way of another file", () => {
    const made = "export const list = query(allow.user, (ctx) => all(ctx));";
    expect(writingQueries(treeOf({ [queries]: `${made} tx.run("DELETE FROM channels");` }))).toEqual([
      queries,
    ]);
    const texts = {
      [queries]: `import { all } from "./rules.ts"; ${made}`,
      [rules]: 'import { noteRead } from "@/messaging/receipts/actions-marks.ts";',
      "src/messaging/receipts/actions-marks.ts": "",
    };
    expect(writingQueries(treeOf(texts))).toEqual([
      `${queries} → ${rules} → src/messaging/receipts/actions-marks.ts`,
    ]);
  });

  test("jobs call only actions of the system", () => {
    const found = permissionsOfJobs(tree);
    expect(found.length).toBeGreaterThan(8);
    expect(found.filter((line) => !line.endsWith(": allow.system"))).toEqual([]);
  });

  test("a job that acts with a user's permission is found", () => {
    const texts = {
      [api]:
        'import { sweep } from "./sweeping.ts"; domain({ jobs: [{ name: "sweep", everySeconds: 1, run: sweep }] });',
      "src/places/channels/sweeping.ts":
        "export async function sweep(ctx: Ctx) {}\nconst remove = action(allow.admin, (tx) => {});",
    };
    expect(permissionsOfJobs(treeOf(texts))).toEqual(["src/places/channels/sweeping.ts: allow.admin"]);
  });

  test("a job refuses to run as a user", () => {
    const asUser = { actor: { kind: "user", id: 1, client: "" } } as unknown as Ctx;
    const jobs = domains.flatMap(({ jobs: own = [] }) => own);
    expect(jobs.length).toBeGreaterThan(8);
    for (const { name, run } of jobs)
      expect(() => run(asUser)).toThrow(`The job ${name} must run as the system`);
  });
});

import { recordAudit } from "@/foundation/audit/actions.ts";
import { parseTemplate } from "@/foundation/linkifiers/templates.ts";
import { allow } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { maxPlaygrounds, type NewPlayground, playgroundsChanged } from "./schema.ts";
import * as store from "./store.ts";

/** Adds a playground: a website on which to run code of a language. */
export const addPlayground = action(allow.admin, (tx, input: NewPlayground): { id: number } => {
  const others = store.listPlaygrounds(tx);
  if (others.length >= maxPlaygrounds) {
    fail("BAD_REQUEST", `An organization has at most ${maxPlaygrounds} playgrounds.`);
  }
  checkTemplate(input.url_template);
  if (others.some((one) => one.pygments_language === input.pygments_language && one.name === input.name)) {
    fail("BAD_REQUEST", "There is already a playground with this name for this language.");
  }

  const id = store.insertPlayground(tx, input);
  recordAudit(tx, { event: "playground_added", about: { kind: "playground", id }, data: { ...input } });
  emitList(tx);
  return { id };
});

export const removePlayground = action(allow.admin, (tx, id: number): void => {
  const found = store.listPlaygrounds(tx).find((one) => one.id === id);
  if (!found) fail("BAD_REQUEST", "Playground not found.");

  store.deletePlayground(tx, id);
  const { id: _, ...data } = found;
  recordAudit(tx, { event: "playground_removed", about: { kind: "playground", id, name: found.name }, data });
  emitList(tx);
});

function emitList(tx: Tx): void {
  tx.emit(playgroundsChanged, everyone, { realm_playgrounds: [...store.listPlaygrounds(tx)] });
}

const web = /^https?:\/\//i;

/** The template must make a web address that contains the code and nothing else. */
function checkTemplate(source: string): void {
  const template = parseTemplate(source);
  if ("problem" in template) fail("BAD_REQUEST", template.problem);
  if (template.variables.join() !== "code") {
    fail("BAD_REQUEST", "The URL template of a playground must insert 'code', and nothing else.");
  }
  if (!web.test(source))
    fail("BAD_REQUEST", "The URL template of a playground must begin with https:// or http://.");
}

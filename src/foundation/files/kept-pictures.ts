// Pictures of people, emoji and the organization: each in a few forms under one name of our making.
import type { Ctx, Env, Tx } from "@/kernel/context.ts";
import type { RawAnswer, RequestFacts } from "@/kernel/endpoint.ts";
import { fail } from "@/kernel/errors.ts";
import { isOurs, newName, pathOf, removeFile, writeWhole } from "./files.ts";
import { fileAnswer } from "./serving.ts";
import * as store from "./store.ts";

/** The plain form, a larger one, and what a moving picture shows first. */
export type Form = "" | "-medium" | "-still";
const forms: readonly Form[] = ["", "-medium", "-still"];

/**
 * What the last part of such a picture's address looks like. Clients make the address of the larger form themselves:
 * they replace a final `.png` by `-medium.png`, or append that to whatever there is.
 */
export const pictureName = "[0-9a-f]+(?:-[a-z]+)?(?:\\.webp|\\.png)(?:-medium\\.png)?";

/** Writes the forms of a picture, then the rows that need it; where those fail, the files go again. */
export async function keepPicture<T>(
  env: Env,
  given: Partial<Record<Form, Uint8Array>>,
  commit: (file: string) => Promise<T>,
): Promise<T> {
  const file = newName();
  try {
    for (const [form, bytes] of Object.entries(given)) await writeWhole(env, pathIn(env, file, form), bytes);
    return await commit(file);
  } catch (error) {
    removePicture(env, file);
    throw error;
  }
}

function pathIn(env: Env, file: string, form: string): string {
  return pathOf(env, "pictures", `${file}${form}.webp`);
}

/** Notes that a row needs one picture, and another no longer. */
export function exchangePicture(tx: Tx, file: string | null, before: string | null): void {
  if (file !== null) store.insertPicture(tx, file);
  if (before !== null) store.deletePicture(tx, before);
}

/** Takes a picture off the disk that no row needs any more. */
export function removePicture(env: Env, file: string | null): void {
  if (file !== null) for (const form of forms) removeFile(pathIn(env, file, form));
}

/** A picture for whoever has its address, which nobody can guess; it never changes. */
export function pictureAnswer(ctx: Ctx, asked: string, request: RequestFacts): Promise<RawAnswer> {
  const name = asked.replace(/(?:-medium)?\.\w+-medium\.png$/, "-medium.webp").replace(/\.png$/, ".webp");
  if (!isOurs(name)) fail("NOT_FOUND", "There is no such picture.");
  const path = pathOf(ctx.env, "pictures", name);
  return fileAnswer({ path, tag: name, type: "image/webp", name: null, isPublic: true }, request);
}

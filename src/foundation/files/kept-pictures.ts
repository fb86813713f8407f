// Pictures of people, emoji and the organization: each in a few forms under one generated name.
import { isOurs, newName } from "@/foundation/file-stores/names.ts";
import type { FileName } from "@/foundation/file-stores/schema.ts";
import type { Ctx, Env } from "@/kernel/core/context.ts";
import type { RawAnswer, RequestFacts } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { removeFile, writeWhole } from "./files.ts";
import { fileAnswer } from "./serving.ts";

/** The plain form, a larger one, and the first frame of an animation. */
export type PictureForm = "" | "-medium" | "-still";
const forms: readonly PictureForm[] = ["", "-medium", "-still"];

/**
 * A pattern for the last part of a picture's URL. Clients make the URL of the larger form themselves: they replace a
 * final `.png` by `-medium.png`, or append `-medium.png` to other names.
 */
export const pictureName = "[0-9a-f]+(?:-[a-z]+)?(?:\\.webp|\\.png)(?:-medium\\.png)?";

/** Writes the forms of a picture, then the rows that use it; if the rows fail, deletes the files. */
export async function keepPicture<T>(
  env: Env,
  given: Partial<Record<PictureForm, Uint8Array>>,
  commit: (file: string) => Promise<T>,
): Promise<T> {
  const file = newName();
  try {
    for (const [form, bytes] of Object.entries(given)) await writeWhole(env, formOf(file, form), bytes);
    return await commit(file);
  } catch (error) {
    await removePicture(env, file);
    throw error;
  }
}

function formOf(file: string, form: string): FileName {
  return { shelf: "pictures", name: `${file}${form}.webp` };
}

/** Deletes a picture that no row uses any more. */
export async function removePicture(env: Env, file: string | null): Promise<void> {
  if (file !== null) await Promise.all(forms.map((form) => removeFile(env, formOf(file, form))));
}

/** Serves a picture to anyone who has its unguessable URL; its content never changes. */
export function pictureAnswer(ctx: Ctx, asked: string, request: RequestFacts): Promise<RawAnswer> {
  const name = asked.replace(/(?:-medium)?\.\w+-medium\.png$/, "-medium.webp").replace(/\.png$/, ".webp");
  if (!isOurs(name)) fail("NOT_FOUND", "There is no such picture.");
  const file: FileName = { shelf: "pictures", name };
  return fileAnswer(ctx.env, { file, tag: name, type: "image/webp", name: null, isPublic: true }, request);
}

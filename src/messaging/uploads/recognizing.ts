import { open } from "node:fs/promises";
import { pictureFacts } from "@/foundation/files/pictures.ts";
import { headBytes, typeOf } from "@/foundation/files/types.ts";
import type { NewUpload } from "./store.ts";

export type FileFacts = Pick<NewUpload, "content_type" | "width" | "height" | "is_animated">;

/** The type of a file, and the size of a picture. */
export async function recognizeFile(path: string, name: string): Promise<FileFacts> {
  const content_type = await typeOf(await headOf(path), name);
  return { content_type, ...(await pictureFacts(path, content_type)) };
}

async function headOf(path: string): Promise<Buffer> {
  const handle = await open(path, "r");
  try {
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await handle.read(head, 0, headBytes, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

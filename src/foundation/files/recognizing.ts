import { open } from "node:fs/promises";
import { type PictureFacts, pictureFacts } from "./pictures.ts";
import { headBytes, typeOf } from "./types.ts";

interface FileFacts extends PictureFacts {
  content_type: string;
}

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

import { square } from "@/foundation/files/pictures.ts";
import type { ReceivedFile } from "@/kernel/http/endpoint.ts";

/** Throws if a file cannot be used as a user's picture. */
export async function checkAvatar(received: ReceivedFile): Promise<void> {
  await square(received.path, side);
}

/** Width in pixels of the two sizes in which an avatar is stored. */
export const side = 100;

export const mediumSide = 500;

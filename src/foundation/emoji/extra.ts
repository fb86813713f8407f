// The server's own emoji, of which there is one; its picture is part of the server.
import picture from "./confab.png" with { type: "file" };

/** The emoji's code and name. */
export const extraCode = "confab";

// Wire: existing clients offer an extra emoji under this name, and load its picture from a fixed URL.
const names: ReadonlySet<string> = new Set([extraCode, "zulip"]);

/** The code of an extra emoji by its name, or by the name that existing clients use. */
export function extraEmojiByName(name: string): string | null {
  return names.has(name) ? extraCode : null;
}

const pictures = "/static/generated/emoji/images/emoji/unicode";

/** The URL of an extra emoji's picture; contains the name as it was written. */
export function extraPictureUrl(name: string): string {
  return `${pictures}/${name}.png`;
}

/** All these URLs, as a path for the router. */
export const extraPicturePath = `${pictures}/{picture:(?:${[...names].join("|")})\\.png}`;

/** The picture's bytes: a PNG of 64 by 64 pixels. */
export function extraPicture(): Promise<Uint8Array<ArrayBuffer>> {
  return Bun.file(picture).bytes();
}

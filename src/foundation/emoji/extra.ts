// The server's own emoji beside Unicode's: one, whose picture comes with the server.
import picture from "./confab.png" with { type: "file" };

/** The code of the emoji, which is its name as well. */
export const extraCode = "confab";

// Wire: all clients of the family offer an extra emoji under this name, and load its picture from a fixed address.
const names: ReadonlySet<string> = new Set([extraCode, "zulip"]);

/** The code of an extra emoji by its name, or by a name or code of the family's. */
export function extraEmojiByName(name: string): string | null {
  return names.has(name) ? extraCode : null;
}

const pictures = "/static/generated/emoji/images/emoji/unicode";

/** Where the picture of an extra emoji is; its address holds the name as it was written. */
export function extraPictureUrl(name: string): string {
  return `${pictures}/${name}.png`;
}

/** All such addresses, for the router. */
export const extraPicturePath = `${pictures}/{picture:(?:${[...names].join("|")})\\.png}`;

/** The picture's bytes: a PNG of 64 by 64 pixels. */
export function extraPicture(): Promise<Uint8Array<ArrayBuffer>> {
  return Bun.file(picture).bytes();
}

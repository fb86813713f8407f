// The server generates all file names: no path comes from a client.
import { randomBytes } from "node:crypto";

const ours = /^[0-9a-f]{32}(?:-[a-z]+)?(?:\.webp)?$/;

/** Whether a name has the form of generated names. */
export function isOurs(name: string): boolean {
  return ours.test(name);
}

/** An unguessable name that is valid on every file system. */
export function newName(): string {
  return randomBytes(16).toString("hex");
}

/** The path of a file in its store, with slashes: `uploads/ab/ab12…`. Throws if the name is not one of ours. */
export function placeOf({ shelf, name }: { shelf: string; name: string }): string {
  if (!isOurs(name)) throw new Error(`Not a name that the server generated: ${JSON.stringify(name)}`);
  return `${shelf}/${name.slice(0, 2)}/${name}`;
}

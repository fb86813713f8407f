// Encrypts pieces to public keys in age's format, and decrypts them. The library is loaded where backups are encrypted.
import { readFileSync } from "node:fs";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import { notRead } from "@/operations/data-folder/host.ts";

type Change = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>;

const unchanged: Change = async (bytes) => bytes;

/** A function that encrypts to public keys; without any, it changes nothing. Throws if one is none. */
export async function sealerTo(recipients: readonly string[]): Promise<Change> {
  if (recipients.length === 0) return unchanged;
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      fail("BAD_REQUEST", `${recipient} is not a public key of age: it may be mistyped.`);
    }
  }
  return async (bytes) =>
    new Uint8Array(await Bun.readableStreamToBytes(await encrypter.encrypt(inSlices(bytes))));
}

/** The library encrypts 64 KiB at a time. */
const sliceBytes = 65_536;

/** The same bytes, some in each turn of the event loop: to encrypt a whole piece takes longer than requests may wait. */
function inSlices(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await nextSlice();
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.subarray(at, at + sliceBytes));
        at += sliceBytes;
      },
    },
    { highWaterMark: 0 },
  );
}

/** A function that decrypts what was encrypted to these public keys, by a file with one of their secret keys. */
export async function openerOf(
  recipients: readonly string[],
  identityFile: string | undefined,
): Promise<Change> {
  if (recipients.length === 0) return unchanged;
  if (identityFile === undefined) {
    const names = recipients.join(", ");
    return fail(
      "BAD_REQUEST",
      `This backup is encrypted to ${names}: name the file with its secret key by --identity.`,
    );
  }
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  for (const key of secretKeysIn(identityFile)) {
    try {
      decrypter.addIdentity(key);
    } catch {
      fail("BAD_REQUEST", `${identityFile} has a line that is not a secret key of age.`);
    }
  }
  return async (bytes) => {
    try {
      return new Uint8Array(await decrypter.decrypt(bytes));
    } catch {
      return fail(
        "BAD_REQUEST",
        `What is stored cannot be decrypted with ${identityFile}: it is another key's, or damaged.`,
      );
    }
  };
}

function secretKeysIn(file: string): string[] {
  const lines = textOf(file)
    .split(/\r?\n/)
    .map((line) => line.trim());
  const keys = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (keys.length === 0) fail("BAD_REQUEST", `${file} holds no secret key of age.`);
  return keys;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    return notRead(file, error);
  }
}

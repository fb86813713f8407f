// Writes the data of one person for an owner, in slices.

import { open } from "node:fs/promises";
import { withIncomplete } from "@/foundation/files/incomplete.ts";
import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { runInSlices } from "@/kernel/lib/tasks.ts";
import { OpenFile } from "@/kernel/store/open-file.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { beginPersonExport } from "./actions.ts";
import { writeDocument } from "./document.ts";
import { userSections } from "./store-person.ts";
import { openSnapshot } from "./store-snapshot.ts";

const personWriting = perApp(() => ({ isBusy: false }));

/** The data of a person who has agreed to that, as a document that is kept nowhere; one at a time. */
export const exportPerson = operation(
  allow.owner,
  async (ctx, userId: number): Promise<ReadableStream<Uint8Array>> => {
    const state = personWriting(ctx);
    if (state.isBusy)
      fail("BAD_REQUEST", "The data of another person is being exported. Please try again later.");
    state.isBusy = true;
    try {
      await beginPersonExport(ctx, userId);
      return await withIncomplete(ctx.env, (path) => writePerson(ctx, userId, path));
    } finally {
      state.isBusy = false;
    }
  },
);

/** Opens the file that it wrote; the caller removes its name, and its content goes once it is closed. */
async function writePerson(ctx: Ctx, userId: number, path: string): Promise<ReadableStream<Uint8Array>> {
  const handle = await open(path, "wx", 0o600);
  try {
    const contents = { sections: userSections, params: [userId] };
    const writing = { descriptor: handle.fd, now: ctx.now };
    await runInSlices(writeDocument(openSnapshot(ctx.db.sqlite), contents, writing));
  } finally {
    await handle.close();
  }
  return streamOf(await OpenFile.toRead(path));
}

const pieceBytes = 65_536;

function streamOf(file: OpenFile): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const piece = new Uint8Array(pieceBytes);
        const length = await file.read(piece, at);
        at += length;
        if (length > 0) return controller.enqueue(piece.subarray(0, length));
        await file.close();
        controller.close();
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  );
}

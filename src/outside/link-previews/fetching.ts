// Looks at what messages link to, and keeps what is found.
import { newName } from "@/foundation/file-stores/names.ts";
import type { FileName } from "@/foundation/file-stores/schema.ts";
import { findFile, removeFile, writeWhole } from "@/foundation/files/files.ts";
import { withIncomplete, writeNew } from "@/foundation/files/incomplete.ts";
import { recognizeFile, within } from "@/foundation/files/pictures.ts";
import { maxPixels } from "@/foundation/files/raster.ts";
import { fileAnswer } from "@/foundation/files/serving.ts";
import { isRealmOpen } from "@/foundation/realm/access.ts";
import { type Ctx, type Reads, sitesOf } from "@/kernel/core/context.ts";
import { asSystem } from "@/kernel/core/operation.ts";
import { departures } from "@/kernel/events/departures.ts";
import type { RawAnswer, RequestFacts } from "@/kernel/http/endpoint.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { findRecent, shownKinds } from "./access.ts";
import { dropLook, dropLooksAt, endLook, forgetSurplus, keepFound } from "./actions.ts";
import { type Visit, visit } from "./host.ts";
import { readPage } from "./page.ts";
import { box, type Found, looking } from "./schema.ts";
import type { LookRow, PreviewRow } from "./store.ts";
import * as store from "./store.ts";

/** Looks at what waits, round-robin over hosts and senders. */
export const lookAtLinks = departures<LookRow>({
  limits: looking.limits,
  keyOf: ({ id }) => id,
  listHosts: (ctx) => store.listHosts(ctx),
  listOwners: (ctx, host, above, max) => store.listSenders(ctx, host, { above, max }),
  listDue: (ctx, host, senderId, max) => store.listLooks(ctx, host, { senderId, max }),
  send: lookFor,
  giveUp: (ctx, { id }) => dropLook(ctx, id),
});

async function lookFor(ctx: Ctx, { id, host, address }: LookRow): Promise<void> {
  if (!asksSites(ctx)) return dropLook(ctx, id);
  const { pages } = shownKinds(ctx);
  const found = await lookAt(ctx, address);
  // Messages show nothing there already.
  if (!found || found.kind === "nothing") return dropLooksAt(ctx, { host, address });
  if (found.kind === "page" && found.picture_address !== null && pages) {
    await lookAt(ctx, found.picture_address);
  }
  await endLook(ctx, id);
}

function asksSites(reads: Reads): boolean {
  const { pictures, pages } = shownKinds(reads);
  return isRealmOpen(reads) && (pictures || pages);
}

const underWay = perApp(() => new Map<string, Promise<PreviewRow | null>>());

/** What is at an address; somebody looks if nobody has lately. */
export async function lookAt(ctx: Ctx, address: string): Promise<PreviewRow | null> {
  const recent = findRecent(ctx, address, ctx.db.clock.now());
  if (recent && (recent.file === null || (await findFile(ctx.env, fileOf(recent.file))))) return recent;
  const all = underWay(ctx);
  const looks = all.get(address) ?? lookNow(ctx, address).finally(() => all.delete(address));
  all.set(address, looks);
  return looks;
}

async function lookNow(ctx: Ctx, address: string): Promise<PreviewRow | null> {
  const found = await findAt(ctx, address);
  try {
    const replaced = await keepFound(ctx, { address, found });
    if (replaced !== null) await removeFile(ctx.env, fileOf(replaced));
  } catch (error) {
    if (found.kind === "picture") await removeFile(ctx.env, fileOf(found.file));
    throw error;
  }
  return store.findPreview(ctx, address);
}

/** Whatever a site does wrong, it has nothing to show. */
async function findAt(ctx: Ctx, address: string): Promise<Found> {
  try {
    return await visit(ctx, address, (there) => read(ctx, there));
  } catch {
    return { kind: "nothing" };
  }
}

async function read(ctx: Ctx, there: Visit): Promise<Found> {
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(there.type)) return readPicture(ctx, there);
  if (!/^(?:text\/html|application\/xhtml\+xml)$/.test(there.type)) return { kind: "nothing" };
  const { url, charset, body } = there;
  const facts = readPage(await beginningOf(body), { url, charset, sites: sitesOf(ctx) });
  return facts ? { kind: "page", ...facts } : { kind: "nothing" };
}

/** Reads until the head of a page ends. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let [size, tail] = [0, ""];
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.length;
    const text = tail + piece.toString("latin1");
    if (size >= looking.maxPageBytes || /<\/head\b|<body\b/i.test(text)) break;
    tail = text.slice(-8);
  }
  return Buffer.concat(pieces).subarray(0, looking.maxPageBytes);
}

/** Stores a picture again, small and in our format: nothing of the file that the site sent reaches a browser. */
function readPicture({ env }: Ctx, { body }: Visit): Promise<Found> {
  return withIncomplete(env, async (path) => {
    await writeNew(path, body, (size) => {
      if (size > looking.maxPictureBytes) throw new Error("it is too large");
    });
    const { width, height } = await recognizeFile(path, "");
    if (width === null || height === null || width * height > maxPixels) return { kind: "nothing" };
    const picture = await within(path, box.width, box.height);
    const file = newName();
    await writeWhole(env, fileOf(file), picture);
    return { kind: "picture", file, bytes: picture.length, width, height };
  });
}

function fileOf(file: string): FileName {
  return { shelf: "thumbnails", name: `${file}.webp` };
}

const sweptAtOnce = 500;

/** Deletes what is too old, too many or too large, the oldest first. */
export async function sweepPreviews(ctx: Ctx): Promise<void> {
  for (;;) {
    const surplus = store.listSurplus(ctx, { now: ctx.db.clock.now(), max: sweptAtOnce });
    if (surplus.length === 0) return;
    await forgetSurplus(
      ctx,
      surplus.map(({ address }) => address),
    );
    for (const { file } of surplus) if (file !== null) await removeFile(ctx.env, fileOf(file));
    if (surplus.length < sweptAtOnce) return;
  }
}

/** Looks for a picture that is in messages and was deleted here. Does nothing if too many are asked for, or none are shown any more. */
export async function lookAgain(ctx: Ctx, address: string): Promise<void> {
  if (!asksSites(ctx) || underWay(ctx).size >= looking.maxAgainAtOnce) return;
  await lookAt(asSystem(ctx), address);
}

/** The answer with the picture that is stored for an address; null if none is stored. */
export async function pictureAnswer(
  ctx: Ctx,
  address: string,
  request: RequestFacts,
): Promise<RawAnswer | null> {
  const name = store.findPreview(ctx, address)?.file ?? null;
  if (name === null || !(await findFile(ctx.env, fileOf(name)))) return null;
  const served = { file: fileOf(name), tag: name, type: "image/webp", name: null, isPublic: true };
  return fileAnswer(ctx.env, served, request);
}

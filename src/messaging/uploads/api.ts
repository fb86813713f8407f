import { z } from "zod";
import type { FileName } from "@/foundation/file-stores/schema.ts";
import { fileHooks } from "@/foundation/files/hooks.ts";
import { oneFile, theFile } from "@/foundation/files/incoming.ts";
import { fileAnswer } from "@/foundation/files/serving.ts";
import { serverOptions } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint, type RawAnswer, type RequestFacts } from "@/kernel/http/endpoint.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { messageHooks } from "@/messaging/messages/hooks.ts";
import { checkSpace, thumbnailFor, uploadFor, uploadsRealmState } from "./access.ts";
import { deleteSomeUnlinked, releaseUploads, removeAttachment, uploadFile } from "./actions.ts";
import {
  checkThumbnails,
  getUploadSpace,
  listAttachments,
  listLargestFiles,
  listLargestUnlinked,
  listSpaceByUser,
  temporaryUpload,
  temporaryUrl,
} from "./queries.ts";
import {
  attachment,
  daysOld,
  deletedFiles,
  maxListed,
  storedFile,
  type UploadRow,
  unlinkedFiles,
  uploadSpace,
  userSpace,
  usualDaysOld,
} from "./schema.ts";
import { type FilePlace, uploadsAmong } from "./store.ts";
import { thumbnailOf } from "./thumbnails.ts";

const pathId = "{realm:[0-9]+}/{file:[0-9a-f]+}/{name:[^/]+}";
const inPath = { realm: z.string(), file: z.string(), name: z.string() };
const pathIdOf = (params: { realm: string; file: string; name: string }) =>
  `${params.realm}/${params.file}/${params.name}`;

const limit = z.int().min(1).max(maxListed).default(50);
const pageOfFiles = { after_size: z.int().min(0).optional(), after_id: z.int().min(0).optional(), limit };

function placeAfter({ after_size, after_id }: { after_size?: number; after_id?: number }): FilePlace | null {
  if (after_size === undefined && after_id === undefined) return null;
  if (after_size !== undefined && after_id !== undefined) return { size: after_size, id: after_id };
  return fail("BAD_REQUEST", "Send both after_size and after_id, or neither.");
}

const daySeconds = 86_400;
const daysBefore = ({ now }: Ctx, days: number) => now - days * daySeconds;

function download(
  ctx: Ctx,
  { file: tag, content_type: type, name }: UploadRow,
  request: RequestFacts,
): Promise<RawAnswer> {
  const file: FileName = { shelf: "uploads", name: tag };
  return fileAnswer(ctx.env, { file, tag, type, name }, request);
}

const uploads = [
  endpoint("upload-file", {
    about:
      "Stores one file and returns the address to link to in a message. Nobody else can read the file until a message links to it.",
    method: "POST",
    path: "/user_uploads",
    body: oneFile((ctx) => ({
      maxMib: serverOptions.read(ctx).max_file_upload_size_mib,
      check: (length) => checkSpace(ctx, length),
    })),
    returns: { url: z.string(), uri: z.string(), filename: z.string() },
    run: async (ctx, _, { files }) => {
      const { url, filename } = await uploadFile(ctx, theFile(files));
      return { url, uri: url, filename };
    },
  }),
  endpoint("get-file-temporary-url", {
    about: "Returns an address that opens an uploaded file without credentials for a minute.",
    method: "GET",
    path: "/user_uploads/{realm_id_str:[0-9]+}/{filename:.+}",
    params: { realm_id_str: z.int(), filename: z.string() },
    returns: { url: z.string() },
    run: (ctx, { realm_id_str, filename }) => ({ url: temporaryUrl(ctx, `${realm_id_str}/${filename}`) }),
  }),
  endpoint("check-thumbnail-status", {
    about:
      "Says whether a picture that the caller uploaded can be shown small, which a client may await before it sends a message with it. Answers once the thumbnails are made; false if the picture is damaged.",
    method: "GET",
    path: "/thumbnail/status/{realm_id_str:[0-9]+}/{filename:.+}",
    params: { realm_id_str: z.int(), filename: z.string() },
    returns: { has_thumbnail: z.boolean() },
    run: async (ctx, { realm_id_str, filename }) => ({
      has_thumbnail: await checkThumbnails(ctx, `${realm_id_str}/${filename}`),
    }),
  }),
  endpoint("get-attachments", {
    about: "Lists the caller's uploaded files with the messages that link to them.",
    method: "GET",
    path: "/attachments",
    returns: { attachments: z.array(attachment), upload_space_used: z.int() },
    run: (ctx) => listAttachments(ctx),
  }),
  endpoint("get-upload-space", {
    about:
      "Returns the bytes that the caller's own files and those of the organization take up, and how many they may; `quota` is null without a limit.",
    method: "GET",
    path: "/attachments/space",
    returns: uploadSpace.shape,
    run: (ctx) => getUploadSpace(ctx),
  }),
  endpoint("get-largest-files", {
    about:
      "Lists the largest uploaded files of everyone or of one user, largest first, and whether a message links to each. For the next page, send the size and the ID of the last file. Owners only.",
    method: "GET",
    path: "/attachments/largest",
    params: { user_id: z.int().optional(), ...pageOfFiles },
    returns: { files: z.array(storedFile) },
    run: (ctx, { user_id = null, ...page }) => ({
      files: listLargestFiles(ctx, { user_id, after: placeAfter(page), max: page.limit }),
    }),
  }),
  endpoint("get-space-of-users", {
    about: "Lists whose uploaded files take up the most space, first the user with the most. Owners only.",
    method: "GET",
    path: "/attachments/users",
    params: { limit },
    returns: { users: z.array(userSpace) },
    run: async (ctx, { limit }) => ({ users: await listSpaceByUser(ctx, limit) }),
  }),
  endpoint("get-unlinked-files", {
    about:
      "Says how many uploaded files of this age neither a message nor a draft or scheduled message of their owner links to, and lists the largest of them. For the next page, send the size and the ID of the last file. Owners only.",
    method: "GET",
    path: "/attachments/unlinked",
    params: { older_than_days: daysOld.default(usualDaysOld), ...pageOfFiles },
    returns: unlinkedFiles.shape,
    run: (ctx, { older_than_days, ...page }) =>
      listLargestUnlinked(ctx, {
        until: daysBefore(ctx, older_than_days),
        after: placeAfter(page),
        max: page.limit,
      }),
  }),
  endpoint("delete-unlinked-files", {
    about:
      "Deletes files that `get-unlinked-files` finds, permanently: at most 500, by ID. While `last_id` is not null, send it as `after_id` to delete the next ones. Owners only.",
    method: "DELETE",
    path: "/attachments/unlinked",
    params: { older_than_days: daysOld.default(usualDaysOld), after_id: z.int().min(0).default(0) },
    returns: deletedFiles.shape,
    run: (ctx, { older_than_days, after_id }) =>
      deleteSomeUnlinked(ctx, { after: after_id, until: daysBefore(ctx, older_than_days) }),
  }),
  endpoint("remove-attachment", {
    about: "Deletes one of the caller's files permanently. Links to it in messages stop working.",
    method: "DELETE",
    path: "/attachments/{attachment_id:[0-9]+}",
    params: { attachment_id: z.int() },
    run: (ctx, { attachment_id }) => removeAttachment(ctx, attachment_id),
  }),
];

const files = [
  endpoint("get-thumbnail", {
    about: "Returns a thumbnail of an uploaded image, to users who may read the image itself.",
    method: "GET",
    path: `/user_uploads/thumbnail/${pathId}/{format:[^/]+}`,
    root: true,
    auth: "public",
    params: { ...inPath, format: z.string() },
    run: async (ctx, params, request) => {
      const [row, format] = thumbnailFor(ctx, pathIdOf(params), params.format);
      const file = await thumbnailOf(ctx.env, row, format);
      const type = format.animated && row.is_animated ? row.content_type : "image/webp";
      return fileAnswer(ctx.env, { file, tag: `${row.file}-${format.name}`, type, name: null }, request);
    },
  }),
  endpoint("get-temporary-file", {
    about: "Returns an uploaded file for an address that `get-file-temporary-url` made.",
    method: "GET",
    path: `/user_uploads/temporary/{expires:[0-9]+}/{signature:[0-9a-f]+}/${pathId}`,
    root: true,
    auth: "none",
    params: { ...inPath, expires: z.int(), signature: z.string() },
    run: (ctx, { expires, signature, ...params }, request) => {
      const row = temporaryUpload(ctx, { expires, signature, path_id: pathIdOf(params) });
      return download(ctx, row, request);
    },
  }),
  endpoint("get-uploaded-file", {
    about:
      "Returns an uploaded file to its owner and to everyone who may read a message that links to it. Types that could run code in a browser are sent as downloads. A file that does not exist answers 404, one that the caller may not read 403.",
    method: "GET",
    path: `/user_uploads/${pathId}`,
    root: true,
    auth: "public",
    params: inPath,
    run: (ctx, params, request) => download(ctx, uploadFor(ctx, pathIdOf(params)), request),
  }),
];

export default domain({
  name: "uploads",
  about: "files that people upload, who may read them, which messages link to them",
  state: { realm: forSpectators(uploadsRealmState) },
  hooks: [fileHooks.inUse.register(uploadsAmong), messageHooks.removed.register(releaseUploads)],
  endpoints: [...uploads, ...files],
});

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
import { messageHooks } from "@/messaging/messages/hooks.ts";
import { checkSpace, thumbnailFor, uploadFor, uploadsRealmState } from "./access.ts";
import { releaseUploads, removeAttachment, uploadFile } from "./actions.ts";
import {
  checkThumbnails,
  getUploadSpace,
  listAttachments,
  temporaryUpload,
  temporaryUrl,
} from "./queries.ts";
import { attachment, type UploadRow, uploadSpace } from "./schema.ts";
import { uploadsAmong } from "./store.ts";
import { thumbnailOf } from "./thumbnails.ts";

const pathId = "{realm:[0-9]+}/{file:[0-9a-f]+}/{name:[^/]+}";
const inPath = { realm: z.string(), file: z.string(), name: z.string() };
const pathIdOf = (params: { realm: string; file: string; name: string }) =>
  `${params.realm}/${params.file}/${params.name}`;

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

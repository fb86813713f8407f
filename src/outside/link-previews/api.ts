import { z } from "zod";
import { fileHooks } from "@/foundation/files/hooks.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint, RawAnswer } from "@/kernel/http/endpoint.ts";
import { messageHooks } from "@/messaging/messages/hooks.ts";
import { sendingHooks } from "@/messaging/sending/hooks.ts";
import { linkedAt, noPicture, signedAddress, symbolPath } from "./access.ts";
import { noteEditedLinks, noteLinks } from "./actions.ts";
import { lookAgain, lookAtLinks, pictureAnswer, sweepPreviews } from "./fetching.ts";
import { keeping, looking } from "./schema.ts";
import { deleteLooksOf, hasLooks, picturesAmong } from "./store.ts";

const signed = { signature: z.string(), address: z.string() };
const path = "/external_content/{signature:[0-9a-f]+}/{address:[0-9a-f]+}";

/** One grey pixel. */
const symbol = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mM4AwAAzgDNee7qPQAAAABJRU5ErkJggg==",
  "base64",
);

export default domain({
  name: "link-previews",
  about: "pictures and pages of other sites that messages link to, looked at and shown by this server",
  hooks: [
    sendingHooks.linked.register(linkedAt),
    sendingHooks.sent.register(noteLinks),
    sendingHooks.edited.register(noteEditedLinks),
    messageHooks.removed.register(deleteLooksOf),
    fileHooks.inUse.register(picturesAmong),
  ],
  jobs: [
    {
      name: "link-previews",
      everySeconds: looking.everySeconds,
      run: lookAtLinks,
      nextDue: (reads) => (hasLooks(reads) ? 0 : Number.POSITIVE_INFINITY),
    },
    { name: "sweep-link-previews", everySeconds: keeping.sweepSeconds, run: sweepPreviews },
  ],
  endpoints: [
    endpoint("get-page-symbol", {
      about: "Returns the picture of cards of pages that have none.",
      method: "GET",
      path: symbolPath,
      root: true,
      auth: "none",
      run: () =>
        new RawAnswer(symbol, {
          "content-type": "image/png",
          "cache-control": "public, max-age=31536000, immutable",
        }),
    }),
    endpoint("get-external-content", {
      about:
        "Returns the picture of another site, made smaller, to anyone who has its address, which only this server can make. One that is not stored any more redirects to where it is looked for again.",
      method: "GET",
      path,
      root: true,
      auth: "none",
      params: signed,
      run: async (ctx, params, request) => {
        const address = signedAddress(ctx, params);
        const again = `/external_content/${params.signature}/${params.address}/again`;
        return (
          (await pictureAnswer(ctx, address, request)) ??
          new RawAnswer(null, { location: again, "cache-control": "no-store" }, 302)
        );
      },
    }),
    endpoint("get-external-content-again", {
      about: "Looks for the picture of another site that is not stored any more, and returns it.",
      method: "GET",
      path: `${path}/again`,
      root: true,
      auth: "none",
      servedBy: "leader",
      params: signed,
      run: async (ctx, params, request) => {
        const address = signedAddress(ctx, params);
        await lookAgain(ctx, address);
        return (await pictureAnswer(ctx, address, request)) ?? noPicture();
      },
    }),
  ],
});

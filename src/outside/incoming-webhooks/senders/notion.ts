// https://developers.notion.com/reference/webhooks
import { message, plainEvent } from "../parts.ts";
import type { PayloadValue } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { code, link } from "../wording.ts";

/** Notion sends no titles: there are only numbers. */
function pageOf(id: string): string {
  const plain = id.replaceAll("-", "");
  return /^\w{1,64}$/.test(plain) ? `https://www.notion.so/${plain}` : "";
}

const about =
  (what: string, happened: string, idOf: (payload: PayloadValue) => string): PayloadWording =>
  (payload) =>
    message("Notion", `${link(what, pageOf(idOf(payload)))} ${happened}.`);

const entity = (payload: PayloadValue) => payload.at("entity", "id").text;

export default sender({
  name: "notion",
  title: "Notion",
  setup: {
    where:
      "notion.so/my-integrations: the integration, Webhooks, Create a subscription; the bot then tells its owner the token that Notion asks for",
    field: "Webhook URL",
  },
  deliveryOf: ({ payload }) => payload.at("id").text,
  eventOf: ({ payload }) => payload.at("type").text || "unknown",
  handshake: ({ payload }) => {
    const token = payload.at("verification_token").text;
    if (!/^[\x21-\x7e]{16,200}$/.test(token) || payload.at("type").isThere) return null;
    return {
      event: "verification",
      secret: token,
      toOwner: `Notion asks for this token: ${code(token)}. It signs its events with it: to refuse events without it, enter it by ${code("confab webhook secret")}, too.`,
    };
  },
  isSigned: ({ body, header }, secret) =>
    isHmac(header("x-notion-signature"), { body, secret, prefix: "sha256=" }),
  events: {
    "page.created": about("A page", "was created", entity),
    "page.deleted": about("A page", "was deleted", entity),
    "page.undeleted": about("A page", "was restored", entity),
    "page.content_updated": about("A page", "was changed", entity),
    "database.created": about("A database", "was created", entity),
    "data_source.created": about("A data source", "was created", entity),
    "comment.created": about("A page", "has a new comment", (payload) => payload.at("data", "page_id").text),
    "*": plainEvent("Notion"),
  },
  quiet: ["page.undeleted", "page.content_updated"],
  sample: { headers: {}, payload: { type: "page.created", entity: { id: "test" } } },
});

// https://developers.asana.com/docs/webhooks-guide
import { message } from "../parts.ts";
import type { PayloadValue } from "../payload.ts";
import { secretRule } from "../schema.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { code, link } from "../wording.ts";

/** Asana names nothing: there are only numbers. */
function describe(one: PayloadValue): string | null {
  const [resource, parent] = [one.at("resource"), one.at("parent")];
  const kind = resource.at("resource_type").text;
  const isComment = kind === "story" && resource.at("resource_subtype").text === "comment_added";
  const number = (isComment ? parent : resource).at("gid").text;
  const url = /^[\w-]{1,60}$/.test(number) ? `https://app.asana.com/0/0/${number}` : "";
  const action = one.at("action").text;
  const field = one.at("change", "field").text;
  if (isComment) return action === "added" ? `💬 A comment was left on ${link("a task", url)}.` : null;
  if (kind !== "task") return null;
  if (action === "changed")
    return field === "completed" ? `${link("A task", url)} was completed, or reopened.` : null;
  if (action === "added")
    return parent.at("resource_type").text === "project" ? `${link("A task", url)} was added.` : null;
  return action === "deleted" || action === "undeleted"
    ? `A task was ${action === "deleted" ? "deleted" : "restored"}.`
    : null;
}

const events: PayloadWording = (payload) => {
  const { list } = payload.at("events");
  const lines = list.slice(0, 50).flatMap((one) => describe(one) ?? []);
  return lines.length === 0 ? null : message("Asana", [...new Set(lines)].join("\n\n"));
};

export default sender({
  name: "asana",
  title: "Asana",
  setup: {
    where: "its API: run this, with a token of app.asana.com/0/developer-console, and the project's number",
    field: "target",
    paste: `curl https://app.asana.com/api/1.0/webhooks -H 'Authorization: Bearer TOKEN' \\
  -H 'Content-Type: application/json' -d '{"data": {"resource": "PROJECT", "target": "ADDRESS"}}'`,
  },
  eventOf: () => "events",
  handshake: ({ header }) => {
    const secret = secretRule.safeParse(header("x-hook-secret"));
    if (!secret.success) return null;
    return {
      event: "handshake",
      secret: secret.data,
      headers: { "x-hook-secret": secret.data },
      toOwner: `Asana is connected. It signs its events with the secret ${code(secret.data)}: to refuse events without it, enter it by ${code("confab webhook secret")}.`,
    };
  },
  isSigned: ({ body, header }, secret) => isHmac(header("x-hook-signature"), { body, secret }),
  events: { events },
  quiet: [],
  sample: {
    headers: {},
    payload: {
      events: [
        {
          action: "added",
          resource: { gid: "1", resource_type: "task" },
          parent: { resource_type: "project" },
        },
      ],
    },
  },
});

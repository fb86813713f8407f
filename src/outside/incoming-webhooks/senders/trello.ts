// https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/
import { sentence } from "../forge.ts";
import { message, plainEvent } from "../parts.ts";
import { firstOf, type PayloadValue } from "../payload.ts";
import { type PayloadWording, sender } from "../sender.ts";
import { isHmac } from "../signing.ts";
import { bold, escapeText, inPath, link } from "../wording.ts";

const who = (payload: PayloadValue) =>
  firstOf(
    payload.at("action", "memberCreator", "fullName").text,
    payload.at("action", "memberCreator", "username").text,
  );

function linkTo(one: PayloadValue, kind: "b" | "c"): string {
  const short = one.at("shortLink").text;
  const name = firstOf(one.at("name").text, kind === "c" ? "a card" : "a board");
  return link(name, short === "" ? "" : `https://trello.com/${kind}/${inPath(short)}`);
}

type Description = (data: PayloadValue, payload: PayloadValue) => { did: string; text?: string } | null;

const say =
  (describe: Description): PayloadWording =>
  (payload) => {
    const data = payload.at("action", "data");
    const found = describe(data, payload);
    const board = firstOf(data.at("board", "name").text, payload.at("model", "name").text, "Trello");
    return found ? message(board, sentence(who(payload), found.did, found.text)) : null;
  };

const card = (data: PayloadValue) => `the card ${linkTo(data.at("card"), "c")}`;
const list = (data: PayloadValue) => {
  const name = data.at("list", "name").text;
  return name === "" ? "" : ` in ${bold(name)}`;
};

/** What changed is what has an old value; a new place in the list is not worth a message. */
const updated: Description = (data) => {
  const [old, now] = [data.at("old"), data.at("card")];
  const has = (field: string) => old.fields.some(([name]) => name === field);
  if (has("idList"))
    return {
      did: `moved ${card(data)} from ${bold(data.at("listBefore", "name").text || "a list")} to ${bold(data.at("listAfter", "name").text || "a list")}`,
    };
  if (has("closed")) return { did: `${now.at("closed").isTrue ? "archived" : "brought back"} ${card(data)}` };
  if (has("name"))
    return { did: `renamed the card “${escapeText(old.at("name").text)}” to ${linkTo(now, "c")}` };
  if (has("dueComplete"))
    return { did: `marked ${card(data)} as ${now.at("dueComplete").isTrue ? "done ✅" : "not done"}` };
  if (has("due")) {
    const due = now.at("due").text;
    const day = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z$/.test(due)
      ? `<time:${due}>`
      : escapeText(due);
    return {
      did:
        due === "" ? `removed the due date of ${card(data)}` : `set the due date of ${card(data)} to ${day}`,
    };
  }
  if (has("desc")) {
    const text = now.at("desc").text;
    const verb = old.at("desc").text === "" ? "wrote" : text === "" ? "removed" : "changed";
    return { did: `${verb} the description of ${card(data)}`, text };
  }
  return null;
};

const labelled =
  (verb: string): Description =>
  (data) => ({
    did: `${verb} ${bold(firstOf(data.at("label", "name").text, data.at("label", "color").text, "a label"))} on ${card(data)}`,
  });

export default sender({
  name: "trello",
  title: "Trello",
  setup: {
    where: "its API: run this, with a key and a token of trello.com/power-ups/admin, and the board's ID",
    field: "callbackURL",
    paste: `curl 'https://api.trello.com/1/webhooks/?key=KEY&token=TOKEN' \\
  --data-urlencode 'callbackURL=ADDRESS' --data-urlencode 'idModel=BOARD'`,
  },
  eventOf: ({ payload }) => firstOf(payload.at("action", "type").text, "unknown"),
  isSigned: ({ body, addresses, header }, secret) =>
    addresses.some((address) =>
      isHmac(header("x-trello-webhook"), { body: body + address, secret, hash: "sha1", encoding: "base64" }),
    ),
  events: {
    createCard: say((data) => ({ did: `added ${card(data)}${list(data)}` })),
    copyCard: say((data) => ({ did: `copied ${card(data)}${list(data)}` })),
    updateCard: say(updated),
    deleteCard: say((data) => ({
      did: `deleted the card ${escapeText(firstOf(data.at("card", "name").text, data.at("card", "idShort").text))}${list(data)}`,
    })),
    commentCard: say((data) => ({ did: `commented on ${card(data)}`, text: data.at("text").text })),
    addMemberToCard: say((data, payload) => ({
      did: `added ${bold(firstOf(payload.at("action", "member", "fullName").text, data.at("member", "name").text))} to ${card(data)}`,
    })),
    removeMemberFromCard: say((data, payload) => ({
      did: `removed ${bold(firstOf(payload.at("action", "member", "fullName").text, data.at("member", "name").text))} from ${card(data)}`,
    })),
    addAttachmentToCard: say((data) => ({
      did: `attached ${link(firstOf(data.at("attachment", "name").text, "a file"), data.at("attachment", "url").text)} to ${card(data)}`,
    })),
    addLabelToCard: say(labelled("put the label")),
    removeLabelFromCard: say(labelled("removed the label")),
    createList: say((data) => ({
      did: `added the list ${bold(data.at("list", "name").text || "without a name")}`,
    })),
    addMemberToBoard: say((data, payload) => ({
      did: `added ${bold(payload.at("action", "member", "fullName").text)} to the board ${linkTo(data.at("board"), "b")}`,
    })),
    updateCheckItemStateOnCard: say((data) => ({
      did: `${data.at("checkItem", "state").text === "complete" ? "checked" : "unchecked"} ${bold(data.at("checkItem", "name").text || "an item")} on ${card(data)}`,
    })),
    "*": plainEvent("Trello"),
  },
  quiet: [
    ...[
      "addLabelToCard",
      "removeLabelFromCard",
      "removeMemberFromCard",
      "updateCheckItemStateOnCard",
      "copyCard",
    ],
  ],
  sample: {
    headers: {},
    payload: {
      action: {
        type: "createCard",
        memberCreator: { fullName: "Confab" },
        data: { board: { name: "Example" }, card: { name: "A test event" }, list: { name: "To do" } },
      },
    },
  },
});

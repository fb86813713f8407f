// Issues, pull requests, reviews, discussions and comments.
import { sentence } from "../../forge.ts";
import { firstOf, valueIn } from "../../payload.ts";
import type { PayloadWording } from "../../sender.ts";
import { bold, code, escapeText, link, words } from "../../wording.ts";
import { describeAssignment, describeOldTitle, did, thing, toMessage, who } from "./parts.ts";

export const issue: PayloadWording = (payload) => {
  const { one, named, about } = thing(payload, "issue", "issue");
  const by = who(payload);
  const action = payload.at("action").text;
  const milestone = escapeText(
    firstOf(payload.at("milestone", "title").text, one.at("milestone", "title").text),
  );
  const describe = () => {
    switch (action) {
      case "milestoned":
        return sentence(by, `added ${named} to the milestone ${milestone}`);
      case "demilestoned":
        return sentence(by, `removed ${named} from the milestone ${milestone}`);
      case "edited":
        return sentence(by, `edited ${named}${describeOldTitle(payload)}`);
      case "opened":
        return sentence(by, `opened ${named}`, one.at("body").text);
      default:
        return sentence(
          by,
          `${did(payload)} ${named}${one.at("state_reason").text === "not_planned" ? " as not planned" : ""}`,
        );
    }
  };
  return toMessage(payload, describeAssignment(payload, named) ?? describe(), about);
};

export const pullRequest: PayloadWording = (payload) => {
  const { one, named, about } = thing(payload, "pull request", "pull_request");
  const by = who(payload);
  const base = code(one.at("base", "ref").text);
  const reviewer = bold(
    firstOf(payload.at("requested_reviewer", "login").text, payload.at("requested_team", "name").text),
  );
  const describe = () => {
    switch (payload.at("action").text) {
      case "opened":
        return sentence(
          by,
          `opened ${one.at("draft").isTrue ? "the draft " : ""}${named} from ${code(one.at("head", "ref").text)} into ${base}`,
          one.at("body").text,
        );
      case "closed":
        return one.at("merged").isTrue
          ? sentence(by, `merged ${named} into ${base}`)
          : sentence(by, `closed ${named} without merging it`);
      case "review_requested":
        return sentence(by, `asked ${reviewer} to review ${named}`);
      case "review_request_removed":
        return sentence(by, `no longer asks ${reviewer} to review ${named}`);
      case "auto_merge_enabled":
        return sentence(by, `will merge ${named} as soon as its checks pass`);
      case "auto_merge_disabled":
        return sentence(by, `will not merge ${named} by itself any more`);
      case "edited":
        return sentence(by, `edited ${named}${describeOldTitle(payload)}`);
      case "ready_for_review":
        return sentence(by, `marked ${named} as ready for review`);
      case "converted_to_draft":
        return sentence(by, `turned ${named} into a draft`);
      case "synchronize":
        return sentence(by, `pushed to ${named}`);
      default:
        return sentence(by, `${did(payload)} ${named}`);
    }
  };
  return toMessage(payload, describeAssignment(payload, named) ?? describe(), about);
};

const verdicts: Readonly<Record<string, string>> = {
  approved: "approved",
  changes_requested: "requested changes to",
};

export const review: PayloadWording = (payload) => {
  const { named, about } = thing(payload, "pull request", "pull_request");
  const given = payload.at("review");
  const text = given.at("body").text;
  const linked = link("a review", given.at("html_url").text);
  const action = payload.at("action").text;
  if (action === "dismissed")
    return toMessage(payload, sentence(who(payload), `dismissed ${linked} of ${named}`), about);
  if (action === "edited")
    return toMessage(payload, sentence(who(payload), `edited ${linked} of ${named}`, text), about);
  const verdict = valueIn(verdicts, given.at("state").text.toLowerCase()) ?? "reviewed";
  return toMessage(payload, sentence(who(payload), `${verdict} ${named}`, text), about);
};

export const reviewThread: PayloadWording = (payload) => {
  const { named, about } = thing(payload, "pull request", "pull_request");
  return toMessage(payload, sentence(who(payload), `${did(payload)} a thread of ${named}`), about);
};

export const discussion: PayloadWording = (payload) => {
  const { one, named, about } = thing(payload, "discussion", "discussion");
  const text = payload.at("action").text === "created" ? one.at("body").text : "";
  return toMessage(payload, sentence(who(payload), `${did(payload)} ${named}`, text), about);
};

/** A comment on an issue, a pull request or a discussion. */
export function describeComments(kind: string, field: string): PayloadWording {
  return (payload) => {
    const isRequest = payload.at("issue", "pull_request").isThere;
    const { named, about } = thing(payload, isRequest ? "pull request" : kind, field);
    const comment = payload.at("comment");
    const on = `${link("a comment", comment.at("html_url").text)} on ${named}`;
    const action = payload.at("action").text;
    const verb = action === "created" || action === "" ? "left" : words(action);
    return toMessage(
      payload,
      sentence(who(payload), `${verb} ${on}`, action === "deleted" ? "" : comment.at("body").text),
      about,
    );
  };
}

export const commitComment: PayloadWording = (payload) => {
  const comment = payload.at("comment");
  const commit = link(comment.at("commit_id").text.slice(0, 8), comment.at("html_url").text);
  return toMessage(
    payload,
    sentence(who(payload), `commented on the commit ${commit}`, comment.at("body").text),
  );
};

import { linkNumbered, sentence, topicOf } from "../../forge.ts";
import { firstOf, type PayloadValue, valueIn } from "../../payload.ts";
import type { Said } from "../../sender.ts";
import { bold, code, escapeText, words } from "../../wording.ts";

export const who = (payload: PayloadValue) => payload.at("sender", "login").text;

/** Verbs for actions that are not verbs in the past tense. */
const verbs: Readonly<Record<string, string>> = {
  blocked_by_added: "added what blocks",
  blocked_by_removed: "removed what blocks",
  blocking_added: "added what is blocked by",
  blocking_removed: "removed what is blocked by",
  category_changed: "changed the category of",
  checks_requested: "requested checks of",
  new_permissions_accepted: "accepted new permissions of",
  parent_issue_added: "added the parent of",
  parent_issue_removed: "removed the parent of",
  pending_cancellation: "will cancel",
  pending_tier_change: "will change",
  sub_issue_added: "added",
  sub_issue_removed: "removed",
  tier_changed: "changed",
};

/** The action as a verb in the past tense. */
export function did(payload: PayloadValue): string {
  const action = payload.at("action").text;
  return valueIn(verbs, action) ?? firstOf(words(action), "changed");
}

export function toMessage(payload: PayloadValue, content: string, about = ""): Said {
  const place = firstOf(
    payload.at("repository", "name").text,
    payload.at("organization", "login").text,
    "GitHub",
  );
  return { topic: topicOf(place, about), content };
}

/** The kind, link and topic of an issue, a pull request or a discussion. */
export function thing(payload: PayloadValue, kind: string, field: string) {
  const one = payload.at(field);
  const number = one.at("number").text;
  const title = one.at("title").text;
  return {
    one,
    named: linkNumbered(kind, { number, title, url: one.at("html_url").text }),
    about: `#${number} ${title}`,
  };
}

/** Changes that issues and pull requests share, such as people and labels; null for other changes. */
export function describeAssignment(payload: PayloadValue, named: string): string | null {
  const [person, label] = [payload.at("assignee", "login").text, payload.at("label", "name").text];
  switch (payload.at("action").text) {
    case "assigned":
      return sentence(who(payload), `assigned ${bold(person)} to ${named}`);
    case "unassigned":
      return sentence(who(payload), `unassigned ${bold(person)} from ${named}`);
    case "labeled":
      return sentence(who(payload), `added the label ${code(label)} to ${named}`);
    case "unlabeled":
      return sentence(who(payload), `removed the label ${code(label)} from ${named}`);
    default:
      return null;
  }
}

/** The earlier title, if an edit changed it. */
export function describeOldTitle(payload: PayloadValue): string {
  const from = payload.at("changes", "title", "from").text;
  return from === "" ? "" : `, which was “${escapeText(from)}”`;
}

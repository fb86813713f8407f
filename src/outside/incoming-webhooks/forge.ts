// Texts that GitHub, GitLab and Gitea share: commits, branches, issues and merge requests.
import { countText } from "@/kernel/lib/wording.ts";
import type { PayloadValue } from "./payload.ts";
import { bold, code, escapeText, link, quote, shortenText } from "./wording.ts";

const maxCommits = 10;
const emptyCommit = /^0+$/;

export interface Commit {
  id: string;
  url: string;
  message: string;
  author: string;
}

export interface Push {
  who: string;
  ref: string;
  repository: string;
  /** The page with all changes; may be empty. */
  compareUrl: string;
  commits: readonly Commit[];
  /** The number of commits, if the payload has only some of them. */
  total?: number;
  before: string;
  after: string;
  isForced?: boolean;
}

/** A topic for a branch, an issue or a merge request: "engine / #12 Fix the pump". */
export function topicOf(repository: string, about: string): string {
  return shortenText([repository, about].filter((part) => part !== "").join(" / "), 60);
}

export function branchOf(ref: string): string {
  return ref.replace(/^refs\/(heads|tags)\//, "");
}

/** The message about a push. Commits are listed oldest first. */
export function describePush(push: Push): { topic: string; content: string } {
  const { who, ref, repository, compareUrl, commits, before, after, isForced = false } = push;
  const branch = branchOf(ref);
  const isTag = ref.startsWith("refs/tags/");
  const what = `the ${isTag ? "tag" : "branch"} ${code(branch)}`;
  const topic = topicOf(repository, branch);
  if (emptyCommit.test(after)) return { topic, content: `${bold(who)} deleted ${what}.` };
  const total = Math.max(push.total ?? 0, commits.length);
  const isNew = emptyCommit.test(before);
  if (isTag || (isNew && total === 0)) return { topic, content: `${bold(who)} pushed ${what}.` };
  if (total === 0)
    return { topic, content: `${bold(who)} ${isForced ? "force-pushed" : "pushed"} to ${code(branch)}.` };
  const count = link(countText(total, "commit"), compareUrl);
  const where = isNew ? `the new branch ${code(branch)}` : code(branch);
  const lines = commits.slice(0, maxCommits).map(commitLine);
  if (total > lines.length) lines.push(`* … and ${total - lines.length} more`);
  return {
    topic,
    content: `${bold(who)} ${isForced ? "force-pushed" : "pushed"} ${count} to ${where}.\n\n${lines.join("\n")}`,
  };
}

function commitLine({ id, url, message, author }: Commit): string {
  const title = escapeText(message.split("\n", 1)[0] ?? "", 120);
  const by = author === "" ? "" : ` (${escapeText(author)})`;
  return `* ${link(id.slice(0, 8), url)} ${title}${by}`;
}

/** The commits of a payload; all three tools use the same form. */
export function commitsIn(payload: PayloadValue): Commit[] {
  return payload.at("commits").list.map((one) => ({
    id: one.at("id").text,
    url: one.at("url").text,
    message: one.at("message").text,
    author: one.at("author", "name").text,
  }));
}

/** "issue [#3 Pump leaks](…)", "pull request …". */
export function linkNumbered(
  kind: string,
  { sign = "#", number, title, url }: { sign?: string; number: string; title: string; url: string },
): string {
  return `${kind} ${link(`${sign}${number} ${title}`, url)}`;
}

/** "**ada** closed issue #12.", followed by the text as a quote, if any. */
export function sentence(who: string, did: string, text = ""): string {
  return `${bold(who)} ${did}${text.trim() === "" ? "." : `:\n${quote(text)}`}`;
}

// Whether what takes many transactions goes on (docs/decisions/topic-work.md): moves and deletions of large topics, erasing people.
import { type Finding, timeText, well } from "./schema.ts";
import type { AccountWorkFacts, TopicWorkFacts } from "./store.ts";

const check = "Moves and deletions of topics";

export function topicWork(works: readonly TopicWorkFacts[], isServed: boolean): Finding[] {
  if (works.length === 0) return [well(check, "None is under way.")];
  return works.map((work) => (work.fault ? reportStuck(work, work.fault) : underWay(work, isServed)));
}

function nameOf({ kind, topic, channel }: TopicWorkFacts): string {
  return `the ${kind} of ${topic === "" ? "the topic without a name" : `the topic '${topic}'`} of the channel '${channel}'`;
}

function underWay(work: TopicWorkFacts, isServed: boolean): Finding {
  if (isServed) return well(check, `Under way: ${nameOf(work)}.`);
  return {
    check,
    verdict: "note",
    finding: `Half done: ${nameOf(work)}.`,
    remedy: "The server goes on with it as soon as it runs.",
  };
}

function reportStuck(work: TopicWorkFacts, { since, reason }: NonNullable<TopicWorkFacts["fault"]>): Finding {
  return {
    check,
    verdict: "problem",
    finding:
      `Since ${timeText(since)}, ${nameOf(work)} does not go on: ${reason.replace(/\.$/, "")}. ` +
      "Until it does, other moves and deletions of the topic are refused.",
    remedy:
      "The server tries again at least twice a minute, and goes on once the reason is gone: make room if the disk is full. " +
      "If you cannot mend the reason, report it, with the lines 'carry on with topics' of the server's log.",
  };
}

/** There is a finding only while one is under way. */
export function accountWork(
  { user_id, is_erased, fault, fault_since }: AccountWorkFacts,
  isServed: boolean,
): Finding {
  const what = is_erased
    ? `the erasing of the person with the ID ${user_id}`
    : `the deletion of what the user with the ID ${user_id} sent`;
  const title = "Erasing people";
  if (fault !== null) {
    return {
      check: title,
      verdict: "problem",
      finding: `Since ${timeText(fault_since ?? 0)}, ${what} does not go on: ${fault.replace(/\.$/, "")}.`,
      remedy:
        "The server tries again at least twice a minute, and goes on once the reason is gone: make room if the disk is full. " +
        "If you cannot mend the reason, report it, with the lines 'carry on with accounts' of the server's log.",
    };
  }
  if (isServed) return well(title, `Under way: ${what}.`);
  return {
    check: title,
    verdict: "note",
    finding: `Half done: ${what}.`,
    remedy: "The server goes on with it as soon as it runs.",
  };
}

// Whether moves and deletions of large topics go on (docs/decisions/topic-work.md).
import { type Finding, timeText, well } from "./schema.ts";
import type { TopicWorkFacts } from "./store.ts";

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

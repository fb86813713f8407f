import { domain, type PeriodicJob } from "@/kernel/http/domain.ts";
import { indexAll } from "./actions.ts";
import { hasUnindexed } from "./store.ts";

const indexing: PeriodicJob = {
  name: "index messages",
  everySeconds: 0.5,
  run: indexAll,
  nextDue: (reads) => (hasUnindexed(reads) ? 0 : Number.POSITIVE_INFINITY),
};

export default domain({
  name: "message-index",
  about: "the full-text index of messages: keeping it up to date, and searching it",
  jobs: [indexing],
});

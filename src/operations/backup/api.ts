import { domain } from "@/kernel/http/domain.ts";
import { backUpIfDue, dueAt } from "./schedule/running.ts";

export default domain({
  name: "backup",
  about:
    "backing a data folder up: to one file, and by a schedule to a place that keeps several; restoring it",
  jobs: [{ name: "backup", everySeconds: 10, run: backUpIfDue, nextDue: dueAt }],
});

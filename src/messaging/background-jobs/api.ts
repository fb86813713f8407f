import { domain } from "@/kernel/http/domain.ts";
import { resuming } from "./running.ts";

export default domain({
  name: "background-jobs",
  about:
    "moves and deletions of large topics that are under way: waiting for them, and completing them after a crash",
  jobs: [resuming],
});

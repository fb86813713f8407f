import { domain } from "@/kernel/http/domain.ts";
import { measureChannels } from "./actions.ts";

export default domain({
  name: "channel-activity",
  jobs: [{ name: "channel activity", everySeconds: 3600, run: measureChannels }],
});

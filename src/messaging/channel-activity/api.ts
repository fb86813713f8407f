import { domain } from "@/kernel/http/domain.ts";
import { measureChannels } from "./actions.ts";

export default domain({
  name: "channel-activity",
  about: "which channels are in use, and how many messages they get",
  jobs: [{ name: "channel activity", everySeconds: 3600, run: measureChannels }],
});

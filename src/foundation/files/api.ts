import { domain } from "@/kernel/http/domain.ts";
import { fileHooks } from "./hooks.ts";
import { picturesAmong } from "./store.ts";
import { sweepFiles } from "./sweep.ts";

export default domain({
  name: "files",
  about: "receiving, recognizing and serving files, decoding pictures, sweeping",
  hooks: [fileHooks.inUse.register(picturesAmong)],
  jobs: [{ name: "sweep-files", everySeconds: 3_600, run: sweepFiles }],
});

// Finds Prometheus for `npm run test:monitoring`, or gets it: `node .ci/prometheus.mjs` prints the paths of prometheus and of
// promtool, or says why there are none. PROMETHEUS names the folder of others.
import { printPrograms } from "./debian.mjs";

const { PROMETHEUS } = process.env;

printPrograms({
  packageName: "prometheus",
  names: ["prometheus", "promtool"],
  folders: [...(PROMETHEUS ? [PROMETHEUS] : []), "/usr/bin", "/usr/local/bin"],
  question: "--version",
});

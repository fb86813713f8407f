// Finds Pebble, a certificate authority for tests, for `npm run test:acme`, or gets it: `node .ci/pebble.mjs` prints the paths of pebble
// and of pebble-challtestsrv, or says why there are none.
import { printPrograms } from "./debian.mjs";

printPrograms({
  packageName: "pebble",
  names: ["pebble", "pebble-challtestsrv"],
  folders: ["/usr/bin", "/usr/local/bin"],
  question: "-help",
});

// The stores for files that a server's settings name.
import { lazyStore, natsAddress, openS3 } from "@/foundation/file-stores/host.ts";
import type { OpenStore, S3Settings } from "@/foundation/file-stores/schema.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { type ArgValues, read } from "./args.ts";
import { clusterOf } from "./cluster.ts";
import { s3In } from "./s3.ts";
import { serverSettings, settingsOfFile } from "./settings.ts";

type Settings = ArgValues<typeof serverSettings>;

/** Opens them; throws then if the settings of one cannot be used. */
export function storesOf(settings: () => Settings, how: Pick<S3Settings, "patienceMs"> = {}): OpenStore {
  return (kind) => {
    if (kind === "s3") {
      const s3 = s3In(settings());
      return s3 && openS3({ ...s3, ...how });
    }
    const cluster = clusterOf(settings());
    if (!cluster) return null;
    return lazyStore({ kind, address: natsAddress(cluster.nats.cluster) }, async () => {
      const { openFiles } = await import("@/cluster/host.ts");
      return openFiles(cluster, how);
    });
  };
}

/** The same by the settings that 'confab serve' would read for a data folder. */
export function storesIn(dataDir: string, how?: Pick<S3Settings, "patienceMs">): OpenStore {
  const settings = () => {
    const result = read(serverSettings, {}, settingsOfFile(dataDir));
    return "problem" in result ? fail("BAD_REQUEST", `${result.problem}.`) : result.values;
  };
  return storesOf(settings, how);
}

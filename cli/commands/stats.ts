import { bytesText } from "@/kernel/lib/wording.ts";
import { statistics } from "@/operations/metrics/queries.ts";
import { statistics as shape } from "@/operations/metrics/schema.ts";
import { command } from "../command.ts";
import { facts } from "../output.ts";

export default [
  command({
    name: "stats",
    isUnaudited: true,
    summary: "Count people, channels, messages and bytes",
    about: "Counts people, channels, messages and bytes, and the messages of the last day, week and month.",
    examples: ["confab stats", "confab stats --json"],
    args: {},
    result: shape,
    run: (ctx) => statistics(ctx),
    print: (found) => {
      const { people, bots, channels, messages, bytes: sizes } = found;
      const roles = Object.entries(people).filter(([, count]) => count > 0);
      const all = Object.values(people).reduce((sum, count) => sum + count, 0);
      const { all: total, last_day, last_week, last_month } = messages;
      return facts([
        ["Organization", found.organization],
        ["People", `${all} (${roles.map(([role, count]) => `${role} ${count}`).join(", ")})`],
        ["Bots", String(bots)],
        ["Channels", String(channels)],
        ["Messages", `${total} (day ${last_day}, week ${last_week}, month ${last_month})`],
        [
          "Database",
          `${bytesText(sizes.database)} and ${bytesText(sizes.write_ahead_log)} of write-ahead log`,
        ],
        ["Files", bytesText(sizes.files)],
      ]);
    },
  }),
];

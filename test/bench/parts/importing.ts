// `confab user import` while a server has waiting clients: how long its events delay other requests.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Part, withServers } from "../bench.ts";
import { percentile } from "../figures.ts";
import { output } from "../processes.ts";
import { confabCommand } from "../servers.ts";
import { accountsOf } from "./sending.ts";

const waiting = 100;
const types = ["realm_user", "user_group", "subscription"];

export const importing: Part = {
  name: "importing",
  run: (bench) =>
    withServers([bench.openTeam()], async (confab) => {
      const { imported, importMs } = bench.sizes;
      const accounts = accountsOf(confab, waiting);
      await confab.run("listen", { accounts, types });
      const file = join(confab.folder, "people.csv");
      const lines = Array.from({ length: imported }, (_, i) => `new${i}@example.com,Person ${i}`);
      writeFileSync(file, ["email,name", ...lines].join("\n"));
      const [account = { email: "", apiKey: "" }] = accounts;
      const [{ eachMs }] = await Promise.all([
        confab.run("repeat", { account, paths: ["/users/me"], ms: importMs }),
        output([...confabCommand, "user", "import", file, "--data", confab.folder, "--json"]),
      ]);
      bench.progress(`p99 ${percentile(eachMs, 0.99).toFixed(1)} ms`);
      const what = `longest request beside ${imported} imported people, ${waiting} queues`;
      bench.add({ what, unit: "ms", base: null, confab: Math.max(...eachMs), limit: { most: 50 } });
    }),
};

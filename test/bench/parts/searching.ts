// Searching a million messages: the cost of a search, and the delay for others.
import { type Bench, type Part, perOperation, withServers } from "../bench.ts";
import { median, percentile } from "../figures.ts";
import { prepare, type Server, startConfab } from "../servers.ts";
import { archive } from "../worlds.ts";

type Shape = { name: string; search: string; channel?: string; fewChannels?: boolean };

/** Each of these words is in every fourth message; a number is in only one, `zebra` in none. */
const shapes: Shape[] = [
  { name: "a rare word", search: "n12345" },
  { name: "a common word", search: "backup" },
  { name: "a common word, by a reader of few channels", search: "backup", fewChannels: true },
  { name: "a common word, in a channel", search: "backup", channel: "special 1" },
  { name: "a common word, in a channel where it is rare", search: "backup", channel: "special 2" },
  { name: "three common words", search: "lunch deployed meetings" },
  { name: "a rare and a common word", search: "n12345 backup" },
  { name: "a phrase of two words", search: '"lunch meeting"' },
  { name: "a phrase of three words", search: '"lunch meeting friday"' },
  { name: "a phrase, in a channel", search: '"lunch meeting friday"', channel: "special 1" },
  { name: "a part of a word", search: '"ustom"' },
  { name: "a rare part of a word", search: '"n1234"' },
  { name: "nothing found", search: "zebra" },
  { name: "nothing found, in a channel", search: "zebra backup", channel: "special 1" },
  { name: "no such phrase", search: '"meeting zebra"' },
];

export const search: Part = {
  name: "search",
  async run(bench) {
    const { manyMessages } = bench.sizes;
    bench.progress(`filling ${manyMessages} messages`);
    const folder = await prepare(archive(manyMessages));
    await withServers([startConfab(folder)], async (confab) => {
      for (const shape of shapes) await measure(bench, confab, shape);
      await measureOthers(bench, confab);
    });
  },
};

async function measure({ sizes, add, progress }: Bench, server: Server, shape: Shape): Promise<void> {
  const job = { account: readerOf(server, shape), paths: [pathOf(server, shape)], ms: sizes.searchesMs };
  await server.run("repeat", { ...job, ms: 100 });
  const cost = await server.run("repeat", job);
  progress(`${shape.name}: ${cost.count} times, ${median(cost.eachMs).toFixed(1)} ms each`);
  const what = `search ${sizes.manyMessages}: ${shape.name}`;
  add({ what, unit: "ms CPU / search", base: null, confab: perOperation(cost), limit: { most: 50 } });
}

/** How long other requests wait while four clients search without pause, compared with four that read pages. */
async function measureOthers({ sizes, add }: Bench, server: Server): Promise<void> {
  const names = ["a common word", "a phrase of three words", "a phrase, in a channel", "three common words"];
  const others = shapes.filter(({ name }) => names.includes(name)).map((shape) => pathOf(server, shape));
  const account = readerOf(server, {});
  const job = { account, path: "/users/me", ms: 2 * sizes.searchesMs };
  const pages = others.map(() => pageOf100);
  const reading = await server.run("beside", { ...job, others: pages });
  const searching = await server.run("beside", { ...job, others });
  for (const [name, share, ratio] of [
    ["p50", 0.5, 2],
    ["p99", 0.99, 4],
  ] as const) {
    const what = `another request while 4 people search vs read pages, ${name}`;
    const [base, confab] = [percentile(reading, share), percentile(searching, share)];
    add({ what, unit: "ms", base, confab, limit: { ratio } });
  }
}

const pageOf100 = "/messages?anchor=newest&num_before=100&num_after=0";

function pathOf(server: Server, { search, channel }: Shape): string {
  const within = channel === undefined ? [] : [["channel", server.channels[channel]]];
  const narrow = encodeURIComponent(JSON.stringify([...within, ["search", search]]));
  return `${pageOf100}&narrow=${narrow}`;
}

function readerOf({ accounts }: Server, { fewChannels = false }: Partial<Shape>) {
  return accounts.at(fewChannels ? -1 : 0) ?? { email: "", apiKey: "" };
}

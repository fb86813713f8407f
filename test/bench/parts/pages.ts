// Reading a page of 100: it must cost about the same from a million messages as from ten thousand.
import { alternate, type Bench, compared, type Part, perOperation, withServers } from "../bench.ts";
import { prepare, type Server, startConfab } from "../servers.ts";
import type { Row } from "../table.ts";
import { archive } from "../worlds.ts";

type View = {
  name: string;
  anchor: "newest" | "middle";
  narrow: (server: Server) => unknown[];
  fewChannels?: boolean;
};

const rows = 100;
const oneChannel = (server: Server) => [["channel", server.channels["special 1"]]];
const views: View[] = [
  { name: "all messages, newest", anchor: "newest", narrow: () => [] },
  { name: "all messages, middle", anchor: "middle", narrow: () => [] },
  { name: "reader of few channels, newest", anchor: "newest", narrow: () => [], fewChannels: true },
  { name: "reader of few channels, middle", anchor: "middle", narrow: () => [], fewChannels: true },
  { name: "one channel, newest", anchor: "newest", narrow: oneChannel },
  { name: "one channel, middle", anchor: "middle", narrow: oneChannel },
  {
    name: "one topic, newest",
    anchor: "newest",
    narrow: (server) => [...oneChannel(server), ["topic", "bench"]],
  },
];

export const page: Part = {
  name: "page",
  async run(bench) {
    const { fewMessages, manyMessages } = bench.sizes;
    const folders = [];
    for (const messages of [fewMessages, manyMessages]) {
      bench.progress(`filling ${messages} messages`);
      folders.push(await prepare(archive(messages)));
    }
    await withServers(
      folders.map((folder) => startConfab(folder)),
      async (few, many) => {
        for (const view of views) bench.add(await compareView(bench, view, few, many));
      },
    );
  },
};

async function compareView(bench: Bench, view: View, few: Server, many: Server): Promise<Row> {
  bench.progress(view.name);
  for (const server of [few, many]) await expectFullPage(server, view);
  const rounds = await alternate(
    bench.sizes.rounds,
    () => read(bench, few, view),
    () => read(bench, many, view),
  );
  const { fewMessages, manyMessages } = bench.sizes;
  const what = `page of ${rows}, ${manyMessages} vs ${fewMessages}: ${view.name}`;
  return compared(what, "ms CPU / page", rounds, { ratio: 1.2 });
}

async function expectFullPage(server: Server, view: View): Promise<void> {
  const path = pathOf(server, view, 0);
  const { messages } = (await server.run("ask", { account: readerOf(server, view), path })) as {
    messages: unknown[];
  };
  if (messages.length === rows || messages.length === rows + 1) return;
  throw new Error(`A page (${view.name}) had ${messages.length} messages, not ${rows}: ${path}`);
}

async function read({ sizes }: Bench, server: Server, view: View): Promise<number> {
  const paths = Array.from({ length: 40 }, (_, i) => pathOf(server, view, i));
  return perOperation(
    await server.run("repeat", { account: readerOf(server, view), paths, ms: sizes.pagesMs }),
  );
}

/** A different anchor for each page, so that a few cached pages of the file do not serve them all. */
function pathOf(server: Server, view: View, i: number): string {
  const middle = Math.round(server.lastMessageId * (0.5 + i / 400));
  const anchor = view.anchor === "newest" ? "newest" : String(middle);
  const narrow = encodeURIComponent(JSON.stringify(view.narrow(server)));
  return `/messages?anchor=${anchor}&num_before=${rows}&num_after=0&narrow=${narrow}`;
}

function readerOf({ accounts }: Server, view: View) {
  return accounts.at(view.fewChannels ? -1 : 0) ?? { email: "", apiKey: "" };
}

// What a machine hears that asks to join with a token, from the machine that takes it.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { foundCluster } from "@/cluster/machines/founding.ts";
import { type Listen, MachineHost, paths } from "@/cluster/machines/machine.ts";
import { type Seat, seatIn, writeSeat } from "@/cluster/machines/seat.ts";
import { newToken, parseToken } from "@/cluster/machines/tokens.ts";
import { silentLog } from "@/kernel/lib/log.ts";
import { temporaryFolders } from "../support/folder.ts";

const newFolder = temporaryFolders();
const day = 24 * 3_600_000;

type Asked = Partial<{ name: string; address: string; is_witness: boolean }>;

/** The first machine of a new cluster, `founder` at 10.0.0.1; `ask` is what another one asks of it. */
async function founder(changed: (seat: Seat) => Partial<Seat> = () => ({})) {
  const dataDir = join(newFolder(), "data");
  const first = { cluster: "harbour", name: "founder", address: "10.0.0.1" };
  const token = await foundCluster({ dataDir, ...first, settings: {}, s3: "" });
  const read = () => seatIn(dataDir) as Seat;
  writeSeat(dataDir, { ...read(), ...changed(read()) });
  let answer: Parameters<Listen>[0] = () => new Response();
  const listen: Listen = async (given) => {
    answer = given;
    return async () => {};
  };
  const host = new MachineHost({ dataDir, seat: read(), program: "", log: silentLog, listen });
  await host.listen();
  const ask = async (secret: string, more: Asked = {}) => {
    const body = JSON.stringify({ name: "b", address: "10.0.0.2", is_witness: false, ...more, secret });
    const answered = await answer(new Request(`https://10.0.0.1${paths.join}`, { method: "POST", body }));
    const said = (await answered.json()) as { name?: string; error?: string };
    return { status: answered.status, said: said.error ?? `welcome ${said.name}` };
  };
  return { ask, read, secret: parseToken(token)?.secret ?? "" };
}

const c = { name: "c", address: "10.0.0.3" };
const welcome = (name: string) => ({ status: 200, said: `welcome ${name}` });
const refused = (said: RegExp) => ({ status: 403, said: expect.stringMatching(said) });

describe("a token", () => {
  test("lets two machines in; the same machine may ask again until the cluster has begun", async () => {
    const { ask, secret, read } = await founder();
    for (const more of [{}, {}, c, c, {}])
      expect(await ask(secret, more)).toEqual(welcome(more === c ? "c" : "b"));
    expect(read().machines.map(({ name }) => name)).toEqual(["founder", "b", "c"]);
    expect(read().tokens.map(({ places }) => places)).toEqual([0]);
    const used = refused(/^The token was used\b/);
    expect(await ask(secret, { name: "d", address: "10.0.0.4" })).toEqual(used);
    // Another machine that says a name of these, or an address.
    expect(await ask(secret, { address: "10.0.0.4" })).toEqual(used);
    expect(await ask(secret, { name: "d" })).toEqual(used);
  });

  test("that was used lets nobody in once the cluster has begun, not by a machine's name and address either", async () => {
    const machines = [
      { name: "founder", address: "10.0.0.1", is_witness: false },
      { name: "b", address: "10.0.0.2", is_witness: false },
      { ...c, is_witness: false },
    ];
    const begun = await founder(({ tokens }) => ({
      has_begun: true,
      machines,
      tokens: tokens.map((one) => ({ ...one, places: 0 })),
    }));
    expect(await begun.ask(begun.secret)).toEqual(refused(/^The token was used\b/));
    const open = await founder(() => ({ machines }));
    expect(await open.ask(open.secret, { name: "d", address: "10.0.0.4" })).toEqual(
      refused(/^The cluster has its 3 machines already\.$/),
    );
  });

  test("whose holder has it all the same hears which name or address is taken", async () => {
    const { ask, secret, read } = await founder();
    expect(await ask(secret, { name: "founder" })).toEqual(
      refused(/^Another machine has the name founder already/),
    );
    expect(await ask(secret, { address: "10.0.0.1" })).toEqual(
      refused(/^Another machine has the address 10\.0\.0\.1 already/),
    );
    expect(read().machines).toHaveLength(1);
    expect(read().tokens.map(({ places }) => places)).toEqual([2]);
  });

  test("that is over says so for a month, and that is all that its holder hears", async () => {
    const ended = (ms: number) =>
      founder(({ tokens }) => ({ tokens: tokens.map((one) => ({ ...one, until: Date.now() - ms })) }));
    const expired = refused(
      /^The token has expired: it held for a day\. For a new one, stop Confab where the cluster begins/,
    );
    const late = await ended(1);
    for (const more of [{}, { name: "founder" }, { address: "10.0.0.1" }])
      expect(await late.ask(late.secret, more)).toEqual(expired);
    expect(late.read().machines).toHaveLength(1);
    const old = await ended(29 * day);
    expect(await old.ask(old.secret)).toEqual(expired);
    const forgotten = await ended(31 * day);
    expect(await forgotten.ask(forgotten.secret)).toEqual(refused(/^The token is not known here/));
  });

  test("of another cluster is not known, and nothing that a stranger asks says anything of this one", async () => {
    const { ask, read } = await founder();
    const said: string[] = [];
    for (const secret of [newToken(2).secret, "", "x".repeat(32)])
      for (const more of [{}, { name: "founder" }, { address: "10.0.0.1" }, { is_witness: true }]) {
        const answer = await ask(secret, more);
        expect(answer).toEqual(refused(/^The token is not known here/));
        said.push(answer.said);
      }
    expect(new Set(said).size).toBe(1);
    expect(said[0]).not.toMatch(/founder|harbour|10\.0\.0/);
    expect(read().machines).toHaveLength(1);
  });
});

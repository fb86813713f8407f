import { closeFolder, mergeLog, removeLeftovers } from "@/operations/diagnosis/host.ts";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import { duration, line, secondsText, type Tone, wrapLines } from "../layout.ts";
import { type ActionOutcome, type Jump, screen } from "../screen.ts";
import { type ConsoleSession, findings } from "../session.ts";
import { findingsOf, lookEverySeconds } from "./attention.ts";

interface Row extends Finding {
  session: ConsoleSession;
  number: number;
}

const signs: Record<Finding["verdict"], string> = { well: "✔", note: "·", warning: "!", problem: "✘" };
const tones: Record<Finding["verdict"], Tone> = {
  well: "good",
  note: "dim",
  warning: "warn",
  problem: "bad",
};

/** In the list, what is wrong comes first. */
const worst: readonly Finding["verdict"][] = ["problem", "warning", "note", "well"];

interface Remedy {
  title: string;
  question: string;
  run: (session: ConsoleSession) => string;
}

/** Remedies that are safe to run from here, by check. */
const remedies: Readonly<Record<string, Remedy>> = {
  "Data folder": {
    title: "close the folder to others",
    question: "Let only this user read the data folder?",
    run({ host }) {
      closeFolder(host.dataDir);
      return "Only this user can read the data folder now.";
    },
  },
  "Left-over files": {
    title: "remove what was left",
    question: "Remove what interrupted work left? What is still in use stays.",
    run({ host }) {
      removeLeftovers(host.dataDir);
      return "Removed what interrupted work had left.";
    },
  },
  "Write-ahead log": {
    title: "merge the log",
    question: "Merge the write-ahead log into the database now?",
    run({ ctx }) {
      return mergeLog(ctx()) ? "The log is merged." : "Some process still reads the log; try again later.";
    },
  },
};

/** The screens that show more of what was checked. */
const places: Readonly<Record<string, Jump>> = {
  "Waiting mails": { to: "Mail" },
  Owners: { to: "Users", filter: "owner" },
  Server: { to: "Log" },
};

function remedyOf({ check, verdict }: Row): Remedy | null {
  return verdict === "warning" || verdict === "problem" ? (remedies[check] ?? null) : null;
}

function look(session: ConsoleSession, deep: boolean): Promise<ActionOutcome> {
  findingsOf(session);
  session.sources.refresh(findings, deep ? () => session.host.examine(true) : undefined);
  return Promise.resolve({ message: deep ? "Looking at every index and reference …" : "Looking again …" });
}

export const doctor = screen<Row>({
  key: "H",
  title: "Doctor",
  need: "admin",
  area: "Server",
  about: "what is wrong, and what helps",
  empty: "Looking …",
  rows: (session) =>
    (findingsOf(session).value ?? [])
      .map((finding, number) => ({ ...finding, session, number }))
      .sort((a, b) => worst.indexOf(a.verdict) - worst.indexOf(b.verdict)),
  // Several findings may be about the same thing.
  id: ({ check, number, session }) => {
    const first = (findingsOf(session).value ?? []).findIndex((one) => one.check === check);
    return first === number ? check : `${check} ${number}`;
  },
  name: ({ check }) => check,
  head: (session, { width }) => {
    const { isLoading, problem, loadedAt } = findingsOf(session);
    if (problem !== null) return [line(problem, "bad"), []];
    if (loadedAt === null) return isLoading ? [line("Looking …", "dim"), []] : [];
    const looked = `Looked at ${secondsText(loadedAt)} UTC`;
    const again = `${looked}, and again every ${duration(lookEverySeconds)} and when the server comes or goes`;
    return [...wrapLines(isLoading ? `Looking … (${looked})` : again, width, "dim"), []];
  },
  columns: [
    { title: "", value: ({ verdict }) => signs[verdict], tone: ({ verdict }) => tones[verdict], whole: true },
    { title: "CHECK", value: ({ check }) => check, tone: ({ verdict }) => tones[verdict] },
    { title: "FINDING", value: ({ finding }) => finding, grow: true },
  ],
  facts: (_, row) => [
    ["Check", row.check, places[row.check] ?? null],
    ["Verdict", row.verdict],
    ["Finding", row.finding],
    ["Remedy", row.remedy ?? ""],
  ],
  copies: ({ remedy, finding }) => remedy ?? finding,
  actions: [
    { key: "r", title: "look again", run: (session) => look(session, false) },
    { key: "d", title: "look deep", need: "machine", run: (session) => look(session, true) },
  ],
  rowActions: [
    {
      key: "x",
      need: "machine",
      title: (row) => remedyOf(row)?.title ?? null,
      confirm: (row) => remedyOf(row)?.question ?? null,
      async run(_, row) {
        const message = remedyOf(row)?.run(row.session) ?? "";
        await look(row.session, false);
        return { message };
      },
    },
  ],
});

// Exports of a remote server: it writes one for an administrator, or one person's for an owner, and the file is fetched.
import { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { ReportProgress } from "@/operations/backup/schema.ts";
import { checkTarget, writeWhole } from "@/operations/data-folder/host.ts";
import { type Exported, type ExportType, exportTypes, realmExport } from "@/operations/export/schema.ts";
import { mayOverwrite } from "../files.ts";
import { progressLine } from "../progress.ts";
import { download, type Remote, remoteAccount, remoteServer } from "../remote.ts";
import { checkShape, failForeign, failRefused, type Server } from "../server.ts";

const everyMs = 500;
const path = "/api/v1/export/realm";
const begun = z.object({ id: z.int() });
const all = z.object({ exports: z.array(realmExport) });
const found = z.object({ user: z.object({ user_id: z.int() }) });

interface ExportFlags {
  file: string;
  yes: boolean;
  /** Whether also the private data of those who agreed. */
  isPrivate: boolean;
}

export async function exportThere(
  { remote, as }: { remote: Remote; as: string | null },
  { file, yes, isPrivate }: ExportFlags,
): Promise<Exported> {
  checkTarget(file, await mayOverwrite(file, yes));
  const account = await remoteAccount(remote, as);
  const server = remoteServer(account);
  const { report, end } = progressLine();
  try {
    const id = await begin(server, isPrivate ? exportTypes.standard : exportTypes.public);
    report({ doing: "The server writes the export", done: 0, of: 0 });
    const url = await waitForExport(server, id);
    const rows: Record<string, number> = {};
    // The key goes to the address that the person named, wherever the server says that its files are.
    const [own] = /\/exports\/[0-9a-f]+$/.exec(url) ?? failForeign(server);
    await fetchInto(file, await download(account, own), { rows, report });
    return { file, rows };
  } finally {
    end();
  }
}

/** The data of one person, who must have agreed to that. */
export async function exportPersonThere(
  { remote, as }: { remote: Remote; as: string | null },
  { email, file, yes }: { email: string; file: string; yes: boolean },
): Promise<Exported> {
  checkTarget(file, await mayOverwrite(file, yes));
  const account = await remoteAccount(remote, as);
  const { user } = await remoteServer(account).get(`/api/v1/users/${encodeURIComponent(email)}`, found);
  const { report, end } = progressLine();
  try {
    const rows: Record<string, number> = {};
    report({ doing: "The server writes the export", done: 0, of: 0 });
    const content = await download(account, `/api/v1/users/${user.user_id}/export`, "POST");
    await fetchInto(file, content, { rows, report });
    return { file, rows };
  } finally {
    end();
  }
}

function fetchInto(
  file: string,
  content: AsyncIterable<Uint8Array>,
  { rows, report }: { rows: Record<string, number>; report: ReportProgress },
): Promise<void> {
  return writeWhole(file, countBytes(content, rows), (bytes) =>
    report({ doing: `Fetched ${Math.ceil(bytes / 1e6)} MB`, done: 0, of: 0 }),
  );
}

async function begin(server: Server, export_type: ExportType): Promise<number> {
  const init = { method: "POST", body: new URLSearchParams({ export_type }) };
  const { ok, status, body } = await server.send(path, { init });
  return ok ? checkShape(begun, body, server).id : failRefused(server, { status, body });
}

/** Waits until the export is written; returns the address of its file. */
async function waitForExport(server: Server, id: number): Promise<string> {
  for (;;) {
    const { exports } = await server.get(path, all);
    const one = exports.find((found) => found.id === id);
    if (!one || one.failed_timestamp !== null)
      fail("BAD_REQUEST", "The server could not write the export; its log says why.");
    if (one.export_url !== null) return one.export_url;
    await Bun.sleep(everyMs);
  }
}

/** The same bytes; counts the rows of each section, which have a line each. */
async function* countBytes(
  content: AsyncIterable<Uint8Array>,
  rows: Record<string, number>,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let rest = "";
  let section: string | null = null;
  for await (const piece of content) {
    yield piece;
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [, name] = /^"(\w+)":\[/.exec(line) ?? [];
      if (name !== undefined) rows[name] = 0;
      else if (section !== null && line.startsWith("{")) rows[section] = (rows[section] ?? 0) + 1;
      section = name ?? section;
    }
  }
}

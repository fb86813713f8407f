// What needs attention, and where to deal with it.

import { listUnsentMails } from "@/foundation/mail/queries.ts";
import { countText } from "@/kernel/lib/wording.ts";
import { countOpenReports } from "@/messaging/reports/queries.ts";
import { backupState } from "@/operations/backup/queries.ts";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import { listWaitingCalls } from "@/outside/webhooks/queries.ts";
import type { Tone } from "../layout.ts";
import type { Jump } from "../screen.ts";
import { type ConsoleSession, findings } from "../session.ts";
import type { PolledSource } from "../source.ts";

export interface Concern {
  about: string;
  text: string;
  tone: Tone;
  to: Jump | null;
}

export const lookEverySeconds = 300;
const day = 86_400;
const backupDays = 7;

/** The doctor's findings, refreshed while they are shown. */
export function findingsOf({ sources, host }: ConsoleSession): PolledSource<Finding[]> {
  return sources.get(findings, lookEverySeconds * 1000, () => host.examine(false));
}

export function concernsOf(session: ConsoleSession): Concern[] {
  const found = [
    ...ofReports(session),
    ...ofFindings(session),
    ...ofBackups(session),
    ...ofDelivery(session),
  ];
  if (found.length > 0)
    return found.map((one) => ({ ...one, to: one.to && session.offers(one.to.to) ? one.to : null }));
  const isKnown = findingsOf(session).value !== null;
  return [
    { about: "All is well", text: isKnown ? "Nothing needs you." : "Looking …", tone: "good", to: null },
  ];
}

function ofReports({ ctx }: ConsoleSession): Concern[] {
  const open = countOpenReports(ctx());
  if (open === 0) return [];
  const text = open === 1 ? "A message was reported." : `${open} messages were reported.`;
  return [{ about: "Reports", text, tone: "warn", to: { to: "Reports" } }];
}

function ofFindings(session: ConsoleSession): Concern[] {
  return (
    (findingsOf(session).value ?? [])
      .filter(({ verdict }) => verdict === "warning" || verdict === "problem")
      // `ofDelivery` reports them, with the screen that lists them.
      .filter(({ check }) => check !== "Waiting mails")
      .map(({ check, finding, verdict }) => ({
        about: check,
        text: finding,
        tone: verdict === "problem" ? "bad" : "warn",
        to: { to: "Doctor", select: check, opens: true },
      }))
  );
}

function ofBackups({ ctx }: ConsoleSession): Concern[] {
  const to: Jump = { to: "Backups" };
  const { newest_at } = backupState(ctx());
  if (newest_at === null)
    return [{ about: "Backup", text: "No backup has been made yet.", tone: "warn", to }];
  const days = Math.floor((ctx().now - newest_at) / day);
  if (days < backupDays) return [];
  return [{ about: "Backup", text: `The last one was made ${days} days ago.`, tone: "warn", to }];
}

function ofDelivery({ ctx }: ConsoleSession): Concern[] {
  const refused = listUnsentMails(ctx()).flatMap(({ answer }) => answer ?? []);
  const calls = listWaitingCalls(ctx()).filter(({ tries }) => tries > 0).length;
  return [
    ...(refused.length === 0
      ? []
      : [
          {
            about: "Mail",
            text: `${countText(refused.length, "mail")} not delivered. The mail server answered: ${refused[0]}`,
            tone: "warn" as const,
            to: { to: "Mail" },
          },
        ]),
    ...(calls === 0
      ? []
      : [
          {
            about: "Webhooks",
            text: `${countText(calls, "call")} failed, to be tried again.`,
            tone: "warn" as const,
            to: { to: "Webhooks" },
          },
        ]),
  ];
}

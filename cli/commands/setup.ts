// Sets a server up: asks, shows what changes, and then does it in steps that can be done again.
import { resolve } from "node:path";
import { z } from "zod";
import { listText } from "@/kernel/lib/wording.ts";
import { flag, option } from "../args.ts";
import { standalone } from "../command.ts";
import { ask, yes } from "../confirm.ts";
import { bold, harmlessLines, quote } from "../output.ts";
import { streams } from "../streams.ts";
import { connectable, inUrl } from "./serve-listening.ts";
import { addressOf, type Change, change, changesOf, makePlan, type Plan } from "./setup-plan.ts";
import { answerArgs, none } from "./setup-questions.ts";
import { type Step, stepsOf } from "./setup-steps.ts";
import { usualUnit } from "./setup-unit.ts";

const shape = z.object({
  dry_run: z.boolean(),
  /** The lines of files that go (-) and come (+). */
  changes: z.array(change),
  /** What was done; with --dry-run, what would be. */
  steps: z.array(z.string()),
  next: z.array(z.string()),
  /** Signs the owner of a new organization in, once and within an hour. */
  login_link: z.string().nullable(),
});
type Shown = z.infer<typeof shape>;

const accountName = z
  .string()
  .regex(/^[a-z_][a-z0-9_-]{0,30}$/, "the name of a user of this machine, such as confab");

const args = {
  ...answerArgs,
  skip_mail_test: flag(z.boolean().default(false), "do not try the connection to the mail server"),
  unit: option(
    "FILE",
    z
      .string()
      .regex(/^(none|\/.*\/[\w@.-]+\.service)$/, "the path of a unit that ends in .service, or none")
      .optional(),
    `systemd unit to write; 'none' for none (default: ${usualUnit} for root, where systemd runs)`,
  ),
  user: option(
    "NAME",
    accountName.default("confab"),
    "user of this machine that the service runs as; created if it does not exist",
  ),
  no_start: flag(z.boolean().default(false), "do not start the service, nor at boot"),
  dry_run: flag(z.boolean().default(false), "show what would be done, and change nothing"),
  yes,
};

export default [
  standalone({
    name: "setup",
    summary: "Set a server up: organization, settings, service, backups",
    about:
      "Asks for what a server needs, and then creates the organization, writes confab.toml in the data folder and, as root where " +
      "systemd runs, a unit of systemd, and starts it. Each answer is a flag, too: with --yes nothing is asked, and what is not " +
      "given stays as it is, or becomes what is usual. It can be run again: Enter keeps the answer of before, and all else in " +
      "confab.toml stays. It shows the lines that change before it changes anything.",
    examples: [
      "sudo confab setup --data /var/lib/confab",
      "confab setup --dry-run --org Crew --owner-name Ada --owner-email ada@example.com",
      "sudo confab setup --data /var/lib/confab --yes --backup-to /mnt/backups --backup-every 1d",
    ],
    args,
    result: shape,
    async run({ dataDir: folder, given, show }, { yes, dry_run, ...how }) {
      const dataDir = resolve(folder);
      const inTerminal = streams().isTerminal() && process.stderr.isTTY === true && !yes;
      const plan = await makePlan(dataDir, { ...how, given, inTerminal });
      const changes = changesOf(plan);
      const links: string[] = [];
      const steps = stepsOf(plan, { starts: !how.no_start, onLink: (link) => links.push(link) });
      const shown = { dry_run, changes, steps: steps.map(({ does }) => does), next: [], login_link: null };
      if (dry_run) return show(shown);
      if (steps.length > 0 && !yes) await askToGoOn(changes, steps);
      for (const { run } of steps) await run();
      const [login_link = null] = links;
      await show({ ...shown, login_link, next: await nextSteps(plan, login_link !== null, !how.no_start) });
    },
    json: (shown: Shown) => shown,
    print: ({ dry_run, changes, steps, next, login_link }: Shown) => {
      const does = steps.map((one) => `  ${one}`).join("\n");
      const title = dry_run ? "Without --dry-run, this command" : "What this command did: it";
      const parts = [
        ...changes.map(changeText),
        steps.length === 0 ? "All is as it was answered: nothing was changed." : `${title}\n\n${does}`,
        login_link &&
          `Sign in with this link, in a browser. It works once, within an hour:\n\n  ${bold(login_link)}`,
        next.length > 0 && `What to do next:\n\n${next.map((one) => `  ${one}`).join("\n")}`,
      ];
      return parts.filter(Boolean).join("\n\n");
    },
  }),
];

async function askToGoOn(changes: readonly Change[], steps: readonly Step[]): Promise<void> {
  if (process.stderr.isTTY)
    for (const one of changes) process.stderr.write(`${harmlessLines(changeText(one))}\n\n`);
  await ask(`${sentenceOf(steps)} Go on?`);
}

const sentenceOf = (steps: readonly Step[]) => `This ${listText(steps.map(({ does }) => does))}.`;
/** A new file may be long; what is in it is known by its kind. */
const maxShown = 12;

function changeText({ file, lines }: Change): string {
  const more = lines.length > maxShown ? [`… and ${lines.length - maxShown} more lines`] : [];
  return `${file}:\n${[...lines.slice(0, maxShown), ...more].map((line) => `  ${line}`).join("\n")}`;
}

async function nextSteps(plan: Plan, hasLink: boolean, starts: boolean): Promise<string[]> {
  const { dataDir, answers, unit, user, backups } = plan;
  const folder = /^[\w./@+-]+$/.test(dataDir) ? dataDir : quote(dataDir);
  const confab = (words: string) =>
    `${user === null ? "" : `sudo -u ${user} `}confab ${words} --data ${folder}`;
  const started = !unit
    ? `${confab("serve")}   # start the server`
    : await whetherItAnswers(plan, unit.name, starts);
  return [
    started,
    answers.https === "auto" &&
      `Let ${answers.domain} lead to this machine, and its ports 80 and 443 be open: the server gets its certificate through them.`,
    answers.https === "proxy" &&
      `Let the proxy pass ${addressOf(plan)} on to http://${answers.host}:${answers.port}.`,
    !hasLink &&
      `${confab(`user login-link ${answers.owner_email ?? "EMAIL"}`)}   # a link that signs in once`,
    (answers.mail_host ?? none) === none &&
      "Without a mail server, you pass invitations on yourself; --mail-host names one.",
    backups === null &&
      (answers.backup_to ?? none) === none &&
      "No backups are made; --backup-to says where to.",
    backups !== null && `Copy ${backups} and ${plan.settings.path} to another machine from time to time.`,
    `${confab("doctor")}   # check all of it`,
  ].filter((one) => one !== false && one !== null);
}

async function whetherItAnswers(
  { answers: { https, host = "", port = "" } }: Plan,
  unit: string,
  starts: boolean,
): Promise<string | null> {
  if (!starts || !Bun.which("systemctl"))
    return `systemctl daemon-reload && systemctl enable --now ${unit}   # start the service`;
  const local = `${https === "files" || https === "auto" ? "https" : "http"}://${inUrl(connectable(host))}:${port}/health`;
  for (const end = Date.now() + patienceMs; Date.now() < end; await Bun.sleep(pauseMs)) {
    // The certificate names the public host, but this connects to the local machine.
    const isAnswered = await fetch(local, {
      tls: { rejectUnauthorized: false },
      signal: AbortSignal.timeout(pauseMs * 8),
    }).then(
      () => true,
      () => false,
    );
    if (isAnswered) return null;
  }
  return `The server does not answer yet: journalctl -u ${unit} -n 20 shows why.`;
}

const patienceMs = 20_000;
const pauseMs = 250;

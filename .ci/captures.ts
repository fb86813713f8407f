// `npm run docs`: draws screens of the console, on a sample organization, into docs/pictures, for dark and light pages. Needs tmux.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { widthOf } from "../console/layout.ts";
import { sampleFields } from "../src/operations/metrics/schema.ts";
import { makeSample, root } from "./sample.ts";
import { svgOf } from "./svg.mjs";

const size = { columns: 140, rows: 38 };
/** What a terminal of that background says of its colours. */
const shades = { dark: "15;0", light: "0;15" };
type Shade = keyof typeof shades;
/** Chooses a role and a person. */
const choosing = ["Down", "Down", "Space", "Down", "Down", "Down", "Down", "Down", "Space"];
const captures: readonly (readonly [name: string, keys: readonly string[]])[] = [
  ["overview", ["1", "t", "t"]],
  ["users", ["2", "Down", "Down"]],
  ["messages", ["7"]],
  ["channels", ["6", "Down"]],
  ["settings", [":", ..."create groups", "Enter", "e", "Space", ...choosing]],
  ["invitation", ["Escape", "Escape", "Escape", "5", "n", "C-s"]],
  ["log", ["Enter", "L"]],
  ["finder", [":", "m", "a"]],
];
/** Of the console next to a node. */
const nodeCaptures: typeof captures = [["nodes", ["M"]]];

/** A day of a team of forty, as its server would have measured it. */
function sampleHistory(now: number) {
  const wave = (at: number, period: number, shift = 0) =>
    Math.sin(((at + shift) / period) * 2 * Math.PI) / 2 + 0.5;
  const sample = (at: number, seconds: number): number[] => {
    const busy = 0.08 + 0.92 * wave(at, 86_400, 50_000) ** 2 * (0.6 + 0.4 * wave(at, 1700));
    const values: Record<string, number> = {
      at,
      messages: Math.round((busy * (6 + 5 * wave(at, 430)) * seconds) / 60),
      requests: Math.round((busy * (220 + 90 * wave(at, 700)) * seconds) / 60),
      failed_logins: wave(at, 9100) > 0.995 ? 3 : 0,
      send_p50: 1.4 + busy,
      send_p99: 3 + 6 * busy * wave(at, 610),
      poll_p50: 9000 - 6000 * busy,
      poll_p99: 52_000 - 9000 * busy,
      memory_bytes: 96e6 + 40e6 * busy,
      queues: Math.round(6 + 40 * busy),
      online: Math.round(3 + 31 * busy),
      database_bytes: 41e6 + ((at - now + 86_400) / 86_400) * 2.5e6,
      mails_waiting: wave(at, 5200) > 0.9 ? 2 : 0,
      webhooks_waiting: wave(at, 3100) > 0.96 ? 3 : 0,
    };
    return sampleFields.map((field) => values[field] ?? 0);
  };
  const recent = Array.from({ length: 60 }, (_, i) => sample(now - (59 - i) * 5, 5));
  const minutes = Array.from({ length: 1440 }, (_, i) => sample(now - (1439 - i) * 60, 60));
  return { fields: sampleFields, recent, minutes };
}

async function draw(): Promise<void> {
  const sample = await makeSample();
  const socket = `confab-captures-${process.pid}`;
  const tmux = (...args: string[]) =>
    Bun.spawnSync(["tmux", "-u", "-L", socket, "-f", "/dev/null", ...args]).stdout.toString();
  const now = Math.floor(Date.now() / 1000);
  writeFileSync(join(sample.data, "confab.history"), JSON.stringify(sampleHistory(now)));
  await sample.serve();
  const isUp = () =>
    fetch(`${sample.url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  const screen = () => tmux("capture-pane", "-p", "-e", "-N");
  const { columns, rows } = size;
  const begin = async (shade: Shade) => {
    const shell = [
      "env",
      "-u",
      "NO_COLOR",
      "TERM=xterm-256color",
      "COLORTERM=truecolor",
      `COLORFGBG=${shades[shade]}`,
      ...sample.run,
      "console",
      "--data",
      sample.data,
    ];
    for (let i = 0; i < 300 && !(await isUp()); i++) await Bun.sleep(100);
    tmux(
      "new-session",
      "-d",
      "-x",
      String(columns),
      "-y",
      String(rows),
      shell.map((part) => `'${part}'`).join(" "),
    );
    for (let i = 0; i < 200 && !screen().includes("server running"); i++) await Bun.sleep(100);
  };
  const capture = async (wanted: typeof captures, shade: Shade, settleMs: number) => {
    await begin(shade);
    await Bun.sleep(settleMs);
    for (const [name, keys] of wanted) {
      for (const key of keys) {
        tmux("send-keys", "--", key);
        await Bun.sleep(250);
      }
      await Bun.sleep(2500);
      const svg = svgOf(screen(), { ...size, widthOf, shade });
      writeFileSync(join(root, "docs/pictures", `console-${name}-${shade}.svg`), svg);
    }
    tmux("kill-session");
  };
  try {
    for (const path of ["", "/app", "/api/v1/server_settings", "/api/v1/users/me", "/nowhere"])
      for (let i = 0; i < 4; i++) await fetch(`${sample.url}${path}`);
    await capture(captures, "dark", 0);
    await capture(captures, "light", 0);
    await sample.serveAsNode();
    // The rate of the leader is known from the second answer on.
    await capture(nodeCaptures, "dark", 5000);
    await capture(nodeCaptures, "light", 5000);
  } finally {
    Bun.spawnSync(["tmux", "-L", socket, "kill-server"]);
    await sample.close();
  }
}

if (Bun.which("tmux")) await draw();
else console.log("The pictures of the console stay as they are: they need tmux.");

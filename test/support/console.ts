// The console without a terminal: takes input bytes, and returns frames as text.
import { afterEach } from "bun:test";
import { createElement } from "react";
import type { Ctx } from "@/kernel/core/context.ts";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import { openElsewhere } from "../../console/app.tsx";
import { type ChangeForwarder, forwardChangesBy } from "../../console/change.ts";
import { makeChange, titleOf } from "../../console/changes.ts";
import { Frame } from "../../console/components/frame.tsx";
import { themeFor } from "../../console/components/theme.ts";
import { type Controller, openController } from "../../console/controller/controller.ts";
import type { ClickTarget } from "../../console/controller/state.ts";
import { inputTo } from "../../console/input.ts";
import type { RemotePlace } from "../../console/remote/connection.ts";
import type { Screen } from "../../console/screen.ts";
import { screensFor } from "../../console/screens.ts";
import { type ConsoleSession, type Host, openSession, type ScreenSession } from "../../console/session.ts";
import { inputReader } from "../../console/terminal/input.ts";
import { rowsOf } from "../../console/terminal/painter.ts";
import { type InkScreen, openScreen } from "../../console/terminal/screen.tsx";
import { until } from "./waiting.ts";
import type { CastName, World } from "./world.ts";

const sessions: ScreenSession[] = [];
const screens: InkScreen[] = [];

afterEach(async () => {
  for (const screen of screens.splice(0)) screen.close();
  await Promise.all(sessions.splice(0).map((session) => session.close()));
});

const named: Record<string, string> = {
  enter: "\r",
  esc: "\x1b",
  tab: "\t",
  down: "\x1b[B",
  up: "\x1b[A",
  right: "\x1b[C",
  left: "\x1b[D",
  backspace: "\x7f",
  save: "\x13",
};

/** A frame without its styles. */
export function textOf(frame: string): string {
  return rowsOf(frame)
    .map((row) =>
      row
        .map(({ text }) => text)
        .join("")
        .trimEnd(),
    )
    .join("\n");
}

export interface Stage {
  session: ConsoleSession;
  controller: Controller;
  /** Where on the screen the mouse meets this. */
  find(target: ClickTarget): readonly [x: number, y: number];
  /** The texts that were copied to the clipboard, oldest first. */
  copied: readonly string[];
  /** The addresses that were opened in the browser. */
  opened: readonly string[];
  /** Presses keys, by name or as they are. */
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  frame(): string;
  sees(text: string | RegExp): Promise<string>;
}

interface StageOptions {
  columns?: number;
  rows?: number;
  /** Whether the world counts as the running server. */
  isServed?: boolean;
  /** Whether the data folder is that of a cluster's node. */
  isNode?: boolean;
  /** The findings of the doctor. */
  findings?: Finding[];
  /** What the doctor does, instead of finding those. */
  examine?: Host["examine"];
  dataDir?: string;
  hasBrowser?: boolean;
  /** What makes its changes; by default this world, as for a console next to another node. Null makes them directly. */
  forwarder?: ChangeForwarder | null;
}

/** Makes changes here, with arguments and results that went through JSON, as between nodes. */
function inJson(ctx: () => Ctx): ChangeForwarder {
  return async (change, input, picture) => {
    const given: unknown = JSON.parse(JSON.stringify(input));
    const done = await makeChange(ctx(), {
      title: titleOf(change),
      given,
      picture: () => {
        if (!picture) throw new Error("The change reads a picture that the console did not send.");
        return picture;
      },
    });
    return JSON.parse(JSON.stringify(done ?? null));
  };
}

/** The console of a user in this world. */
export function stage(
  { ctx, app, user }: Pick<World, "ctx" | "app" | "user">,
  name: CastName,
  {
    columns = 110,
    rows = 30,
    isServed = false,
    isNode = false,
    findings = [],
    examine = async () => findings,
    dataDir = "/nowhere",
    hasBrowser = false,
    forwarder = inJson(() => ctx(name)),
  }: StageOptions = {},
): Stage {
  if (forwarder) forwardChangesBy(ctx(name), forwarder);
  const send = (async (url: string, init?: RequestInit) => app.fetch(new Request(url, init))) as typeof fetch;
  const host = { dataDir, examine };
  const address = () => (isServed ? app.env.site : null);
  const session = openSession(ctx(name), { who: user(name).email, address, fetch: send, host });
  return { session, ...play(session, screensFor(isNode), { columns, rows, hasBrowser }) };
}

/** Sends requests of this person to a world's server, as a profile does. */
export function requestBy(
  app: World["app"],
  { email, key }: ReturnType<World["user"]>,
): RemotePlace["request"] {
  const authorization = `Basic ${btoa(`${email}:${key}`)}`;
  return async (path, init = {}) => {
    const headers = { ...(init.headers as Record<string, string>), authorization, "user-agent": "confab/1" };
    return app.fetch(new Request(`http://localhost${path}`, { ...init, headers }));
  };
}

/** The console of a user of a server elsewhere, which it asks by `request`. */
export async function stageElsewhere(
  request: RemotePlace["request"],
  {
    columns = 110,
    rows = 30,
    name = "work",
  }: Pick<StageOptions, "columns" | "rows"> & { name?: string } = {},
): Promise<Omit<Stage, "session">> {
  const opened = await openElsewhere({ name, address: "https://chat.example.com", request });
  return play(opened.session, opened.screens, { columns, rows, hasBrowser: false, remark: opened.remark });
}

interface PlayOptions {
  columns: number;
  rows: number;
  hasBrowser: boolean;
  remark?: string | null;
}

function play(
  session: ScreenSession,
  all: readonly Screen[],
  { columns, rows, hasBrowser, remark = null }: PlayOptions,
): Omit<Stage, "session"> {
  sessions.push(session);
  const copied: string[] = [];
  const opened: string[] = [];
  const controller = openController(session, all, {
    copy: (text) => void copied.push(text),
    remark,
    browse: (address) => hasBrowser && opened.push(address) > 0,
  });
  const reader = inputReader();
  const size = { columns, rows };
  const theme = themeFor({});
  let drawn = "";
  const screen = openScreen(
    () => size,
    (text) => {
      drawn = textOf(text);
    },
  );
  screens.push(screen);
  const frame = () => {
    screen.show(theme, createElement(Frame, { controller, organization: "Test Organization", size }));
    return drawn;
  };
  frame();
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      const inputs = reader.push(new TextEncoder().encode(named[key] ?? key));
      for (const input of [...inputs, ...reader.flush()])
        inputTo(controller, input, { size, targetAt: screen.targetAt });
      await Bun.sleep(0);
    }
    frame();
  };
  return {
    controller,
    copied,
    opened,
    find(wanted) {
      for (let i = 0; i < columns * rows; i++) {
        const [x, y] = [i % columns, Math.floor(i / columns)];
        if (Bun.deepEquals(screen.targetAt(x, y), wanted)) return [x, y];
      }
      throw new Error(`There is no ${JSON.stringify(wanted)} on the screen:\n${frame()}`);
    },
    press,
    type: (text) => press(text),
    frame,
    async sees(text) {
      const shows = (now: string) => (typeof text === "string" ? now.includes(text) : text.test(now));
      const seen = () => {
        const now = frame();
        return shows(now) ? now : null;
      };
      return await until(seen, () => `the console shows ${text}:\n${frame()}`);
    },
  };
}

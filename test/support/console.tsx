// The console without a terminal: keys go to its desk, frames come out as text.
import { afterEach } from "bun:test";
import { cleanup, render } from "ink-testing-library";
import { type Desk, openDesk } from "../../console/desk.ts";
import { screens } from "../../console/screens.ts";
import { openSession, type Session } from "../../console/session.ts";
import { Console } from "../../console/views/console.tsx";
import type { CastName, World } from "./world.ts";

const sessions: Session[] = [];

afterEach(async () => {
  cleanup();
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

export interface Stage {
  desk: Desk;
  /** Presses keys, by name or as they are. */
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  frame(): string;
  sees(text: string | RegExp): Promise<string>;
}

interface StageOptions {
  columns?: number;
  rows?: number;
  /** Whether the world acts as the running server. */
  isServed?: boolean;
}

/** The console of a user in this world. */
export function stage(
  { ctx, app, user }: World,
  name: CastName,
  { columns = 100, rows = 30, isServed = false }: StageOptions = {},
): Stage {
  const send = (async (url: string, init?: RequestInit) => app.fetch(new Request(url, init))) as typeof fetch;
  const session = openSession(ctx(name), { who: user(name).email, isServed: () => isServed, fetch: send });
  sessions.push(session);
  const desk = openDesk(session, screens);
  const shown = render(<Console desk={desk} organization={() => "Test Organization"} />);
  Object.defineProperty(shown.stdout, "columns", { value: columns });
  Object.defineProperty(shown.stdout, "rows", { value: rows });
  shown.stdout.emit("resize");
  const frame = () => shown.lastFrame() ?? "";
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      shown.stdin.write(named[key] ?? key);
      await Bun.sleep(key === "esc" ? 60 : 1); // A lone escape might be the beginning of a longer key.
    }
  };
  return {
    desk,
    press,
    type: (text) => press(text),
    frame,
    async sees(text) {
      const end = performance.now() + 30_000;
      for (;;) {
        const now = frame();
        if (typeof text === "string" ? now.includes(text) : text.test(now)) return now;
        if (performance.now() > end) throw new Error(`The console never showed ${text}:\n${now}`);
        await Bun.sleep(5);
      }
    },
  };
}

// The terminal console. Only `confab console` loads it.

import { getOwnUser } from "@/foundation/accounts/queries.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { carryBy } from "./change.ts";
import { openDesk } from "./desk/desk.ts";
import { secretOf } from "./desk/state.ts";
import { frameOf } from "./draw/frame.ts";
import { inputTo } from "./input.ts";
import { toLeader } from "./leader.ts";
import { screensFor } from "./screens.ts";
import { openSession, type SessionOptions } from "./session.ts";
import { openTerminal, type Terminal } from "./terminal/terminal.ts";

/** Runs the console until the operator quits. */
export async function runConsole(ctx: Ctx, around: Omit<SessionOptions, "who">): Promise<void> {
  if (around.request) carryBy(ctx, toLeader(around.request));
  const session = openSession(ctx, { who: addressOf(await getOwnUser(ctx)), ...around });
  let terminal: Terminal | null = null;
  try {
    const desk = openDesk(session, screensFor(around.request !== undefined), {
      copy: (text) => terminal?.copy(text),
    });
    await new Promise<void>((resolve) => {
      const opened = openTerminal({
        stdin: process.stdin,
        stdout: process.stdout,
        env: process.env,
        frame: (size) => frameOf(desk, realmSettings.read(ctx).name, size),
        takesMouse: () => secretOf(desk.state) === null,
        onInput(input) {
          inputTo(desk, input, opened.size);
          if (desk.state.isOver) resolve();
        },
      });
      terminal = opened;
      desk.watch(opened.draw);
    });
  } finally {
    (terminal as Terminal | null)?.close();
    await session.close();
  }
}

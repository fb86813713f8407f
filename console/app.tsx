// The terminal console. Only `confab console` loads it.

import { getOwnUser } from "@/foundation/accounts/queries.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { forwardChangesBy } from "./change.ts";
import { Frame } from "./components/frame.tsx";
import { openController } from "./controller/controller.ts";
import { secretOf } from "./controller/state.ts";
import { inputTo } from "./input.ts";
import { toLeader } from "./leader.ts";
import { screensFor } from "./screens.ts";
import { openSession, type SessionOptions } from "./session.ts";
import { openTerminal, type Terminal } from "./terminal/terminal.ts";

/** Opens an address in the browser of this desktop; false without a desktop, as over SSH. */
function browse(address: string): boolean {
  const { DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = process.env;
  const isMac = process.platform === "darwin";
  const hasDesktop = !SSH_CONNECTION && (isMac || DISPLAY || WAYLAND_DISPLAY);
  const opener = hasDesktop ? Bun.which(isMac ? "open" : "xdg-open") : null;
  if (!opener) return false;
  Bun.spawn([opener, address], { stdio: ["ignore", "ignore", "ignore"] }).unref();
  return true;
}

/** Runs the console until the operator quits. */
export async function runConsole(ctx: Ctx, around: Omit<SessionOptions, "who">): Promise<void> {
  if (around.request) forwardChangesBy(ctx, toLeader(around.request));
  const session = openSession(ctx, { who: addressOf(await getOwnUser(ctx)), ...around });
  let terminal: Terminal | null = null;
  try {
    const controller = openController(session, screensFor(around.request !== undefined), {
      copy: (text) => terminal?.copy(text),
      browse,
    });
    await new Promise<void>((resolve) => {
      const opened = openTerminal({
        stdin: process.stdin,
        stdout: process.stdout,
        env: process.env,
        frame: (size) => (
          <Frame controller={controller} organization={realmSettings.read(ctx).name} size={size} />
        ),
        takesMouse: () => secretOf(controller.state) === null,
        onInput(input) {
          inputTo(controller, input, opened);
          if (controller.state.isOver) resolve();
        },
      });
      terminal = opened;
      controller.watch(opened.draw);
    });
  } finally {
    (terminal as Terminal | null)?.close();
    await session.close();
  }
}

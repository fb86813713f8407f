// The terminal console. Only `confab console` loads it.
import { render } from "ink";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { getOwnUser } from "@/foundation/users/queries.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { openDesk } from "./desk.ts";
import { screens } from "./screens.ts";
import { openSession } from "./session.ts";
import { Console } from "./views/console.tsx";

/** Runs the console until the operator quits. */
export async function runConsole(ctx: Ctx, isServed: () => boolean): Promise<void> {
  const session = openSession(ctx, { who: addressOf(getOwnUser(ctx)), isServed });
  try {
    const desk = openDesk(session, screens);
    const organization = () => realmSettings.read(ctx).name;
    const shown = render(<Console desk={desk} organization={organization} />, {
      alternateScreen: true,
      exitOnCtrlC: false,
      incrementalRendering: true,
      interactive: true,
    });
    await shown.waitUntilExit();
  } finally {
    await session.close();
  }
}

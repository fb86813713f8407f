// Binds the commands' keys, and shows the palette and the list of shortcuts.
import { useEffect } from "react";
import { tinykeys } from "tinykeys";
import { useClient } from "../../api/client.ts";
import { useStore } from "../../lib/observable.ts";
import { useLatest } from "../../lib/use-latest.ts";
import { onDemand } from "../../ui/on-demand.tsx";
import type { Route } from "../../ui/routes/route.ts";
import { isTyping } from "../feed/selection.ts";
import { paletteQuery } from "./palette-open.ts";
import { commands, isPossibleAt } from "./table.ts";

const Palette = onDemand(async () => (await import("./palette.tsx")).Palette);
const ShortcutList = onDemand(async () => (await import("./shortcut-list.tsx")).ShortcutList);

/** Whether a dialog or menu with its own keys is open. */
function isCovered(): boolean {
  const covers = '[aria-modal="true"], [role="menu"], [role="dialog"], [role="listbox"]:not([hidden])';
  return document.querySelector(covers) !== null;
}

export function Shortcuts({ route }: { route: Route }) {
  const client = useClient();
  const query = useStore(paletteQuery);
  const where = useLatest({ client, route });
  useEffect(() => {
    const bindings = commands.flatMap((command) =>
      (command.keys ?? []).map(
        (key) =>
          [
            key,
            (event: KeyboardEvent) => {
              if (event.defaultPrevented || event.isComposing) return;
              if (!command.isGlobal && (isTyping(event.target) || isCovered())) return;
              if (!isPossibleAt(command, where.current)) return;
              // Enter and Space on a button or link are its own.
              if (
                event.key === "Enter" &&
                event.target instanceof Element &&
                event.target.closest("a, button")
              )
                return;
              event.preventDefault();
              command.run(where.current);
            },
          ] as const,
      ),
    );
    return tinykeys(window, Object.fromEntries(bindings));
  }, [where]);
  return (
    <>
      {query === null ? null : <Palette start={query} where={{ client, route }} />}
      {route.view === "shortcuts" ? <ShortcutList /> : null}
    </>
  );
}

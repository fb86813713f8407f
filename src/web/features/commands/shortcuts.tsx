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
import { commands, isPossibleAt, type PaletteCommand } from "./table.ts";

const Palette = onDemand(async () => (await import("./palette.tsx")).Palette);
const ShortcutList = onDemand(async () => (await import("./shortcut-list.tsx")).ShortcutList);

/** Whether a dialog or menu with its own keys is open. */
function isCovered(): boolean {
  const covers = '[aria-modal="true"], [role="menu"], [role="dialog"], [role="listbox"]:not([hidden])';
  return document.querySelector(covers) !== null;
}

/** Whether the command's keys work with the focus there. */
function isHeard({ inFields }: PaletteCommand, target: EventTarget | null): boolean {
  if (inFields === "any") return true;
  if (isCovered()) return false;
  if (!isTyping(target)) return inFields !== "only";
  if (inFields === "only") return target instanceof Element && target.closest("#view") !== null;
  return inFields === "composer" && target instanceof Element && target.matches("[data-composer]");
}

/** Enter and Space on a button or link are its own, and so is what moves within a player. */
function isOwnKey({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (key === "Enter") return target.closest("a, button") !== null;
  if (key === " ")
    return target.closest("button, summary, [role=button]") !== null || target.matches("audio, video");
  return target.matches("audio, video");
}

export function Shortcuts({ route }: { route: Route }) {
  const client = useClient();
  const query = useStore(paletteQuery);
  const where = useLatest({ client, route });
  useEffect(() => {
    const bound = commands.flatMap((command) => (command.keys ?? []).map((key) => ({ key, command })));
    const bindings = [...Map.groupBy(bound, ({ key }) => key)].map(([key, all]) => [
      key,
      (event: KeyboardEvent) => {
        if (event.defaultPrevented || event.isComposing || isOwnKey(event)) return;
        const found = all.find(
          ({ command }) => isHeard(command, event.target) && isPossibleAt(command, where.current),
        );
        if (!found) return;
        event.preventDefault();
        found.command.run(where.current);
      },
    ]);
    return tinykeys(window, Object.fromEntries(bindings));
  }, [where]);
  return (
    <>
      {query === null ? null : <Palette start={query} where={{ client, route }} />}
      {route.view === "shortcuts" ? <ShortcutList /> : null}
    </>
  );
}

// Menus that a button or the pointer opens. What is open is in open-menu.tsx, which is loaded on first use.
import type { Placement } from "@floating-ui/react";
import { cloneElement, type ReactElement, type Ref } from "react";
import type { MenuItem } from "./menu-item.ts";
import { onDemand } from "./on-demand.tsx";
import type { OpenMenuAtProps } from "./open-menu.tsx";
import { useOpener } from "./opener.ts";

const OpenMenu = onDemand(async () => (await import("./open-menu.tsx")).OpenMenu);
const OpenMenuAt = onDemand(async () => (await import("./open-menu.tsx")).OpenMenuAt);

export interface MenuProps {
  label: string;
  items: readonly MenuItem[];
  trigger: ReactElement<Record<string, unknown> & { ref?: Ref<HTMLElement> }>;
  placement?: Placement;
  onOpenChange?: (open: boolean) => void;
}

/** A menu that a button opens. */
export function Menu({ label, items, trigger, placement = "bottom-end", onOpenChange }: MenuProps) {
  const { open, change, button, isByKeyboard, props } = useOpener("menu", { trigger, onOpenChange });
  return (
    <>
      {cloneElement(trigger, props)}
      {open ? (
        <OpenMenu {...{ label, items, placement, button, change }} focusItemOnOpen={isByKeyboard.current} />
      ) : null}
    </>
  );
}

export interface MenuAtProps extends Omit<OpenMenuAtProps, "at"> {
  /** The pointer's position; null closes the menu. */
  at: OpenMenuAtProps["at"] | null;
}

/** A menu at the pointer: for a right click or a long press. */
export function MenuAt({ at, ...menu }: MenuAtProps) {
  return at ? <OpenMenuAt at={at} {...menu} /> : null;
}

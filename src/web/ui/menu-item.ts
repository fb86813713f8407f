import type { LucideIcon } from "lucide-react";

export interface MenuAction {
  label: string;
  icon?: LucideIcon | undefined;
  /** Keys shown at the right, such as "E". */
  keys?: string | undefined;
  danger?: boolean;
  disabled?: boolean;
  /** Makes the row a checkbox, ticked or not. */
  checked?: boolean;
  /** Shows this, a character or the address of a picture, instead of the label, in a row with its neighbours. */
  sign?: { character: string } | { picture: string } | "icon";
  onSelect: () => void;
}

/** A row, a line between groups, or the title of the group that follows. Those with a sign come first. */
export type MenuItem = MenuAction | "line" | { title: string };

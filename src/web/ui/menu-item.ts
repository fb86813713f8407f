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
  onSelect: () => void;
}

/** A row, a line between groups, or the title of the group that follows. */
export type MenuItem = MenuAction | "line" | { title: string };

import type { LucideIcon } from "lucide-react";
import type { ComponentProps, Ref } from "react";
import { classes } from "../lib/classes.ts";
import css from "./button.module.css";

export interface ButtonProps extends ComponentProps<"button"> {
  look?: "primary" | "plain" | "quiet" | "danger";
  size?: "normal" | "small";
  icon?: LucideIcon;
  /** Shows that work is in progress, and disables the button. */
  busy?: boolean;
}

export function Button({
  look = "plain",
  size = "normal",
  icon: Icon,
  busy = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes(css.button, css[look], size === "small" && css.small, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest["aria-disabled"]}
      onClick={busy ? undefined : rest.onClick}
    >
      {Icon ? <Icon className={css.icon} size={16} strokeWidth={1.5} aria-hidden="true" /> : null}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  /** The label for screen readers and the tooltip. */
  label: string;
  icon: LucideIcon;
  /** Keys shown in the tooltip, such as "Ctrl K". */
  keys?: string | undefined;
  size?: "normal" | "small";
  pressed?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({
  label,
  icon: Icon,
  keys,
  size = "normal",
  pressed,
  className,
  ref,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      ref={ref}
      data-tip={label}
      data-keys={keys}
      {...rest}
      aria-label={label}
      aria-pressed={pressed}
      className={classes(css.iconButton, size === "small" && css.smallIcon, className)}
    >
      <Icon size={size === "small" ? 16 : 18} strokeWidth={1.5} aria-hidden="true" />
    </button>
  );
}

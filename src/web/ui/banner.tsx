import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "../lib/classes.ts";
import { t } from "../lib/texts.ts";
import css from "./banner.module.css";
import { IconButton } from "./button.tsx";

export interface BannerProps {
  look?: "info" | "good" | "warn" | "danger";
  children: ReactNode;
  /** Buttons at the end. */
  action?: ReactNode;
  onDismiss?: (() => void) | undefined;
}

const icons: Record<NonNullable<BannerProps["look"]>, LucideIcon> = {
  info: Info,
  good: CircleCheck,
  warn: TriangleAlert,
  danger: CircleAlert,
};

/** A line that stays while its text is true. Only `danger` interrupts screen readers. */
export function Banner({ look = "info", children, action, onDismiss }: BannerProps) {
  const Icon = icons[look];
  return (
    <div className={classes(css.banner, css[look])} role={look === "danger" ? "alert" : "status"}>
      <Icon size={16} strokeWidth={1.5} aria-hidden="true" className={css.icon} />
      <div className={css.text}>{children}</div>
      {action}
      {onDismiss ? <IconButton label={t("Dismiss")} icon={X} size="small" onClick={onDismiss} /> : null}
    </div>
  );
}

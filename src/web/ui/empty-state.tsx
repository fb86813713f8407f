import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import css from "./empty-state.module.css";

export interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** What to do, in one sentence. */
  children?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={css.empty}>
      <Icon size={32} strokeWidth={1.5} aria-hidden="true" className={css.icon} />
      <h2 className={css.title}>{title}</h2>
      {children ? <p className={css.text}>{children}</p> : null}
      {action ? <div className={css.action}>{action}</div> : null}
    </div>
  );
}

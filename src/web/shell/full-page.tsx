import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import css from "./full-page.module.css";

interface FullPageProps {
  title: string;
  /** What happened, and what helps. */
  children: ReactNode;
  actions: ReactNode;
}

/** Says why the client is not shown, in its place. */
export function FullPage({ title, children, actions }: FullPageProps) {
  return (
    <main className={css.page}>
      <CircleAlert size={32} strokeWidth={1.5} aria-hidden="true" className={css.icon} />
      <h1 className={css.title}>{title}</h1>
      <p role="alert" className={css.text}>
        {children}
      </p>
      <div className={css.actions}>{actions}</div>
    </main>
  );
}

// The header of a view: its title, and buttons for all of it.
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../ui/button.tsx";
import { PanelButton } from "./panel-button.tsx";
import { showSidebar } from "./panes.ts";
import css from "./view-head.module.css";

interface HeadProps {
  title: string;
  /** Before the title: an icon, or the channel. */
  lead?: ReactNode;
  /** After the title, if there is room. */
  note?: string | undefined;
  /** Buttons at the end. */
  children?: ReactNode;
}

export function ViewHead({ title, lead, note, children }: HeadProps) {
  return (
    <header className={css.head}>
      <IconButton
        className={css.back}
        label="Back to the list"
        icon={ArrowLeft}
        onClick={() => showSidebar.set(true)}
      />
      <div className={css.names}>
        {lead}
        <h1 className={css.title} dir="auto" data-view-title>
          {title}
        </h1>
      </div>
      {note ? <p className={css.note}>{note}</p> : null}
      <div className={css.tools}>
        {children}
        <PanelButton />
      </div>
    </header>
  );
}

// The header of a view: its title, and buttons for all of it.
import { ArrowLeft, PanelRight } from "lucide-react";
import { createContext, type ReactNode, useContext } from "react";
import { useStore } from "../lib/observable.ts";
import { showPanel, showSidebar, togglePanel } from "../lib/panes.ts";
import { t } from "../lib/texts.ts";
import { IconButton } from "./button.tsx";
import { goTo } from "./routes/navigation.ts";
import css from "./view-head.module.css";

interface HeadProps {
  title: ReactNode;
  /** Before the title: an icon, or the channel. */
  lead?: ReactNode;
  /** After the title, if there is room. */
  note?: string | undefined;
  /** Where the arrow of narrow windows leads; by default to the sidebar. */
  back?: string | undefined;
  /** Buttons at the end. */
  children?: ReactNode;
}

export function ViewHead({ title, lead, note, back, children }: HeadProps) {
  return (
    <header className={css.head}>
      <IconButton
        className={css.back}
        label={t("Back to the list")}
        icon={ArrowLeft}
        onClick={() => (back === undefined ? showSidebar.set(true) : goTo(back))}
      />
      <div className={css.names}>
        {lead}
        <h1 className={css.title} dir="auto" data-view-title>
          {title}
        </h1>
      </div>
      {note ? (
        <p className={css.note} dir="auto">
          {note}
        </p>
      ) : null}
      <div className={css.tools}>
        {children}
        <PanelButton />
      </div>
    </header>
  );
}

/** Whether the view on screen has a panel. */
export const HasPanel = createContext(false);

function PanelButton() {
  const isOpen = useStore(showPanel);
  if (!useContext(HasPanel)) return null;
  return (
    <IconButton
      label={t("People and details")}
      keys="W"
      icon={PanelRight}
      data-panel-button
      aria-expanded={isOpen}
      aria-controls={isOpen ? "panel" : undefined}
      onClick={togglePanel}
    />
  );
}

import { PanelRight } from "lucide-react";
import { createContext, useContext } from "react";
import { useValue } from "../client.ts";
import { IconButton } from "../ui/button.tsx";
import { showPanel, togglePanel } from "./panes.ts";

/** Whether the view on screen has a panel. */
export const HasPanel = createContext(false);

export function PanelButton() {
  const isOpen = useValue(showPanel);
  if (!useContext(HasPanel)) return null;
  return (
    <IconButton
      label="People and details"
      keys="W"
      icon={PanelRight}
      data-panel-button
      aria-expanded={isOpen}
      aria-controls={isOpen ? "panel" : undefined}
      onClick={togglePanel}
    />
  );
}

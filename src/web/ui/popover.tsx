import type { Placement } from "@floating-ui/react";
import { cloneElement, type ReactElement, type Ref } from "react";
import { onDemand } from "./on-demand.tsx";
import type { OpenPopoverProps } from "./open-popover.tsx";
import { useOpener } from "./opener.ts";

const OpenPopover = onDemand(async () => (await import("./open-popover.tsx")).OpenPopover);

export interface PopoverProps {
  /** The name of the popover for screen readers. */
  label: string;
  /** The button that opens it; it gets a ref, handlers and the states for assistive technology. */
  trigger: ReactElement<Record<string, unknown> & { ref?: Ref<HTMLElement> }>;
  children: OpenPopoverProps["children"];
  placement?: Placement;
  onOpenChange?: (open: boolean) => void;
}

/** Opens next to a button, takes the focus, and returns it when closed. On phones it is a sheet at the bottom. */
export function Popover({ label, trigger, children, placement = "bottom-end", onOpenChange }: PopoverProps) {
  const { open, change, button, props } = useOpener("dialog", { trigger, onOpenChange });
  return (
    <>
      {cloneElement(trigger, props)}
      {open ? (
        <OpenPopover label={label} placement={placement} button={button} change={change}>
          {children}
        </OpenPopover>
      ) : null}
    </>
  );
}

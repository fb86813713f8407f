import {
  autoUpdate,
  FloatingFocusManager,
  FloatingPortal,
  flip,
  offset,
  type Placement,
  shift,
  useDismiss,
  useFloating,
  useInteractions,
  useRole,
} from "@floating-ui/react";
import type { ReactNode, RefObject } from "react";
import { useLeaving } from "../lib/leaving.ts";
import { fitting } from "./placement.ts";
import css from "./popover.module.css";

export interface OpenPopoverProps {
  label: string;
  children: ReactNode | ((close: () => void) => ReactNode);
  placement: Placement;
  button: RefObject<HTMLElement | null>;
  change: (open: boolean) => void;
}

export function OpenPopover({ label, children, placement, button, change }: OpenPopoverProps) {
  useLeaving(() => change(false));
  const { refs, floatingStyles, context } = useFloating({
    open: true,
    elements: { reference: button.current },
    onOpenChange: change,
    placement,
    strategy: "fixed",
    whileElementsMounted: autoUpdate,
    middleware: [offset(6), flip({ padding: 8 }), shift({ padding: 8 }), fitting()],
  });
  const { getFloatingProps } = useInteractions([useDismiss(context), useRole(context, { role: "dialog" })]);
  return (
    <FloatingPortal>
      <FloatingFocusManager context={context} modal={false}>
        <div
          ref={refs.setFloating}
          style={floatingStyles}
          className={css.popover}
          {...getFloatingProps({ "aria-label": label, "aria-labelledby": undefined } as object)}
        >
          {typeof children === "function" ? children(() => change(false)) : children}
        </div>
      </FloatingFocusManager>
    </FloatingPortal>
  );
}

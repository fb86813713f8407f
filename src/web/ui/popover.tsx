import {
  autoUpdate,
  FloatingFocusManager,
  FloatingPortal,
  flip,
  offset,
  type Placement,
  shift,
  size,
  useDismiss,
  useFloating,
  useInteractions,
  useRole,
} from "@floating-ui/react";
import { cloneElement, type ReactElement, type ReactNode, type Ref, type RefObject } from "react";
import { useLeaving } from "../lib/leaving.ts";
import { language } from "../lib/texts.ts";
import { useOpener } from "./opener.ts";
import css from "./popover.module.css";

export interface PopoverProps {
  /** The name of the popover for screen readers. */
  label: string;
  /** The button that opens it; it gets a ref, handlers and the states for assistive technology. */
  trigger: ReactElement<Record<string, unknown> & { ref?: Ref<HTMLElement> }>;
  children: ReactNode | ((close: () => void) => ReactNode);
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

interface OpenProps extends Pick<PopoverProps, "label" | "children"> {
  placement: Placement;
  button: RefObject<HTMLElement | null>;
  change: (open: boolean) => void;
}

function OpenPopover({ label, children, placement, button, change }: OpenProps) {
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

/** Where lines of text end. */
export const beside: Placement = language.dir === "rtl" ? "left-start" : "right-start";

/** Keeps a floating element within the window; it scrolls inside. */
export function fitting() {
  return size({
    padding: 8,
    apply: ({ availableHeight, elements }) => {
      elements.floating.style.maxHeight = `${Math.max(160, availableHeight)}px`;
    },
  });
}

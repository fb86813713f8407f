import {
  FloatingFocusManager,
  FloatingOverlay,
  FloatingPortal,
  useDismiss,
  useFloating,
  useInteractions,
  useRole,
} from "@floating-ui/react";
import { X } from "lucide-react";
import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useState } from "react";
import { classes } from "../lib/classes.ts";
import { useLeaving } from "../lib/leaving.ts";
import { t } from "../lib/texts.ts";
import { Button, IconButton } from "./button.tsx";
import css from "./dialog.module.css";

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Buttons at the bottom. */
  actions?: ReactNode;
  width?: "small" | "normal" | "wide";
  /** Gets the focus first; by default the first field or button. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Makes the dialog a form. */
  onSubmit?: () => void;
}

/** The dialogs that are open, the newest last. */
const stack: object[] = [];

/** Whether no newer dialog is open: what closes that one must not close this one, too. */
function useTop(): () => boolean {
  const [self] = useState(() => ({}));
  useEffect(() => {
    stack.push(self);
    return () => void stack.splice(stack.indexOf(self), 1);
  }, [self]);
  return () => stack.at(-1) === self;
}

/** What scrolls and has nothing to focus gets the focus itself, so that the keyboard scrolls it; also once more has come. */
function reachByKeys(body: HTMLElement | null): (() => void) | undefined {
  if (!body) return;
  const look = () => {
    const isReached = body.querySelector("a, button, input, select, textarea, [tabindex]") !== null;
    if (body.scrollHeight > body.clientHeight && !isReached) body.tabIndex = 0;
    else body.removeAttribute("tabindex");
  };
  look();
  const changes = new MutationObserver(look);
  changes.observe(body, { childList: true, subtree: true });
  return () => changes.disconnect();
}

/** Keeps the focus inside while mounted, and restores it afterwards. Escape, a click outside and leaving the view close the dialog. */
export function Dialog({
  title,
  onClose,
  children,
  actions,
  width = "normal",
  initialFocus,
  onSubmit,
}: DialogProps) {
  const heading = useId();
  useLeaving(onClose);
  const isTop = useTop();
  const { refs, context } = useFloating({
    open: true,
    onOpenChange: (open) => !open && isTop() && onClose(),
  });
  const { getFloatingProps } = useInteractions([
    useDismiss(context, { outsidePressEvent: "mousedown" }),
    useRole(context, { role: "dialog" }),
  ]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  const body = (
    <>
      <h2 id={heading} className={css.head}>
        {title}
      </h2>
      <div ref={reachByKeys} className={css.body}>
        {children}
      </div>
      {actions ? <div className={css.actions}>{actions}</div> : null}
      {/* Last, so that the first field gets the focus. */}
      <IconButton className={css.close} label={t("Close")} icon={X} size="small" onClick={onClose} />
    </>
  );

  return (
    <FloatingPortal>
      <FloatingOverlay className={css.overlay} lockScroll>
        <FloatingFocusManager context={context} initialFocus={initialFocus ?? 0} outsideElementsInert>
          <div
            ref={refs.setFloating}
            className={classes(css.dialog, css[width])}
            {...getFloatingProps({ "aria-modal": true, "aria-labelledby": heading } as object)}
          >
            {onSubmit ? (
              <form className={css.form} onSubmit={submit} noValidate>
                {body}
              </form>
            ) : (
              body
            )}
          </div>
        </FloatingFocusManager>
      </FloatingOverlay>
    </FloatingPortal>
  );
}

export interface ConfirmProps {
  title: string;
  children: ReactNode;
  /** The label of the confirming button: a verb, such as "Delete". */
  action: string;
  danger?: boolean;
  width?: DialogProps["width"];
  /** If it returns a promise, that is waited for. */
  onConfirm: () => unknown;
  onClose: () => void;
}

/** Asks for confirmation. If `onConfirm` fails, stays open and shows the error. */
export function Confirm({
  title,
  children,
  action,
  danger = false,
  width = "small",
  onConfirm,
  onClose,
}: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const confirm = async () => {
    setBusy(true);
    setProblem("");
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      width={width}
      onClose={onClose}
      onSubmit={() => void confirm()}
      actions={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look={danger ? "danger" : "primary"} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {problem ? (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      ) : null}
    </Dialog>
  );
}

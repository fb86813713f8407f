// Short notices at the bottom of the page. Any code may show one: `showToast({ text: "Link copied" })`.
import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { reasonOf } from "../api/request.ts";
import { classes } from "../lib/classes.ts";
import { t } from "../lib/texts.ts";
import { Button, IconButton } from "./button.tsx";
import css from "./toasts.module.css";

export interface Toast {
  text: string;
  look?: "plain" | "danger";
  action?: { label: string; run: () => void };
  /** How long it stays; errors stay until they are dismissed. */
  milliseconds?: number;
}

interface Shown extends Toast {
  id: number;
}

const maxShown = 3;
let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a notice; returns a function that removes it. */
export function showToast(toast: Toast): () => void {
  const id = ++lastId;
  set(limitToasts([...shown, { ...toast, id }]));
  const stay = toast.milliseconds ?? (toast.look === "danger" ? null : toast.action ? 8000 : 4000);
  if (stay !== null) setTimeout(() => dismiss(id), stay);
  return () => dismiss(id);
}

/** Drops the oldest of too many, but none with an Undo, which leaves by itself. Errors with an action stay until they are dismissed. */
function limitToasts(toasts: readonly Shown[]): readonly Shown[] {
  const isUndo = ({ action, look }: Toast) => action !== undefined && look !== "danger";
  let excess = toasts.length - maxShown;
  return toasts.filter((toast, i) => isUndo(toast) || i === toasts.length - 1 || excess-- <= 0);
}

function dismiss(id: number): void {
  if (shown.some((toast) => toast.id === id)) set(shown.filter((toast) => toast.id !== id));
}

function set(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Mount it once. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return createPortal(
    <section className={css.toasts} aria-label={t("Notices")} aria-live="polite">
      {toasts.map(({ id, text, look, action }) => (
        <div
          key={id}
          className={classes(css.toast, look === "danger" && css.danger)}
          role={look === "danger" ? "alert" : undefined}
        >
          <span className={css.text}>{text}</span>
          {action ? (
            <Button
              size="small"
              look="quiet"
              className={css.action}
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          ) : null}
          <IconButton
            label={t("Dismiss")}
            icon={X}
            size="small"
            className={css.action}
            onClick={() => dismiss(id)}
          />
        </div>
      ))}
    </section>,
    document.body,
  );
}

/** Shows the error of something that the person asked for, where no field or dialog shows it. */
export function showFailure(error: unknown): void {
  showToast({ text: reasonOf(error), look: "danger" });
}

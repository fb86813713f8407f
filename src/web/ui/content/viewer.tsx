import {
  FloatingFocusManager,
  FloatingOverlay,
  FloatingPortal,
  useDismiss,
  useFloating,
  useInteractions,
  useRole,
} from "@floating-ui/react";
import { ChevronLeft, ChevronRight, Download, ExternalLink, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { useLeaving } from "../../lib/leaving.ts";
import { IconButton } from "../button.tsx";
import type { MediaItem } from "./behaviours.ts";
import css from "./viewer.module.css";

interface ViewerProps {
  items: readonly MediaItem[];
  at: number;
  onMove: (at: number) => void;
  onClose: () => void;
}

/** A picture or video over the page. Arrow keys show the next; a click on a picture shows it in full size. */
export function Viewer({ items, at, onMove, onClose }: ViewerProps) {
  const [isActualSize, setActualSize] = useState(false);
  useLeaving(onClose);
  const { refs, context } = useFloating({ open: true, onOpenChange: (open) => !open && onClose() });
  const { getFloatingProps } = useInteractions([
    useDismiss(context, { outsidePress: false }),
    useRole(context, { role: "dialog" }),
  ]);
  const item = items[at];
  if (!item) return null;
  const move = (by: number) => {
    const next = at + by;
    if (next < 0 || next >= items.length) return;
    setActualSize(false);
    onMove(next);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "ArrowRight") move(1);
    if (key === "ArrowLeft") move(-1);
  };
  const label = `${item.title}, ${at + 1} of ${items.length}`;
  return (
    <FloatingPortal>
      <FloatingOverlay lockScroll className={css.overlay}>
        <FloatingFocusManager context={context} outsideElementsInert>
          <div
            ref={refs.setFloating}
            className={css.viewer}
            {...getFloatingProps({ onKeyDown, "aria-label": label, "aria-modal": true } as object)}
          >
            <div className={css.bar}>
              <p className={css.title}>{item.title}</p>
              {items.length > 1 ? (
                <>
                  <IconButton
                    label="Previous"
                    icon={ChevronLeft}
                    disabled={at === 0}
                    onClick={() => move(-1)}
                  />
                  <span className={css.count}>
                    {at + 1} / {items.length}
                  </span>
                  <IconButton
                    label="Next"
                    icon={ChevronRight}
                    disabled={at === items.length - 1}
                    onClick={() => move(1)}
                  />
                </>
              ) : null}
              <a className={css.link} href={item.href} download aria-label="Download" data-tip="Download">
                <Download size={18} strokeWidth={1.5} aria-hidden="true" />
              </a>
              <a
                className={css.link}
                href={item.href}
                target="_blank"
                rel="noopener noreferrer"
                aria-label="Open in a new tab"
                data-tip="Open in a new tab"
              >
                <ExternalLink size={18} strokeWidth={1.5} aria-hidden="true" />
              </a>
              <IconButton label="Close" icon={X} keys="Esc" onClick={onClose} />
            </div>
            <div className={classes(css.stage, isActualSize && css.actual)}>
              {item.kind === "video" ? (
                <video key={item.href} src={item.href} controls autoPlay className={css.media}>
                  <track kind="captions" />
                </video>
              ) : (
                <button
                  type="button"
                  className={css.picture}
                  aria-label={isActualSize ? "Fit to the window" : "Show in its own size"}
                  onClick={() => setActualSize(!isActualSize)}
                >
                  <img key={item.href} src={item.href} alt={item.title} className={css.media} />
                </button>
              )}
            </div>
          </div>
        </FloatingFocusManager>
      </FloatingOverlay>
    </FloatingPortal>
  );
}

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
import { formatKeys } from "../../lib/keys.ts";
import { useLeaving } from "../../lib/leaving.ts";
import { language, t } from "../../lib/texts.ts";
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
    const right = language.dir === "rtl" ? -1 : 1;
    if (key === "ArrowRight") move(right);
    if (key === "ArrowLeft") move(-right);
  };
  const label = t("{title}, {number} of {count}", {
    title: item.title,
    number: String(at + 1),
    count: String(items.length),
  });
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
                    label={t("Previous")}
                    icon={ChevronLeft}
                    disabled={at === 0}
                    onClick={() => move(-1)}
                  />
                  <span className={css.count}>
                    {at + 1} / {items.length}
                  </span>
                  <IconButton
                    label={t("Next")}
                    icon={ChevronRight}
                    disabled={at === items.length - 1}
                    onClick={() => move(1)}
                  />
                </>
              ) : null}
              <a
                className={css.link}
                href={item.src}
                download
                aria-label={t("Download")}
                data-tip={t("Download")}
              >
                <Download size={18} strokeWidth={1.5} aria-hidden="true" />
              </a>
              <a
                className={css.link}
                href={item.href}
                target="_blank"
                rel="noopener noreferrer"
                aria-label={t("Open in a new tab")}
                data-tip={t("Open in a new tab")}
              >
                <ExternalLink size={18} strokeWidth={1.5} aria-hidden="true" />
              </a>
              <IconButton label={t("Close")} icon={X} keys={formatKeys("Escape")} onClick={onClose} />
            </div>
            <div className={classes(css.stage, isActualSize && css.actual)}>
              {item.kind === "video" ? (
                <video key={item.src} src={item.src} controls autoPlay className={css.media}>
                  <track kind="captions" />
                </video>
              ) : (
                <button
                  type="button"
                  className={css.picture}
                  aria-label={isActualSize ? t("Fit to the window") : t("Show in its own size")}
                  onClick={() => setActualSize(!isActualSize)}
                >
                  <img key={item.src} src={item.src} alt={item.title} className={css.media} />
                </button>
              )}
            </div>
          </div>
        </FloatingFocusManager>
      </FloatingOverlay>
    </FloatingPortal>
  );
}

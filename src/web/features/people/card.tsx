import {
  autoUpdate,
  FloatingFocusManager,
  FloatingPortal,
  flip,
  offset,
  shift,
  useDismiss,
  useFloating,
  useInteractions,
  useRole,
} from "@floating-ui/react";
import { useLayoutEffect } from "react";
import { useLeaving } from "../../lib/leaving.ts";
import { t } from "../../lib/texts.ts";
import { beside, fitting } from "../../ui/placement.ts";
import css from "./cards.module.css";
import { GroupCard } from "./group-card.tsx";
import { PersonCard } from "./person-card.tsx";
import type { CardOf } from "./showing.ts";

export interface CardProps {
  card: CardOf;
  onClose: () => void;
}

/** The card of a person or group, next to the clicked element. */
export function Card({ card, onClose }: CardProps) {
  useLeaving(onClose);
  const { refs, floatingStyles, context } = useFloating({
    open: true,
    onOpenChange: (open) => !open && onClose(),
    placement: beside,
    strategy: "fixed",
    whileElementsMounted: autoUpdate,
    middleware: [
      offset(8),
      flip({ padding: 8, fallbackAxisSideDirection: "end" }),
      shift({ padding: 8 }),
      fitting(),
    ],
  });
  useLayoutEffect(() => {
    refs.setReference(card.anchor);
  }, [refs, card.anchor]);
  const { getFloatingProps } = useInteractions([useDismiss(context), useRole(context, { role: "dialog" })]);
  return (
    <FloatingPortal>
      <FloatingFocusManager context={context} modal={false}>
        <div
          ref={refs.setFloating}
          style={floatingStyles}
          className={css.card}
          {...getFloatingProps({ "aria-label": "userId" in card ? t("Person") : t("Group") } as object)}
        >
          {"userId" in card ? (
            <PersonCard userId={card.userId} onClose={onClose} />
          ) : (
            <GroupCard groupId={card.groupId} onClose={onClose} />
          )}
        </div>
      </FloatingFocusManager>
    </FloatingPortal>
  );
}

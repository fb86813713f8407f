// Cards of people and groups, next to the clicked element. Their code is fetched when it is first needed.

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
import { lazy, Suspense, useLayoutEffect } from "react";
import { useLeaving } from "../../lib/leaving.ts";
import { useStore } from "../../lib/observable.ts";
import { t } from "../../lib/texts.ts";
import { beside, fitting } from "../../ui/popover.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import css from "./cards.module.css";
import { type CardOf, shownCard } from "./showing.ts";

const PersonCard = lazy(() =>
  import("./person-card.tsx").then(({ PersonCard: card }) => ({ default: card })),
);
const GroupCard = lazy(() => import("./group-card.tsx").then(({ GroupCard: card }) => ({ default: card })));
const TwoStepReset = lazy(() =>
  import("./two-step-reset.tsx").then(({ TwoStepReset: dialog }) => ({ default: dialog })),
);

/** Mount it once. */
export function Cards() {
  const card = useStore(shownCard);
  const close = () => shownCard.set(null);
  if (!card) return null;
  if (!("twoStepOf" in card)) return <Card card={card} onClose={close} />;
  return (
    <Suspense fallback={null}>
      <TwoStepReset userId={card.twoStepOf} onClose={close} />
    </Suspense>
  );
}

function Card({ card, onClose }: { card: CardOf; onClose: () => void }) {
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
          <Suspense fallback={<CardSkeleton />}>
            {"userId" in card ? (
              <PersonCard userId={card.userId} onClose={onClose} />
            ) : (
              <GroupCard groupId={card.groupId} onClose={onClose} />
            )}
          </Suspense>
        </div>
      </FloatingFocusManager>
    </FloatingPortal>
  );
}

function CardSkeleton() {
  return (
    <div className={css.waiting} aria-busy="true">
      <Skeleton avatar lines={4} />
    </div>
  );
}

// Cards of people and groups, and what follows from them.
import { useStore } from "../../lib/observable.ts";
import { onDemand } from "../../ui/on-demand.tsx";
import { shownCard } from "./showing.ts";

const Card = onDemand(async () => (await import("./card.tsx")).Card);
const TwoStepReset = onDemand(async () => (await import("./two-step-reset.tsx")).TwoStepReset);

/** Mount it once. */
export function Cards() {
  const card = useStore(shownCard);
  const close = () => shownCard.set(null);
  if (!card) return null;
  if ("twoStepOf" in card) return <TwoStepReset userId={card.twoStepOf} onClose={close} />;
  return <Card card={card} onClose={close} />;
}

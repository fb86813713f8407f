import { sameList, useSelect } from "../../api/client.ts";
import type { Place } from "../../state/message-shape.ts";
import { placeKey } from "../../state/places.ts";
import { nameOf } from "../../state/selectors.ts";
import css from "./composer.module.css";

/** Shows who is typing. Keeps its space while nobody is, so that nothing moves. */
export function TypingLine({ place }: { place: Place }) {
  const key = placeKey(place);
  const names = useSelect(
    (state) =>
      state.typing
        .filter((one) => one.place === key && one.user_id !== state.self.user_id)
        .map(({ user_id }) => nameOf(state, user_id)),
    sameList,
  );
  return (
    <p className={css.typing} aria-live="polite">
      {spoken(names)}
    </p>
  );
}

function spoken(names: readonly string[]): string {
  const [first = "", second = ""] = names;
  if (names.length === 0) return "";
  if (names.length === 1) return `${first} is writing …`;
  if (names.length === 2) return `${first} and ${second} are writing …`;
  return "Several people are writing …";
}

// Old links name channels where newer ones have their IDs: `#narrow/stream/launch/topic/countdown`.
import type { State } from "../../state/shape.ts";
import type { Route } from "./route.ts";

/** The same route with the IDs of the channels that it names, as far as the person knows them. */
export function withChannelIds(route: Route, { streams, subscriptions }: State): Route {
  if (route.view !== "messages") return route;
  const isNamed = (operator: string, operand: string) => operator === "channel" && !/^\d+$/.test(operand);
  if (!route.terms.some(({ operator, operand }) => isNamed(operator, operand))) return route;
  const known = Object.values({ ...streams, ...subscriptions });
  const idOf = (name: string) =>
    known.find((one) => one.name.toLowerCase() === name.toLowerCase())?.stream_id;
  const terms = route.terms.map((term) =>
    isNamed(term.operator, term.operand)
      ? { ...term, operand: String(idOf(term.operand) ?? term.operand) }
      : term,
  );
  return { ...route, terms };
}

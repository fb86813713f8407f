// Going to places and back.
import type { Jump } from "../screen.ts";
import { load } from "./rows.ts";
import { freshPosition, type Inside, positionOf, screenOf } from "./state.ts";

/** Shows a screen as a whole. */
export function show(inside: Inside, at: number): void {
  leaveTrail(inside.state, inside.state.trail.length);
  arrive(inside, at, null);
}

/** Drops the last steps, and gives each screen back the position that going there replaced: its filter, order and selection. */
function leaveTrail(state: Inside["state"], steps: number): void {
  let { at } = state;
  for (const place of state.trail.splice(-steps).reverse()) {
    state.positions[at] = place.replaced;
    state.positions[place.at] = place.position;
    at = place.at;
  }
}

function arrive(inside: Inside, at: number, scope: Inside["state"]["scope"]): void {
  const { state, session } = inside;
  const isElsewhere = state.at !== at || state.scope?.id !== scope?.id;
  state.at = at;
  state.scope = scope;
  state.layers = [];
  state.filtering = null;
  state.notice = null;
  if (isElsewhere) positionOf(state).marks.clear();
  screenOf(state).start?.(session, scope);
  load(inside);
}

/** Goes to a place; back leads from there to here. */
export function go(inside: Inside, jump: Jump): void {
  const { state, session } = inside;
  const { to, scope = null, select, opens = false, filter = "", chosen = {} } = jump;
  const at = state.screens.findIndex(({ title }) => title === to);
  if (at < 0) throw new Error(`There is no screen named ${to}.`);
  const layers = state.layers.filter(({ kind }) => kind === "details");
  const replaced = state.positions[at] ?? freshPosition();
  state.trail.push({ at: state.at, scope: state.scope, position: positionOf(state), layers, replaced });
  const wanted = select === undefined ? null : { id: select, opens };
  state.positions[at] = { ...freshPosition(), filter, wanted };
  for (const [name, text] of Object.entries(chosen)) session.chosen.set(name, text);
  arrive(inside, at, scope);
  if (positionOf(state).wanted && state.rows.length > 0 && (state.coming?.isWhole ?? true))
    state.notice = { text: "It is not listed here, or not any more.", tone: "plain" };
}

/** Goes back by this many steps, if there are that many. */
export function back(inside: Inside, steps = 1): boolean {
  const { state } = inside;
  const place = state.trail.at(-steps);
  if (!place) return false;
  leaveTrail(state, steps);
  arrive(inside, place.at, place.scope);
  state.layers = place.layers;
  return true;
}

// Going to places and back.
import type { Jump } from "../screen.ts";
import { load, note } from "./rows.ts";
import { freshPosition, type Inside, positionOf, screenOf } from "./state.ts";

/** Shows a screen as a whole. */
export function show(inside: Inside, at: number): void {
  const { state } = inside;
  state.trail = [];
  arrive(inside, at, null);
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
export function go(inside: Inside, { to, scope = null, select, opens = false, filter = "" }: Jump): void {
  const { state } = inside;
  const at = state.screens.findIndex(({ title }) => title === to);
  if (at < 0) throw new Error(`There is no screen named ${to}.`);
  const layers = state.layers.filter(({ kind }) => kind === "details");
  state.trail.push({ at: state.at, scope: state.scope, position: positionOf(state), layers });
  state.positions[at] = { ...freshPosition(), filter, selected: select ?? null };
  arrive(inside, at, scope);
  if (select === undefined) return;
  const index = state.rows.findIndex((row) => screenOf(state).id(row) === select);
  if (index < 0) return;
  positionOf(state).index = index;
  note(state);
  if (opens && screenOf(state).facts) state.layers.push({ kind: "details", id: select, top: 0 });
}

/** Goes back by this many steps, if there are that many. */
export function back(inside: Inside, steps = 1): boolean {
  const { state } = inside;
  const place = state.trail.at(-steps);
  if (!place) return false;
  state.trail.splice(-steps);
  state.positions[place.at] = place.position;
  arrive(inside, place.at, place.scope);
  state.layers = place.layers;
  return true;
}

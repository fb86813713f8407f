// The first line: the path to what is open, the server, and the operator.
import { Box } from "ink";
import { memo } from "react";
import type { Controller } from "../controller/controller.ts";
import { type ControllerState, nameOfRow, rowOf, screenOf } from "../controller/state.ts";
import { cut, sanitize, type Tone, widthOf } from "../layout.ts";
import { Bar, Words } from "./words.tsx";
import { Zone } from "./zone.tsx";

interface HeaderProps {
  controller: Controller;
  organization: string;
  columns: number;
}

export function Header({ controller: { session, state }, organization, columns }: HeaderProps) {
  const { text, tone } = session.status;
  const status = cut(sanitize(text), Math.max(24, columns - 50));
  const who = cut(sanitize(session.who), columns < 100 ? 24 : 40);
  const room = Math.max(10, columns - widthOf(status) - widthOf(who) - 16);
  return (
    <Bar columns={columns}>
      <Box flexShrink={0} paddingLeft={1} paddingRight={2}>
        <Words line={[{ text: "Confab", tone: "title", back: "bar" }]} />
      </Box>
      <Path state={state} organization={cut(sanitize(organization), 30)} room={room} />
      <Box flexGrow={1} />
      <Box flexShrink={0} paddingLeft={1} paddingRight={1} columnGap={3}>
        <Words line={[{ text: status, tone, back: "bar" }]} />
        <Words line={[{ text: who, tone: "dim", back: "bar" }]} />
      </Box>
    </Bar>
  );
}

const [leastStep, widestStep] = [8, 28];

/** The path from the organization to what is open; a click on a part leads back to it. */
function Path({ state, organization, room }: { state: ControllerState; organization: string; room: number }) {
  const { trail, at, scope, layers } = state;
  const top = layers.findLast(({ kind }) => kind === "details");
  const row = top?.kind === "details" ? rowOf(state, top.id) : undefined;
  const names = [
    organization,
    ...trail.map((place) => titleOf(state, place.at, place.scope?.name)),
    titleOf(state, at, scope?.name),
    ...(row === undefined ? [] : [sanitize(nameOfRow(screenOf(state), row))]),
  ].map((name) => cut(name, widestStep));
  // Where the path is too long, its beginning goes; what is open is shortened for the name of its screen.
  let left = 0;
  const lengthFrom = (from: number) => names.slice(from).reduce((sum, name) => sum + widthOf(name) + 3, -3);
  while (left < names.length - 2 && lengthFrom(left) > room) left++;
  const last = names.length - 1;
  const over = lengthFrom(left) - room;
  if (over > 0) names[last] = cut(names[last] ?? "", Math.max(leastStep, widthOf(names[last] ?? "") - over));
  while (left < last && lengthFrom(left) > room) left++;
  return [...names.entries()].slice(left).map(([i, name]) => {
    const tone = i === 0 ? "accent" : i === names.length - 1 ? "title" : "dim";
    const back = i === 0 ? 0 : trail.length + 1 - i;
    return <Step key={i} name={cut(name, room)} tone={tone} isFirst={i === left} back={back} />;
  });
}

interface StepProps {
  name: string;
  tone: Tone;
  isFirst: boolean;
  /** How many steps a click goes back. */
  back: number;
}

const Step = memo(({ name, tone, isFirst, back }: StepProps) => (
  <Box flexShrink={0}>
    {!isFirst && <Words line={[{ text: " › ", tone: "faint", back: "bar" }]} />}
    <Zone at={() => (back > 0 ? { kind: "back", steps: back } : null)}>
      <Words line={[{ text: name, tone, back: "bar" }]} />
    </Zone>
  </Box>
));

function titleOf({ screens }: ControllerState, at: number, scope: string | undefined): string {
  const title = screens[at]?.title ?? "";
  return scope === undefined ? title : `${title} of ${sanitize(scope)}`;
}

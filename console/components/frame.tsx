// The whole screen: path, screens, list and details, question, keys.
import { Box } from "ink";
import type { Controller } from "../controller/controller.ts";
import { findSelectedRow, type Layer, positionOf, screenOf, secretOf } from "../controller/state.ts";
import { isTooSmall, leastSize, type Size, wrapLines } from "../layout.ts";
import { Details } from "./details.tsx";
import { Finder } from "./finder.tsx";
import { Form } from "./form.tsx";
import { Header } from "./header.tsx";
import { Help } from "./help.tsx";
import { Hints } from "./hints.tsx";
import { List } from "./list.tsx";
import { type Area, within } from "./panel.tsx";
import { Picker } from "./picker.tsx";
import { Question, questionLines } from "./question.tsx";
import { Secret } from "./secret.tsx";
import { Sidebar } from "./sidebar.tsx";
import { Lines } from "./words.tsx";

interface FrameProps {
  controller: Controller;
  organization: string;
  size: Size;
}

export function Frame({ controller, organization, size }: FrameProps) {
  const { columns, rows } = size;
  const { state } = controller;
  if (isTooSmall(size)) return <TooSmall columns={columns} />;
  const secret = secretOf(state);
  const question = questionLines(state, columns);
  const height = rows - 2 - question.length;
  const side = secret || columns < 76 ? 0 : columns < 120 ? 18 : 21;
  const width = columns - side;
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Header controller={controller} organization={organization} columns={columns} />
      <Box height={height} flexShrink={0}>
        {side > 0 && <Sidebar screens={state.screens} at={state.at} width={side} height={height} />}
        {secret ? (
          <Secret layer={secret} width={width} height={height} />
        ) : (
          <Main controller={controller} width={width} height={height} />
        )}
      </Box>
      <Question lines={question} />
      <Hints controller={controller} columns={columns} />
    </Box>
  );
}

function TooSmall({ columns }: { columns: number }) {
  const text = `Please make this window at least ${leastSize.columns} columns wide and ${leastSize.rows} lines high, or leave with Ctrl+C.`;
  return <Lines lines={wrapLines(text, columns)} />;
}

interface MainProps extends Area {
  controller: Controller;
}

/** List and details next to each other, or instead of them the layer on top; the finder is over them. */
function Main({ controller, ...area }: MainProps) {
  const { state, session } = controller;
  const screen = screenOf(state);
  state.isWide = area.width >= 96 && screen.facts !== undefined;
  const finder = state.layers.at(-1);
  const layer = state.layers.findLast(({ kind }) => kind !== "ask" && kind !== "leave" && kind !== "finder");
  const row = findSelectedRow(state);
  const isSplit = state.isWide && layer?.kind !== "help" && (layer !== undefined || row !== undefined);
  const left = isSplit ? Math.floor(area.width * shareOf(screen.listShare, layer)) : area.width;
  const right = { ...area, width: isSplit ? area.width - left : area.width };
  return (
    <Box {...area} flexShrink={0}>
      {(isSplit || !layer) && (
        <List state={state} session={session} width={left} height={area.height} isFocused={!layer} />
      )}
      {layer ? (
        <LayerPanel controller={controller} layer={layer} {...right} />
      ) : (
        isSplit && (
          <Details
            state={state}
            session={session}
            id={screen.id(row)}
            position={positionOf(state).details}
            isFocused={false}
            {...right}
          />
        )
      )}
      {finder?.kind === "finder" && <Finder layer={finder} {...area} />}
    </Box>
  );
}

/** The list's part of the width. Forms need more room than details. */
function shareOf(share = 0.62, layer: Layer | undefined): number {
  return layer && layer.kind !== "details" ? Math.min(share, 0.55) : share;
}

function LayerPanel({ controller, layer, ...area }: MainProps & { layer: Layer }) {
  const { state, session } = controller;
  if (layer.kind === "help") return <Help state={state} layer={layer} {...area} />;
  if (layer.kind === "form") return <Form filling={layer.filling} ctx={session.ctx()} {...area} />;
  if (layer.kind === "picker") return <Picker state={state} layer={layer} ctx={session.ctx()} {...area} />;
  if (layer.kind !== "details") return null;
  state.page = within(area).height;
  return <Details state={state} session={session} id={layer.id} position={layer} isFocused {...area} />;
}

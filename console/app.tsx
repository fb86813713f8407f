// The terminal console. Only `confab console` loads it.

import { getOwnUser } from "@/foundation/accounts/queries.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { forwardChangesBy } from "./change.ts";
import { Frame } from "./components/frame.tsx";
import { type Controller, openController } from "./controller/controller.ts";
import { secretOf } from "./controller/state.ts";
import { inputTo } from "./input.ts";
import { toLeader } from "./leader.ts";
import { connectionTo, type RemotePlace } from "./remote/connection.ts";
import { welcome } from "./remote/schema.ts";
import { remoteScreens } from "./remote/screens.ts";
import { openRemoteSession } from "./remote/session.ts";
import type { Screen } from "./screen.ts";
import { screensFor } from "./screens.ts";
import { openSession, type ScreenSession, type SessionOptions } from "./session.ts";
import { openTerminal, type Terminal } from "./terminal/terminal.ts";

/** Opens an address in the browser of this desktop; false without a desktop, as over SSH. */
function browse(address: string): boolean {
  const { DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = process.env;
  const isMac = process.platform === "darwin";
  const hasDesktop = !SSH_CONNECTION && (isMac || DISPLAY || WAYLAND_DISPLAY);
  const opener = hasDesktop ? Bun.which(isMac ? "open" : "xdg-open") : null;
  if (!opener) return false;
  Bun.spawn([opener, address], { stdio: ["ignore", "ignore", "ignore"] }).unref();
  return true;
}

/** A server with its screens, ready to be shown. */
export interface OpenedServer {
  session: ScreenSession;
  screens: readonly Screen[];
  organization(): string;
  /** What to say at first. */
  remark: string | null;
}

/** A server that the console can go to. */
export interface KnownServer {
  name: string;
  about: string;
  open(): Promise<OpenedServer>;
}

/** The organization of a data folder. */
export async function openHere(ctx: Ctx, around: Omit<SessionOptions, "who">): Promise<OpenedServer> {
  if (around.request) forwardChangesBy(ctx, toLeader(around.request));
  return {
    session: openSession(ctx, { who: addressOf(await getOwnUser(ctx)), ...around }),
    screens: screensFor(around.request !== undefined),
    organization: () => realmSettings.read(ctx).name,
    remark: null,
  };
}

/** A server elsewhere; fails if it does not answer. */
export async function openElsewhere(place: RemotePlace): Promise<OpenedServer> {
  const connection = connectionTo(place);
  const found = await connection.look({ ask: "screens" }, welcome);
  const session = openRemoteSession(connection, found);
  return {
    session,
    screens: remoteScreens(session, found.screens),
    organization: () => found.organization,
    remark: found.remark,
  };
}

/** Runs the console until the operator quits; it can go to the other servers, too. */
export async function runConsole(first: OpenedServer, others: readonly KnownServer[]): Promise<void> {
  let terminal: Terminal | null = null;
  let now = first;
  const over = Promise.withResolvers<void>();

  function show(opened: OpenedServer): Controller {
    const made = openController(opened.session, opened.screens, {
      copy: (text) => terminal?.copy(text),
      browse,
      servers: others,
      goTo,
      remark: opened.remark,
    });
    made.watch(() => terminal?.draw());
    return made;
  }

  /** Stays where it is if the other server does not answer. */
  async function goTo(server: Pick<KnownServer, "name">): Promise<void> {
    const known = others.find(({ name }) => name === server.name);
    if (!known) return;
    const opened = await known.open();
    const left = now;
    now = opened;
    controller = show(opened);
    terminal?.draw();
    await left.session.close();
  }

  let controller = show(first);
  try {
    const opened = openTerminal({
      stdin: process.stdin,
      stdout: process.stdout,
      env: process.env,
      frame: (size) => <Frame controller={controller} organization={now.organization()} size={size} />,
      takesMouse: () => secretOf(controller.state) === null,
      onInput(input) {
        inputTo(controller, input, opened);
        if (controller.state.isOver) over.resolve();
      },
    });
    terminal = opened;
    await over.promise;
  } finally {
    (terminal as Terminal | null)?.close();
    await now.session.close();
  }
}

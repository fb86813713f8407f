// Asks a server elsewhere, by its command runner, and says what is wrong when it does not answer.
import type { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { actCommand, lookCommand, notRun } from "@/operations/command-line/schema.ts";
import type { Picture } from "../change.ts";
import { type CommandAnswer, errorOf, sendCommand } from "../sending.ts";
import { ServerAway } from "../session.ts";
import type { ActRequest, LookRequest } from "./schema.ts";

/** A server elsewhere, and the account there. */
export interface RemotePlace {
  /** The profile; empty if the address was given instead. */
  name: string;
  address: string;
  /** Sends a request as the account. */
  request(path: string, init?: RequestInit): Promise<Response>;
}

export interface Connection {
  readonly place: RemotePlace;
  look<S extends z.ZodType>(request: LookRequest, shape: S): Promise<z.output<S>>;
  act<S extends z.ZodType>(request: ActRequest, shape: S, file?: Pick<Picture, "path">): Promise<z.output<S>>;
}

const lookMs = 20_000;
const actMs = 120_000;

export function connectionTo(place: RemotePlace): Connection {
  const { address, request } = place;

  async function send<S extends z.ZodType>(
    command: string,
    asked: unknown,
    shape: S,
    how: Pick<Parameters<typeof sendCommand>[1], "file" | "answerMs" | "failUnanswered">,
  ): Promise<z.output<S>> {
    const fields = { command, given: "{}", input: JSON.stringify(asked) };
    const answer = await sendCommand(request, { fields, ...how });
    if (!answer?.ok) return failRefused(address, command, answer);
    const read = shape.safeParse(answer.body.document);
    if (read.success) return read.data;
    return fail(
      "BAD_REQUEST",
      `The server at ${address} is a Confab of another version, whose screens this program cannot show: update the older one.`,
    );
  }

  return {
    place,
    look: (asked, shape) =>
      send(lookCommand, asked, shape, { answerMs: lookMs, failUnanswered: (error) => away(address, error) }),
    act: (asked, shape, file) =>
      send(actCommand, asked, shape, {
        file,
        answerMs: actMs,
        failUnanswered: (error) => failUnanswered(address, error),
      }),
  };
}

type ConnectionError = Error & { code?: unknown };

function away(address: string, error: ConnectionError): never {
  if (error instanceof SyntaxError)
    fail("BAD_REQUEST", `What answers at ${address} is no Confab server, or a proxy in front of it.`);
  if (error.code === "UnexpectedRedirect")
    fail("BAD_REQUEST", `The server at ${address} redirects elsewhere: use that address.`);
  throw new ServerAway(`The server at ${address} cannot be reached.`);
}

const unsent = /^(ECONNREFUSED|ConnectionRefused|FailedToOpenSocket|ENOTFOUND)$/;

function failUnanswered(address: string, error: ConnectionError): never {
  return fail(
    "BAD_REQUEST",
    unsent.test(String(error.code))
      ? `Nothing was changed: the server at ${address} cannot be reached. Try again soon.`
      : `No answer from ${address}: look whether the change was made before you try again.`,
  );
}

function failRefused(address: string, command: string, answer: CommandAnswer | null): never {
  if (!answer) throw new ServerAway(`The server at ${address} cannot be reached.`);
  const { status, body, headers } = answer;
  const msg = String(body.msg ?? "");
  if (status === 401) fail("BAD_REQUEST", `The server at ${address} does not accept your key: ${msg}`);
  if (msg === notRun(command) || status === 404 || status === 405)
    fail(
      "BAD_REQUEST",
      `The server at ${address} is an older Confab, which has no screens for a console elsewhere: update it, or run the console on its machine.`,
    );
  if (status === 502 || status === 504 || (status === 503 && command === lookCommand))
    throw new ServerAway(`The server at ${address} is not ready.`);
  if (status === 503 && headers.has("retry-after"))
    fail("BAD_REQUEST", "Nothing was changed: the server cannot save now. Try again soon.");
  throw errorOf(answer);
}

// How a folder calls a higher one that it must not import: the higher folder registers a function with the lower.
import type { Db, Reads, Tx } from "@/kernel/core/context.ts";
import { perApp } from "./per-app.ts";

/** What a domain lists among its `hooks`, so that the app registers it. */
export interface HookRegistration {
  readonly key: object;
  readonly run: unknown;
}

interface Registrable<I, O, C> {
  register(run: (ctx: C, input: I) => O): HookRegistration;
}

/** Call it to run all registered functions, in the order of `domains.ts`; returns their results. */
export interface Hook<I, O, C> extends Registrable<I, O, C> {
  (ctx: C, input: I): O[];
}

/** Call it to run the one registered function. */
export interface Provided<I, O, C> extends Registrable<I, O, C> {
  (ctx: C, input: I): O;
}

const registered = perApp(() => new Map<object, unknown[]>());

/** Declares a hook for any number of domains; `C` is the context that they get, by default a transaction. */
export function hook<I = void, O = void, C extends Reads = Tx>(): Hook<I, O, C> {
  const run = (ctx: C, input: I): O[] => {
    const all = registered(ctx).get(run) as ((ctx: C, input: I) => O)[] | undefined;
    return all ? all.map((one) => one(ctx, input)) : [];
  };
  return toRegistrable<Hook<I, O, C>>(run);
}

/** Declares a function that exactly one domain provides. */
export function soleHook<I = void, O = void, C extends Reads = Tx>(name: string): Provided<I, O, C> {
  const run = (ctx: C, input: I): O => {
    const all = registered(ctx).get(run) as ((ctx: C, input: I) => O)[] | undefined;
    const [one, another] = all ?? [];
    if (!one || another) throw new Error(`'${name}' is provided ${all?.length ?? 0} times instead of once`);
    return one(ctx, input);
  };
  return toRegistrable<Provided<I, O, C>>(run);
}

function toRegistrable<T>(run: object): T {
  return Object.assign(run, {
    register: (body: unknown): HookRegistration => ({ key: run, run: body }),
  }) as T;
}

/** Registers the hooks of an app. */
export function registerHooks(db: Db, registrations: readonly HookRegistration[]): void {
  const all = registered({ db });
  for (const { key, run } of registrations) all.set(key, [...(all.get(key) ?? []), run]);
}

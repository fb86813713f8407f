// What `import … from "zod"` means in this project (tsconfig.json): zod, but a plain text, number or boolean is one schema for all
// who declare it, and so is its optional form. Schemas never change, and a start would make 2,800 instead of 1,600.
import * as zod from "zod/v4";

export * from "zod/v4";
export * as z from "./zod.ts";

/** Returns the shared schema if it is asked for without parameters. */
function reuse<S extends zod.ZodType, P>(make: (params?: P) => S): (params?: P) => S {
  let one: S | undefined;
  return (params) => {
    if (params !== undefined) return make(params);
    one ??= withSharedForms(make());
    return one;
  };
}

function withSharedForms<S extends zod.ZodType>(schema: S): S {
  let optional: zod.ZodOptional<S> | undefined;
  return Object.assign(schema, {
    optional: () => {
      optional ??= zod.optional(schema) as zod.ZodOptional<S>;
      return optional;
    },
  });
}

type FirstParameter<F extends (...given: never[]) => unknown> = Parameters<F>[0];

export const boolean = reuse((params?: FirstParameter<typeof zod.boolean>) => zod.boolean(params));
export const string = reuse(
  (params?: FirstParameter<typeof zod.string>): zod.ZodString => zod.string(params),
);
export const int = reuse((params?: FirstParameter<typeof zod.int>) => zod.int(params));
export const number = reuse(
  (params?: FirstParameter<typeof zod.number>): zod.ZodNumber => zod.number(params),
);
export const unknown = reuse(() => zod.unknown());

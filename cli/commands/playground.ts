import { z } from "zod";
import { addPlayground, removePlayground } from "@/foundation/playgrounds/actions.ts";
import { listPlaygrounds } from "@/foundation/playgrounds/queries.ts";
import { newPlayground, playground } from "@/foundation/playgrounds/schema.ts";
import { operand, option } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { table } from "../output.ts";
import { numberOf } from "../values.ts";

const number = numberOf("the number that 'confab playground list' shows");

export default [
  command({
    name: "playground add",
    summary: "Add a playground where clients run code from messages",
    examples: [
      "confab playground add 'Rust Playground' --language Rust --template 'https://play.rust-lang.org/?code={code}'",
    ],
    args: {
      title: operand("NAME", newPlayground.shape.name, "its name"),
      language: option("LANGUAGE", newPlayground.shape.pygments_language, "the language it runs"),
      template: option("TEMPLATE", newPlayground.shape.url_template, "a URL with {code}, by RFC 6570"),
    },
    result: playground,
    run: async (ctx, { title, language, template }) => {
      const input = { name: title, pygments_language: language, url_template: template };
      return { ...(await addPlayground(ctx, input)), ...input };
    },
    print: ({ id, name }) => `Added the playground ${name} (ID ${id}).`,
  }),

  command({
    name: "playground list",
    isUnaudited: true,
    summary: "List playgrounds",
    examples: ["confab playground list"],
    args: {},
    result: z.array(playground),
    run: (ctx) => [...listPlaygrounds(ctx)],
    print: (playgrounds) =>
      table(
        ["ID", "NAME", "LANGUAGE", "URL TEMPLATE"],
        playgrounds.map((one) => [String(one.id), one.name, one.pygments_language, one.url_template]),
      ),
  }),

  command({
    name: "playground remove",
    summary: "Remove a playground",
    examples: ["confab playground remove 1 --yes"],
    args: { id: operand("ID", number, "its number"), yes },
    result: playground.pick({ id: true }),
    run: async (ctx, { id, yes }) => {
      const found = listPlaygrounds(ctx).find((one) => one.id === id);
      if (found) await confirm({ does: "removes", count: [1, "playground"], names: [found.name] }, yes);
      await removePlayground(ctx, id);
      return { id };
    },
    print: ({ id }) => `Removed playground ${id}.`,
  }),
];

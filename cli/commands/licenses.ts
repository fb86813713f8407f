import { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { standalone } from "../command.ts";

const thirdParty = z.object({
  text: z.string(),
  components: z.array(z.object({ name: z.string(), version: z.string(), license: z.string() })),
});
type ThirdParty = z.infer<typeof thirdParty>;

export default [
  standalone({
    name: "licenses",
    isApart: true,
    summary: "Print the licences and notices of the software in Confab",
    about:
      "Prints the notices that the licences of the packages in the executable ask for, those of its runtime included; with " +
      "--json, their names, versions and licences. Confab itself is under the Apache License 2.0.",
    examples: ["confab licenses", "confab licenses --json"],
    args: {},
    result: z.object({ components: thirdParty.shape.components }),
    run: async ({ show }) => show(await loadLicenses()),
    json: ({ components }: ThirdParty) => ({ components }),
    print: ({ text }: ThirdParty) => text.trimEnd(),
  }),
];

/** What .ci/notices.mjs gathered for this executable. */
async function loadLicenses(): Promise<ThirdParty> {
  const found = await import("#third-party").catch(() => null);
  const parsed = thirdParty.safeParse(found?.default);
  return (
    parsed.data ??
    fail("BAD_REQUEST", "the notices are gathered with the executable: run 'npm run build' first.")
  );
}

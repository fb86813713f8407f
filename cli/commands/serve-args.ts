// What 'confab serve' takes: the settings of a server, and those of its first run.
import { z } from "zod";
import { organizationName } from "@/foundation/realm/schema.ts";
import { emailAddress, fullName } from "@/foundation/users/schema.ts";
import { type ArgValues, flag, option } from "../args.ts";
import { serverSettings } from "../settings.ts";
import { languageTag } from "./init.ts";

const token = z.string().min(1, "the token that 'confab cluster init' prints");

/** Of the first run. */
export const founding = {
  org: option("NAME", organizationName.default("Confab"), "on the first run: name of the organization"),
  owner_email: option(
    "EMAIL",
    emailAddress.optional(),
    "on the first run: owner's address (default: owner@HOST)",
  ),
  owner_name: option("NAME", fullName.default("Owner"), "on the first run: owner's name"),
  language: option("TAG", languageTag, "on the first run: language of the organization and of new people"),
};

export const args = {
  ...serverSettings,
  dev: flag(z.boolean().default(false), "development mode: creates a sample organization in an empty folder"),
  join: {
    ...option(
      "TOKEN",
      token.optional(),
      "join the cluster that 'confab cluster init' began on another machine; later starts need no token",
    ),
    env: "CONFAB_JOIN",
  },
  witness: flag(
    z.boolean().default(false),
    "run a nats-server alone: on the third machine of a cluster, together with --join, or on any while its node is stopped",
  ),
  ...founding,
};
export type ServeSettings = ArgValues<typeof args>;

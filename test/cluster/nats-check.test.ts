import { expect, test } from "bun:test";
import { checkVersion } from "@/cluster/nats/nats-check.ts";

test("nats-servers from 2.10.23 on are new enough", () => {
  for (const version of ["2.10.23", "2.10.27", "2.11.0", "2.12.1-beta.2", "3.0.0"])
    checkVersion("n1", version);
  for (const version of ["2.10.22", "2.9.25", "1.99.99", "2.10", ""]) {
    expect(() => checkVersion("n1", version)).toThrow(
      `The nats-server n1 is version ${version}; several nodes need 2.10.23 or newer.`,
    );
  }
});

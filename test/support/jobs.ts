import { domains } from "@/domains.ts";
import type { World } from "./world.ts";

/** Runs the server's jobs once; resolves with the events that they emitted. */
export async function runJob({ app, events }: World, name: string): Promise<World["events"]> {
  const job = domains.flatMap(({ jobs = [] }) => jobs).find((one) => one.name === name);
  if (!job) throw new Error(`There is no job ${name}.`);
  const from = events.length;
  await job.run(app.ctx(app.system.actor));
  return events.slice(from);
}

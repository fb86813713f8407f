import { expect, test } from "bun:test";
import { Semaphore } from "@/kernel/lib/concurrency.ts";

test("only so much work runs at once, in the order in which it came; what fails makes room, too", async () => {
  const semaphore = new Semaphore(2);
  const begun: number[] = [];
  const work = [0, 1, 2, 3].map(() => Promise.withResolvers<number>());
  const results = work.map(({ promise }, n) =>
    semaphore
      .run(() => {
        begun.push(n);
        return promise;
      })
      .catch((error: Error) => error.message),
  );
  await Bun.sleep(1);
  expect(begun).toEqual([0, 1]);
  work[1]?.reject(new Error("failed"));
  expect(await results[1]).toBe("failed");
  await Bun.sleep(1);
  expect(begun).toEqual([0, 1, 2]);
  for (const n of [0, 2, 3]) work[n]?.resolve(n);
  expect(await Promise.all(results)).toEqual([0, "failed", 2, 3]);
  expect(begun).toEqual([0, 1, 2, 3]);
  expect(await semaphore.run(async () => "room again")).toBe("room again");
});

// A server on a disk that becomes full: what it, its stopping and the doctor say, and that nothing is lost.
import { afterEach, describe, expect, test } from "bun:test";
import { appendFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { call, cleanUp, confab, newFolder, newOrganization, serve } from "../support/executable.ts";
import { canMount } from "../support/mount.ts";
import { until } from "../support/waiting.ts";

if (!canMount) console.warn("LEFT OUT: tests of a server on a full disk, which need root and mount.");

describe.skipIf(!canMount)("a server whose disk is full", () => {
  const mounts: string[] = [];
  afterEach(async () => {
    await cleanUp(...mounts);
    for (const folder of mounts.splice(0)) Bun.spawnSync(["umount", folder]);
    await cleanUp();
  });

  test("stops without losing anything, and says what is so; the doctor quotes what it says of itself", async () => {
    const disk = newFolder();
    const mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", disk];
    expect(Bun.spawnSync(mount).success).toBe(true);
    mounts.push(disk);
    const { data, owner } = await newOrganization(join(disk, "data"));
    const server = await serve(data);
    const to = { type: "direct", to: JSON.stringify([owner.user_id]) };
    const send = (content: string) => call(server, owner, ["POST", "/messages"], { ...to, content });
    for (let n = 0; n < 25; n++) await send("y".repeat(9000));
    // Until no page is left: what is free changes while the server tidies up.
    const page = new Uint8Array(4096);
    expect(() => {
      for (;;) appendFileSync(join(disk, "ballast"), page);
    }).toThrow("ENOSPC");
    let kept = 0;
    await until(async () => {
      const { status, body } = await send("x".repeat(9000));
      if (status === 200) kept = body.id as number;
      return status !== 200;
    }, "a message is refused");

    const says = "The last write failed: the disk is full.";
    const seen = await confab(["doctor", "--data", data]);
    expect(seen.stdout).toContain(`It says: ${says} (${server.url}/health)`);
    expect(seen.status).toBe(1);

    expect(await server.end("SIGTERM")).toBe(0);
    const { stderr } = server.printed();
    expect(stderr).not.toContain("bug in Confab");
    expect(stderr).toContain('"reason":"the disk is full"');
    expect(stderr).toContain("Nothing is lost.");
    expect(readdirSync(data)).toContain("confab.db-wal");

    rmSync(join(disk, "ballast"));
    const again = await serve(data);
    const newest = { anchor: "newest", num_before: "100", num_after: "0" };
    const { body } = await call(again, owner, ["GET", "/messages"], newest);
    const ids = (body.messages as { id: number }[]).map(({ id }) => id);
    expect(ids).toContain(Math.max(kept, 25));
    expect((await confab(["doctor", "--data", data])).stdout).toContain(
      `It works, as ${again.url}/health says.`,
    );
    expect(await again.end("SIGTERM")).toBe(0);
  });
});

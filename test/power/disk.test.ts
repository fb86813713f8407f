// What the simulated disk of the power test keeps and loses, on a small recording.
import { describe, expect, test } from "bun:test";
import { diskAfter, noLuck, Recorder, someLuck } from "./disk.ts";

const root = "/disk";
const hex = (text: string) => Buffer.from(text).toString("hex").replaceAll(/../g, "\\x$&");

/** A recording of these calls; each ends before the next begins. */
function recorded(...calls: [name: string, args: string, path?: string][]) {
  const recorder = new Recorder(root);
  for (const [name, args, path = ""] of calls) {
    recorder.ended({ name, args, result: 100_000, path }, recorder.began(name, args));
  }
  return recorder.recording();
}

const file = `${root}/a`;
const create = ["openat", `AT_FDCWD</>, "${hex(file)}", O_WRONLY|O_CREAT, 0600`, file] as const;
const write = ["pwrite64", `3<${file}>, "${hex("one")}", 3, 0`] as const;
const sync = ["fsync", `3<${file}>`] as const;
const syncRoot = ["fsync", `4<${root}>`] as const;
const rename = ["rename", `"${hex(file)}", "${hex(`${root}/b`)}"`] as const;

function left(calls: Parameters<typeof recorded>, luck = noLuck): Record<string, string> {
  const recording = recorded(...calls);
  const disk = diskAfter(recording, recording.steps.length, luck);
  return Object.fromEntries([...disk].map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));
}

describe("a disk without power", () => {
  test("loses a file whose folder was not synced", () => {
    expect(left([[...create], [...write], [...sync]])).toEqual({});
  });

  test("keeps the name but loses the content that was not synced", () => {
    expect(left([[...create], [...write], [...syncRoot]])).toEqual({ a: "" });
  });

  test("keeps what was synced", () => {
    expect(left([[...create], [...write], [...sync], [...syncRoot]])).toEqual({ a: "one" });
  });

  test("keeps what was written to a file that was opened for synchronous writes", () => {
    const open = ["openat", `AT_FDCWD</>, "${hex(file)}", O_WRONLY|O_CREAT|O_SYNC, 0600`, file] as const;
    const put = ["pwrite64", `100000<${file}>, "${hex("one")}", 3, 0`] as const;
    expect(left([[...open], [...put], [...syncRoot]])).toEqual({ a: "one" });
    // The same number, opened in the usual way.
    expect(left([[...open], [...create], [...put], [...syncRoot]])).toEqual({ a: "" });
  });

  test("undoes a rename that was not synced", () => {
    expect(left([[...create], [...write], [...sync], [...syncRoot], [...rename]])).toEqual({ a: "one" });
    expect(left([[...create], [...write], [...sync], [...rename], [...syncRoot]])).toEqual({ b: "one" });
  });

  test("loses a synced file with a folder that was not synced into the one above it", () => {
    const inner = `${root}/in/a`;
    const calls = [
      ["mkdir", `"${hex(`${root}/in`)}", 0700`],
      ["openat", `AT_FDCWD</>, "${hex(inner)}", O_WRONLY|O_CREAT, 0600`, inner],
      ["pwrite64", `3<${inner}>, "${hex("one")}", 3, 0`],
      ["fsync", `3<${inner}>`],
      ["fsync", `4<${root}/in>`],
    ] satisfies Parameters<typeof recorded>;
    expect(left(calls)).toEqual({});
    expect(left([...calls, [...syncRoot]])).toEqual({ "in/a": "one" });
  });

  test("may keep any pages of what was not synced", () => {
    const pages = ["pwrite64", `3<${file}>, "${hex("1".repeat(4096) + "2".repeat(4096))}", 8192, 0`] as const;
    const found = new Set<string>();
    let state = 1;
    const random = () => {
      state = (state * 16_807) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    for (let n = 0; n < 60; n++) {
      const { a = "" } = left([[...create], [...pages], [...syncRoot]], someLuck(random));
      found.add(
        [...a]
          .filter((_, at) => at % 4096 === 0)
          .join("")
          .replaceAll("\0", "0"),
      );
    }
    expect([...found].sort()).toEqual(["", "02", "1", "12"]);
  });
});

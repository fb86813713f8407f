// Shows the progress of long operations, only in a terminal.
import { stripControlCharacters } from "@/kernel/lib/control-characters.ts";
import { bytesText } from "@/kernel/lib/wording.ts";
import type { Progress, ReportProgress } from "@/operations/backup/schema.ts";

const width = 24;
const everyMs = 80;

/** Shows progress on one line of standard error; `end` removes it. */
export function progressLine(): { report: ReportProgress; end(): void } {
  const shown = process.stderr.isTTY === true;
  let lastAt = 0;
  return {
    report(progress) {
      const now = performance.now();
      if (!shown || now - lastAt < everyMs) return;
      lastAt = now;
      process.stderr.write(`\r\x1b[K${stripControlCharacters(lineOf(progress))}`);
    },
    end() {
      if (shown) process.stderr.write("\r\x1b[K");
    },
  };
}

export function lineOf({ doing, done, of, unit }: Progress): string {
  if (of === 0) return `${doing} …`;
  const part = Math.min(1, done / of);
  const filled = Math.round(part * width);
  const bar = "█".repeat(filled) + "░".repeat(width - filled);
  const size = (count: number) =>
    unit === undefined ? bytesText(count) : `${count.toLocaleString("en")}${unit}`;
  return `${doing} ${bar} ${Math.floor(part * 100)} %  ${size(done)} of ${size(of)}`;
}

// A link as a QR code, two modules a character.
import { encodeQR } from "qr";
import type { Line } from "./layout.ts";

const signs = [" ", "▀", "▄", "█"] as const;

/** Dark on light as cameras want it, whatever the terminal's colours: the light modules are drawn. */
export function qrLines(text: string): Line[] {
  const data = encodeQR(text, "raw", { ecc: "low", border: 1 });
  const size = data.length;
  const isLight = (x: number, y: number) => data[y]?.[x] !== true;
  return Array.from({ length: Math.ceil(size / 2) }, (_, row): Line => {
    const cells = Array.from({ length: size }, (_, x) => {
      const [above, below] = [isLight(x, row * 2), isLight(x, row * 2 + 1)];
      return signs[(above ? 1 : 0) + (below ? 2 : 0)];
    });
    return [{ text: cells.join(""), tone: "ink" }];
  });
}

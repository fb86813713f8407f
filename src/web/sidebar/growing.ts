// Long lists of rows: a screenful at once, the rest a few at a time, so that no drawing keeps the page busy.
import { useEffect, useState } from "react";

const atFirst = 50;
const atOnce = 50;

/** How many of `count` rows to draw now. */
export function useGrowing(count: number): number {
  const [shown, setShown] = useState(atFirst);
  const isWhole = shown >= count;
  useEffect(() => {
    if (isWhole) return;
    const timer = setInterval(() => setShown((before) => before + atOnce), 50);
    return () => clearInterval(timer);
  }, [isWhole]);
  return isWhole ? count : shown;
}

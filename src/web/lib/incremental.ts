// Long lists: renders 50 rows at first, then 50 more every 50 ms, so that no render blocks the page.
import { useEffect, useState } from "react";

const atFirst = 50;
const atOnce = 50;

/** How many of `count` rows to render now. */
export function useGrowing(count: number): number {
  const [shown, setShown] = useState(atFirst);
  // A list that was folded begins again when it is unfolded.
  if (count <= atFirst && shown > atFirst) setShown(atFirst);
  const isWhole = shown >= count;
  useEffect(() => {
    if (isWhole) return;
    const timer = setInterval(() => setShown((before) => before + atOnce), 50);
    return () => clearInterval(timer);
  }, [isWhole]);
  return isWhole ? count : shown;
}

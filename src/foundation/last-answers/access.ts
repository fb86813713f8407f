import type { Reads } from "@/kernel/core/context.ts";
import * as store from "./store.ts";

export function lastAnswers(reads: Reads): readonly store.LastAnswer[] {
  return store.listAnswers(reads);
}

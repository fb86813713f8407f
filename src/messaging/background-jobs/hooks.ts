import { soleHook } from "@/kernel/store/hooks.ts";
import type { TopicWork } from "./schema.ts";

/** Each does the next messages of a work, as the user who began it. Returns the last of them, or null if the work has ended. */
export const nextOf = {
  move: soleHook<TopicWork, number | null>("the next messages of a move"),
  deletion: soleHook<TopicWork, number | null>("the next messages of a deletion"),
};

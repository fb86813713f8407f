import type { Ctx } from "@/kernel/context.ts";
import { provided } from "@/kernel/hooks.ts";
import type { Rendered } from "@/text/rendering/render.ts";

/**
 * Renders a text by the actor, such as a description: mentions and links resolve as for the actor. Messages use
 * `renderMessage`, which also shows pictures.
 */
export const renderText = provided<string, Rendered, Ctx>("renderText");

import type { Ctx } from "@/kernel/context.ts";
import { provided } from "@/kernel/hooks.ts";
import type { Rendered } from "@/text/rendering/render.ts";

/**
 * Renders a text of the actor's, such as a description: names and links in it mean what they mean to the actor.
 * Messages are rendered by `renderMessage`, with pictures.
 */
export const renderText = provided<string, Rendered, Ctx>("renderText");

// What the page was served with.
import type { Boot } from "@/outside/web/schema.ts";

export const boot: Boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}");

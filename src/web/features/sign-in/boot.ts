// The data that the server put into the page.
import type { Boot } from "@/outside/web/schema.ts";

export const boot: Boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}");

/** Whether the page shows the client rather than the sign-in form. */
export const opensClient = boot.signed_in || (boot.open_to_visitors && location.pathname !== "/login");

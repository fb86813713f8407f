import { certificateFault } from "@/kernel/http/certificates.ts";

/** Why another machine gave no answer, as a clause; `setting` names the one with the authorities that are trusted there. */
export function reasonOf(error: unknown, setting: "nats_ca" | "node_ca"): string {
  const fault = certificateFault(error, setting);
  if (fault !== null) return `its certificate ${fault}`;
  // Bun adds advice for programmers.
  return (error as Error).message.replace(/\.? (For more information|Is the computer able).*$/, "");
}

// The codes that are mailed to people who have no password.

/** Without letters and digits that look alike; 32 of them, so that each byte gives five bits. */
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** A new code, such as "K7PM-2XQD": 40 bits, for which there are five attempts. */
export function newProofCode(): string {
  const letters = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => alphabet[byte % 32]);
  return `${letters.slice(0, 4).join("")}-${letters.slice(4).join("")}`;
}

/** A typed code without what does not matter. */
export function plainProof(code: string): string {
  return code.replaceAll(/[\s-]/g, "").toUpperCase();
}

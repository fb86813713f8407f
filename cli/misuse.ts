/** Contradictory or missing arguments: status 2, and a hint at --help. */
export class Misuse extends Error {}

export function failUsage(problem: string): never {
  throw new Misuse(problem);
}

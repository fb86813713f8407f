/** Joins the names of CSS classes, leaving out those that are false or missing. */
export function classes(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}

// The value of a fact about a person; a link where it has an address.
import type { Fact } from "./facts.ts";

export function FactValue({ value, href }: Fact) {
  if (!href) return value;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {value}
    </a>
  );
}

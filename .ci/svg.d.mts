export interface Drawn {
  columns: number;
  rows: number;
  widthOf(text: string): number;
  shade: "dark" | "light";
}
export function svgOf(screen: string, drawn: Drawn): string;

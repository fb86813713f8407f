/** What one look found; `remedy` says what to do where all is not well. */
export interface Finding {
  check: string;
  verdict: "well" | "note" | "warning" | "problem";
  finding: string;
  remedy?: string;
}

export const well = (check: string, finding: string): Finding => ({ check, verdict: "well", finding });

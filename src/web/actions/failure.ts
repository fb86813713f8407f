import { showToast } from "../ui/toasts.tsx";
import { said } from "./flagging.ts";

/** Shows the error of something that the person asked for, where no field or dialog shows it. */
export function showFailure(error: unknown): void {
  showToast({ text: said(error), look: "danger" });
}

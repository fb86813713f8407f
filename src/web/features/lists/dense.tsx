// The dense form of the inbox and of recent conversations: a line for each. The device remembers it.
import { Rows2, Rows4 } from "lucide-react";
import { createStore, useStore } from "../../lib/observable.ts";
import { t } from "../../lib/texts.ts";
import { IconButton } from "../../ui/button.tsx";

const key = "dense lists";

export const denseLists = createStore(localStorage.getItem(key) === "yes");

export function DenseButton() {
  const isDense = useStore(denseLists);
  const change = () => {
    localStorage.setItem(key, isDense ? "no" : "yes");
    denseLists.set(!isDense);
  };
  return (
    <IconButton
      label={isDense ? t("Two lines for each conversation") : t("One line for each conversation")}
      icon={isDense ? Rows2 : Rows4}
      onClick={change}
    />
  );
}

import { Smile } from "lucide-react";
import { Suspense } from "react";
import { t } from "../../lib/texts.ts";
import { IconButton } from "../button.tsx";
import { lazyView } from "../on-demand.tsx";
import { Popover } from "../popover.tsx";
import type { EmojiEntry } from "./names.ts";

const Picker = lazyView(async () => (await import("./picker.tsx")).Picker);

interface EmojiButtonProps {
  label: string;
  size?: "normal" | "small";
  onPick: (entry: EmojiEntry) => void;
  onOpenChange?: (open: boolean) => void;
  tabIndex?: number;
}

/** Opens the picker, which is fetched when it is first needed. */
export function EmojiButton({ label, size = "normal", onPick, onOpenChange, tabIndex }: EmojiButtonProps) {
  return (
    <Popover
      label={t("Emoji")}
      placement="top-end"
      trigger={<IconButton label={label} icon={Smile} size={size} tabIndex={tabIndex} />}
      {...(onOpenChange ? { onOpenChange } : {})}
    >
      {(close) => (
        <Suspense fallback={<div style={{ width: 336, height: 360 }} aria-busy="true" />}>
          <Picker
            onPick={(entry) => {
              close();
              onPick(entry);
            }}
          />
        </Suspense>
      )}
    </Popover>
  );
}

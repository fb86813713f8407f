import { hook } from "@/kernel/store/hooks.ts";
import type { PersonalValues } from "./schema.ts";

export interface SettingsChanged {
  userId: number;
  before: Readonly<PersonalValues>;
  now: Readonly<PersonalValues>;
}

export const settingsHooks = {
  /** A person has changed their settings. */
  changed: hook<SettingsChanged>(),
};

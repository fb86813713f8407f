// Opens cards of people and groups, and what follows from them, from anywhere.
import { createStore } from "../../lib/observable.ts";

export type CardOf = { anchor: HTMLElement } & ({ userId: number } | { groupId: number });

/** What `Cards` shows. */
export const shownCard = createStore<CardOf | { twoStepOf: number } | null>(null);

export function showPerson(userId: number, anchor: HTMLElement): void {
  shownCard.set({ userId, anchor });
}

export function showGroup(groupId: number, anchor: HTMLElement): void {
  shownCard.set({ groupId, anchor });
}

/** Asks whether to turn somebody's two-step sign-in off; closes their card. */
export function askTwoStepReset(userId: number): void {
  shownCard.set({ twoStepOf: userId });
}

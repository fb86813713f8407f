/** A pattern of the organization whose matches become links. */
export interface Linkifier {
  /**
   * Its matches in a text, in order and without overlaps, in time linear in the text. What is not
   * delimited by a blank, a sign or the end of the text is left out by the caller. Stops early once the work is spent.
   */
  find(text: string, work: LinkWork): readonly LinkifierMatch[];
}

export interface LinkifierMatch {
  start: number;
  end: number;
  /** The expanded template. */
  url: string;
}

/** What looking for links in one text has taken; a pattern that lets a text cost too much finds no more in it. */
export interface LinkWork {
  steps: number;
  /** When the first search began; null before it. */
  since: number | null;
  /** Whether it was found to be spent. */
  isOver: boolean;
}

const freeSteps = 200_000;

const mostMs = 10;

export function newLinkWork(): LinkWork {
  return { steps: 0, since: null, isOver: false };
}

/** Counts a search of so many steps at most, and says whether there is time for it; ordinary texts never ask the clock. */
export function isSpent(work: LinkWork, steps: number): boolean {
  work.since ??= performance.now();
  work.steps += steps;
  work.isOver ||= work.steps > freeSteps && performance.now() - work.since > mostMs;
  return work.isOver;
}

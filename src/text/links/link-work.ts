/** A pattern of the organization; text that matches it becomes a link. */
export interface Linkifier {
  /**
   * Matches in a text, in order, without overlaps, in time linear in the text. Stops early once the work is spent. The
   * caller drops matches that are not delimited by white space, punctuation or the end of the text.
   */
  find(text: string, work: LinkWork): readonly LinkifierMatch[];
}

export interface LinkifierMatch {
  start: number;
  end: number;
  /** The URL made from the linkifier's template. */
  url: string;
}

/** The work spent on one text. Once it is too much, the linkifiers find no more links in that text. */
export interface LinkWork {
  steps: number;
  /** When the first search began; null before that. */
  since: number | null;
  /** Whether it was found to be spent. */
  isOver: boolean;
}

const freeSteps = 200_000;

const maxMs = 10;

export function newLinkWork(): LinkWork {
  return { steps: 0, since: null, isOver: false };
}

/**
 * Adds the steps of a search (the max it can take) to the work done, and returns whether the time is used up. Reads the
 * clock only for expensive texts.
 */
export function isSpent(work: LinkWork, steps: number): boolean {
  work.since ??= performance.now();
  work.steps += steps;
  work.isOver ||= work.steps > freeSteps && performance.now() - work.since > maxMs;
  return work.isOver;
}

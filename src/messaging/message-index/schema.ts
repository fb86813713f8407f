import { factToken } from "@/text/search/tokens.ts";

/** Tokens for facts that narrows look up. */
export const facts = {
  inConversation: (id: number) => factToken("c", id),
  inTopic: (topicKey: string) => factToken("t", topicKey),
  sentBy: (userId: number) => factToken("s", userId),
  resolved: factToken("r"),
  withBit: (bit: number) => factToken("b", bit),
  /** The ID is in the n-th block of this size. */
  inBlock: (size: number, n: number) => factToken(`i_${size}`, n),
};

/**
 * Sizes of blocks of IDs. FTS5 does not stop at an upper limit on IDs, but it stops when one of the tokens has no more
 * matches. Searching for the token of a block as well keeps a read short, however far apart the matches are.
 */
export const blockSizes = [2_048, 32_768, 262_144] as const;

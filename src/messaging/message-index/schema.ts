import { factToken } from "@/text/search/tokens.ts";

/** Tokens for facts that narrows look up. */
export const facts = {
  inConversation: (id: number) => factToken("c", id),
  inTopic: (topicKey: string) => factToken("t", topicKey),
  sentBy: (userId: number) => factToken("s", userId),
  resolved: factToken("r"),
  withBit: (bit: number) => factToken("b", bit),
  /** The ID is in the n-th block. */
  inBlock: (n: number) => factToken(`i_${blockSize}`, n),
};

/** A message matches if it is listed under one of these. */
export type AnyOf = readonly string[];

/** IDs in a block. */
export const blockSize = 2_048;
export const blockOf = (id: number) => Math.floor(id / blockSize);

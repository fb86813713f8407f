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

/** A message matches if it is listed under one of these. */
export type AnyOf = readonly string[];

/** Sizes of blocks of IDs. */
export const blockSizes = [2_048, 32_768, 262_144] as const;
export const [smallBlock] = blockSizes;
export const blockOf = (id: number) => Math.floor(id / smallBlock);

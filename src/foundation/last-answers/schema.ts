/** The programs outside that this server calls, all of a kind taken together. */
export const services = ["mail", "push", "webhooks"] as const;
export type Service = (typeof services)[number];

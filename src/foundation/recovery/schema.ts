/** How long a link for a new password works, in seconds. */
export const resetLife = 3600;

/** The path of a link for a new password. */
export const resetPath = (key: string): string => `/password/reset/${key}`;

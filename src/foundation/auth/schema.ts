export const noPasswords = "This organization does not use passwords. Sign in by the button of its provider.";

/** HTTP methods that change nothing. */
export const safeMethods = ["GET", "HEAD", "OPTIONS"];

// The names of what lies in a data folder.
export const databaseFile = "confab.db";
export const filesFolder = "files";
export const processFile = "confab.pid";
/** There from the creation of an organization on. */
export const markerFile = "confab.organization";

// Shows what the server pushes, and opens the conversation that a notification is about.
export {};

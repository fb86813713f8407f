// Timeouts: nothing in the bench waits forever.
export const patience = 20_000;

export function within<T>(ms: number, promise: Promise<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`Waited ${ms / 1000} s in vain for ${what}.`));
    const timer = setTimeout(late, ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

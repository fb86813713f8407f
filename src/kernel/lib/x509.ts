/** Loads the library for X.509. In the executable, import statements alone do not keep the order that it needs. */
export async function loadX509() {
  await import("reflect-metadata");
  return import("@peculiar/x509");
}

// Finds an endpoint and decodes its parameters, for every door.
import type { Endpoint } from "./endpoint.ts";
import { type Decoder, decoder } from "./wire.ts";

export interface EndpointRoute {
  path: string;
  inPath: readonly string[];
  /** Compiled by the first request: compiling all of them takes a quarter of the start. */
  decode: Decoder;
}

const routes = new WeakMap<Endpoint, EndpointRoute>();

/** The parts that all doors of an endpoint share. */
export function routeOf(endpoint: Endpoint): EndpointRoute {
  const known = routes.get(endpoint);
  if (known) return known;
  const made = buildRoute(endpoint);
  routes.set(endpoint, made);
  return made;
}

function buildRoute({ path, params }: Endpoint): EndpointRoute {
  const inPath: string[] = [];
  const written = path.replaceAll(/\{(\w+)(?::([^}]+))?\}/g, (_, name, pattern) => {
    inPath.push(name);
    return pattern ? `:${name}{${pattern}}` : `:${name}`;
  });
  let compiled: Decoder | undefined;
  const decode: Decoder = (given) => {
    compiled ??= decoder(params, inPath);
    return compiled(given);
  };
  return { path: written, inPath, decode };
}

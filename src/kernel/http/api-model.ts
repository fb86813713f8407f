// The HTTP API as data, from which docs/reference/http-api.md and other descriptions are generated.

import type { z } from "zod";
import { listEventTypes } from "@/kernel/core/events.ts";
import { listErrorKinds } from "@/kernel/lib/errors.ts";
import type { Domain } from "./domain.ts";
import type { Auth, Params } from "./endpoint.ts";
import { listAcceptedNames } from "./wire.ts";

export interface ParameterModel {
  name: string;
  /** Older names under which it is accepted. */
  alsoNamed: readonly string[];
  rule: z.ZodType;
}

export interface EndpointModel {
  id: string;
  about: string;
  method: string;
  /** With `{name}` where parameters stand, from the server's root. */
  path: string;
  auth: Auth;
  /** Optional headers. */
  headers: Params;
  parameters: readonly ParameterModel[];
  returns: Params | null;
}

export interface EventModel {
  type: string;
  /** Absent for types that know only one kind of change. */
  op?: string;
  about: string;
  schema: z.ZodType;
}

export interface ApiModel {
  /** Endpoints by the domain that offers them, in the order of their names; domains without any are left out. */
  domains: readonly { name: string; about: string; endpoints: readonly EndpointModel[] }[];
  events: readonly EventModel[];
  /** Codes as clients read them, each with a status it comes with. */
  errors: readonly { code: string; status: number }[];
}

/** The model of the API that these domains offer. */
export function modelOf(domains: readonly Domain[]): ApiModel {
  const offering = domains
    .filter(({ endpoints = [] }) => endpoints.length > 0)
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"));
  return {
    domains: offering.map(({ name, about, endpoints = [] }) => ({
      name,
      about,
      endpoints: endpoints.map(({ id, about, method, path, root, auth, headers, params, returns }) => ({
        id,
        about,
        method,
        path: `${root ? "" : "/api/v1"}${path.replaceAll(/\{(\w+)(?::(?:[^{}]|\{[^}]*\})*)?\}/g, "{$1}")}`,
        auth,
        headers,
        parameters: Object.entries(params).map(([name, rule]) => {
          return { name, alsoNamed: listAcceptedNames(rule), rule };
        }),
        returns,
      })),
    })),
    events: listEventTypes()
      .map(({ key, type, about, schema }) => ({ type, op: key.split("/")[1], about, schema }))
      .sort((a, b) => `${a.type}/${a.op}`.localeCompare(`${b.type}/${b.op}`, "en")),
    errors: listErrorKinds().map(({ wire, status }) => ({ code: wire, status })),
  };
}

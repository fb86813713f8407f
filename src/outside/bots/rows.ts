import type { ServiceInterface } from "./schema.ts";

export interface ServiceRow {
  base_url: string;
  interface: ServiceInterface;
  token: string;
}

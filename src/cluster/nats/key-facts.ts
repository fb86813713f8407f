// Facts as keys of JetStream.
import type { KV } from "@nats-io/kv";
import type { Fact, SharedFacts } from "../shared-log.ts";
import { isWrongLast } from "./codes.ts";

export class KeyValueFacts implements SharedFacts {
  constructor(private readonly kv: KV) {}

  async get(key: string): Promise<string | null> {
    const entry = await this.kv.get(key);
    return entry?.operation === "PUT" ? entry.string() : null;
  }

  async setIfAbsent(key: string, value: string): Promise<string> {
    const known = await this.get(key);
    if (known !== null) return known;
    try {
      await this.kv.create(key, value);
      return value;
    } catch (error) {
      if (!isWrongLast(error)) throw error;
      return (await this.get(key)) ?? value;
    }
  }

  async put(key: string, value: string): Promise<void> {
    await this.kv.put(key, value);
  }

  async remove(key: string): Promise<void> {
    await this.kv.delete(key);
  }

  async list(prefix: string): Promise<Map<string, Fact>> {
    const found = new Map<string, Fact>();
    for await (const key of await this.kv.keys(`${prefix}>`)) {
      const entry = await this.kv.get(key);
      if (entry?.operation === "PUT") found.set(key, { value: entry.string(), at: entry.created.getTime() });
    }
    return found;
  }
}

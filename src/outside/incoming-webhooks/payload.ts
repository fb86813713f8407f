// Reads unchecked JSON, because payloads differ between versions of the senders.

/** A value in a payload. Absent values and values of another type read as empty. */
export class PayloadValue {
  constructor(readonly value: unknown) {}

  at(...path: readonly (string | number)[]): PayloadValue {
    let value = this.value;
    for (const key of path) {
      if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) return nothing;
      value = (value as Record<string | number, unknown>)[key];
    }
    return new PayloadValue(value);
  }

  /** The text of a string, a number or a boolean; empty for anything else. */
  get text(): string {
    const { value } = this;
    const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return isPlain ? String(value) : "";
  }

  get number(): number {
    return typeof this.value === "number" ? this.value : 0;
  }

  get isTrue(): boolean {
    return this.value === true;
  }

  get isThere(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** The elements of an array; none for anything else. */
  get list(): PayloadValue[] {
    return Array.isArray(this.value) ? this.value.map((one) => new PayloadValue(one)) : [];
  }

  /** The fields of an object, in their order; none for anything else. */
  get fields(): [name: string, PayloadValue][] {
    const { value } = this;
    if (value === null || typeof value !== "object" || Array.isArray(value)) return [];
    return Object.entries(value).map(([name, one]) => [name, new PayloadValue(one)]);
  }
}

const nothing = new PayloadValue(undefined);

/** The first text that is not empty. */
export function firstOf(...texts: readonly string[]): string {
  return texts.find((text) => text.trim() !== "") ?? "";
}

/** The value of a name that comes from a payload: it may be "constructor", which every object has. */
export function valueIn<V>(table: Readonly<Record<string, V>>, name: string): V | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

// Describes the shape of a JSON document, in the style of TypeScript types.
import { z } from "zod";

const width = 76;

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
}

/** A document's shape, such as `{ user_id: integer, name: string }[]`; long ones take several lines. */
export function shapeText(shape: z.ZodType, io: "input" | "output" = "output"): string {
  return textOf(z.toJSONSchema(shape, { io, unrepresentable: "any" }) as Schema, 0);
}

function textOf(schema: Schema, indent: number): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (schema.anyOf) return schema.anyOf.map((one) => textOf(one, indent)).join(" | ");
  if (schema.type === "array") return arrayText(schema.items ?? {}, indent);
  if (schema.type === "object") return objectText(schema, indent);
  return [schema.type ?? "any"].flat().join(" | ");
}

function arrayText(item: Schema, indent: number): string {
  const isChoice = item.anyOf !== undefined || item.enum !== undefined || Array.isArray(item.type);
  const text = textOf(item, indent);
  return isChoice ? `(${text})[]` : `${text}[]`;
}

function objectText({ properties, required = [], additionalProperties }: Schema, indent: number): string {
  if (!properties) {
    const value = typeof additionalProperties === "object" ? textOf(additionalProperties, indent) : "any";
    return `{ [name]: ${value} }`;
  }
  const fields = (depth: number) =>
    Object.entries(properties).map(
      ([name, one]) => `${name}${required.includes(name) ? "" : "?"}: ${textOf(one, depth)}`,
    );
  const line = `{ ${fields(indent).join(", ")} }`;
  if (line.length + indent <= width && !line.includes("\n")) return line;
  const inner = " ".repeat(indent + 2);
  return `{\n${fields(indent + 2)
    .map((field) => `${inner}${field}`)
    .join("\n")}\n${" ".repeat(indent)}}`;
}

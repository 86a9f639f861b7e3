/**
 * JSON as templates and pipelines hold it, in which every number keeps the kind in which it was written, and its text as Java
 * prints it.
 */
import { DoubleNumber, type JsonNode, javaDoubleText } from '@shoal/core';

/** An integer beyond 2^53 is a bigint, a whole number with a fraction (`1.0`) a `DoubleNumber`; what else there is says its text. */
export type PlainValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | readonly PlainValue[]
  | ReadonlyMap<string, PlainValue>
  | { toString(): string };

/** The value of a JSON text's tree. */
export function plainValueOf(node: JsonNode): PlainValue {
  switch (node.kind) {
    case 'object':
      return new Map(node.members.map(({ name, value }) => [name, plainValueOf(value)]));
    case 'array':
      return node.items.map(plainValueOf);
    case 'null':
      return null;
    case 'number':
      return /[.eE]/.test(node.text) ? new DoubleNumber(Number(node.value)) : node.value;
    default:
      return node.value;
  }
}

/** `1.0`, `{a=1, b=[x, null]}`: what `toString()` gives. */
export function javaText(value: PlainValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? String(BigInt(value)) : javaDoubleText(value);
  if (value === null) return 'null';
  const list = listOf(value);
  if (list !== null) return `[${list.map(javaText).join(', ')}]`;
  if (value instanceof Map) return `{${[...value].map(([name, item]) => `${name}=${javaText(item)}`).join(', ')}}`;
  return value.toString();
}

/** The items of a list; null for what is none. */
export function listOf(value: PlainValue): readonly PlainValue[] | null {
  return Array.isArray(value) ? value : null;
}

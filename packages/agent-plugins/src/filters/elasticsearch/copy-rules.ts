/**
 * Copies from an answer into an event, as `fields`, `docinfo_fields` and `aggregation_fields` list them: name in the answer,
 * field of the event.
 */
import type { EventMap, EventValue, FieldReference } from '@shoal/agent-event';
import { fieldBelow, optionError } from '@shoal/agent-plugin-kit';

export interface CopyRule {
  readonly name: string;
  /** Parts of a `name` in brackets or with dots; the name alone without any. */
  readonly path: readonly string[];
  readonly to: FieldReference;
}

/** @param target the event's field below which all copies go; null for the top of the event */
export function copyRules(
  pairs: Iterable<readonly [string, unknown]>,
  target: FieldReference | null,
): readonly CopyRule[] {
  return [...pairs].map(([name, field]) => ({ name, path: pathOf(name), to: fieldBelow(target, String(field)) }));
}

/** The pairs of `fields`: a hash, a list of lists of two, or a list of names and fields in turn. */
export function copiedFields(value: unknown): Iterable<readonly [string, unknown]> {
  if (value instanceof Map) return value;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isFlat = !items.some(Array.isArray);
  const pairs = isFlat ? Array.from({ length: items.length / 2 }, (_, n) => items.slice(2 * n, 2 * n + 2)) : items;
  if ((isFlat && items.length % 2 !== 0) || !pairs.every(isPair)) {
    throw optionError('[fields] must have pairs: a name in the document, a field of the event');
  }
  return pairs.map(([name, field]) => [String(name), field]);
}

function isPair(value: unknown): value is readonly [unknown, unknown] {
  return Array.isArray(value) && value.length === 2;
}

/** Value of a rule's name; null where there is none. A name that a document really has goes before its parts. */
export function valueAt(from: EventMap, { name, path }: CopyRule): EventValue {
  const whole = from.get(name);
  if (whole !== undefined) return whole;
  let value: EventValue | undefined = from;
  for (const part of path) value = value instanceof Map ? value.get(part) : undefined;
  return value ?? null;
}

function pathOf(name: string): readonly string[] {
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1).split('][') : name.split('.');
}

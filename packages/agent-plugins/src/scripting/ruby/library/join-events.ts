/**
 * One event appended to another: a field that both have holds the values of both.
 */
import type { EventMap, EventValue } from '@shoal/agent-event';
import { equals } from '../values/equality.ts';
import { fromRuby, toRuby } from './event-values.ts';

/** Fields that an event has once, whatever is appended to it. */
const ONCE = new Set(['@timestamp', '@version']);

export function appendFields(into: EventMap, from: EventMap): void {
  for (const [name, added] of from) {
    const there = into.get(name);
    if (there === undefined) into.set(name, copyOf(added));
    else if (!ONCE.has(name)) into.set(name, joined(there, added));
  }
}

function joined(there: EventValue, added: EventValue): EventValue {
  if (there instanceof Map && added instanceof Map) {
    appendFields(there, added);
    return there;
  }
  if (!Array.isArray(there) && !Array.isArray(added) && isSameValue(there, added)) return there;
  const distinct: EventValue[] = [];
  for (const value of [...listOf(there), ...listOf(copyOf(added))]) {
    if (!distinct.some((other) => isSameValue(other, value))) distinct.push(value);
  }
  return distinct;
}

const listOf = (value: EventValue): readonly EventValue[] => (Array.isArray(value) ? value : [value]);
const isSameValue = (a: EventValue, b: EventValue): boolean => equals(toRuby(a, null), toRuby(b, null));
/** The events go on apart. */
const copyOf = (value: EventValue): EventValue => fromRuby(toRuby(value, null));

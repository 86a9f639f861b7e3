/**
 * An event as scripts see it: `get set remove tag cancel clone`, with plain values of JavaScript.
 */

import {
  compileTemplate,
  type EventMap,
  type EventValue,
  type LogEvent,
  parseFieldReference,
  Timestamp,
} from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';

/** Deeper values are refused: they hold themselves. */
const DEPTH_MAX = 200;

export class ScriptEvent {
  readonly #event: LogEvent;

  constructor(event: LogEvent) {
    this.#event = event;
  }

  /** undefined when there is no such field; maps are objects, times are `Date`s, integers beyond 2^53 bigints. */
  get(field: string): unknown {
    const value = this.#event.get(parseFieldReference(field));
    return value === undefined ? undefined : toScript(value);
  }

  set(field: string, value: unknown): void {
    this.#event.set(parseFieldReference(field), fromScript(value, 0));
  }

  remove(field: string): unknown {
    const value = this.#event.remove(parseFieldReference(field));
    return value === undefined ? undefined : toScript(value);
  }

  tag(tag: string): void {
    this.#event.tag(tag);
  }

  cancel(): void {
    this.#event.cancel();
  }

  clone(): ScriptEvent {
    return new ScriptEvent(this.#event.clone());
  }

  sprintf(text: string): string {
    return compileTemplate(text).render(this.#event);
  }

  toObject(): unknown {
    return toScript(this.#event.fields);
  }

  /** The event itself, for what hands it on. */
  static unwrap(event: ScriptEvent): LogEvent {
    return event.#event;
  }
}

export function toScript(value: EventValue): unknown {
  if (value instanceof Timestamp) return new Date(value.epochMs);
  if (value instanceof DoubleNumber) return value.value;
  if (Array.isArray(value)) return value.map(toScript);
  if (!(value instanceof Map)) return value;
  const object: Record<string, unknown> = Object.create(null);
  for (const [name, item] of value) object[name] = toScript(item);
  return object;
}

/** Objects of another realm are told by their kind, not by their class. Functions and undefined become null. */
export function fromScript(value: unknown, depth = 0): EventValue {
  if (depth > DEPTH_MAX) throw new TypeError('a value of a script is too deep, or holds itself');
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'object':
      return value === null ? null : fromObject(value, depth);
    default:
      return null;
  }
}

function fromObject(value: object, depth: number): EventValue {
  if (Array.isArray(value)) return value.map((item) => fromScript(item, depth + 1));
  const kind = Object.prototype.toString.call(value);
  if (kind === '[object Date]') return new Timestamp(Number(value));
  const map: EventMap = new Map();
  if (kind === '[object Map]') {
    for (const [name, item] of value as Map<unknown, unknown>) map.set(String(name), fromScript(item, depth + 1));
    return map;
  }
  for (const [name, item] of Object.entries(value)) map.set(name, fromScript(item, depth + 1));
  return map;
}

/**
 * Events as `Map`s: the implementation of `LogEvent`. Everything in a pipeline passes through `get` and `set`.
 *
 * No clock here: an event without a time gets it from `stampEvent`, which the pipeline calls where inputs hand events over.
 */
import { DoubleNumber, ShoalError } from '@shoal/core';
import { parseTimestamp } from '../time/parse-timestamp.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventMap, EventValue } from '../values/event-value.ts';
import type { FieldReference } from './field-reference.ts';
import type { LogEvent } from './log-event.ts';

const TIMESTAMP = '@timestamp';
const VERSION = '@version';
const METADATA = '@metadata';
const TAGS = 'tags';
const TIMESTAMP_FAILURE = '_timestampparsefailure';
const TAGS_FAILURE = '_tagsparsefailure';
const INDEX = /^-?\d{1,9}$/;
/** An index beyond this is a mistake or an attack: the gap would be filled with nulls. */
const ARRAY_LENGTH_MAX = 100_000;

/**
 * An event of these maps, which it owns from now on. `@version` is added, a text in `@timestamp` becomes a time, and
 * `@metadata` among the fields becomes the metadata. A `@timestamp` or `tags` that is none moves aside, with a tag.
 */
export function createEvent(fields: EventMap = new Map(), metadata: EventMap = new Map()): LogEvent {
  const event = new MapEvent(fields, takeMetadata(fields, metadata));
  const time = fields.get(TIMESTAMP);
  if (time !== undefined && !(time instanceof Timestamp)) takeTimestamp(event, time);
  const tags = fields.get(TAGS);
  if (tags !== undefined && !isTags(tags)) {
    fields.delete(TAGS);
    fields.set('_tags', tags);
    event.tag(TAGS_FAILURE);
  }
  if (!fields.has(VERSION)) fields.set(VERSION, '1');
  return event;
}

/** An event exactly of these maps: nothing is added or looked at. For what was an event before. */
export function restoreEvent(fields: EventMap, metadata: EventMap): LogEvent {
  return new MapEvent(fields, metadata);
}

/** The same as `restoreEvent`, with metadata shared between events: copied on first access. */
export function eventSharingMetadata(fields: EventMap, metadata: EventMap): LogEvent {
  return new MapEvent(fields, null, metadata);
}

/** Gives an event that has no time the time at which it was taken. */
export function stampEvent(event: LogEvent, now: Timestamp): void {
  if (!event.fields.has(TIMESTAMP)) event.fields.set(TIMESTAMP, now);
}

function takeMetadata(fields: EventMap, metadata: EventMap): EventMap {
  const given = fields.get(METADATA);
  if (given === undefined) return metadata;
  fields.delete(METADATA);
  if (given instanceof Map) for (const [name, value] of given) metadata.set(name, value);
  return metadata;
}

function takeTimestamp(event: LogEvent, value: EventValue): void {
  const parsed = typeof value === 'string' ? parseTimestamp(value) : null;
  if (parsed !== null) {
    event.fields.set(TIMESTAMP, parsed);
    return;
  }
  event.fields.delete(TIMESTAMP);
  if (value === null) return;
  event.fields.set(`_${TIMESTAMP}`, value);
  event.tag(TIMESTAMP_FAILURE);
}

function isTags(value: EventValue): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}

/** Deep; what cannot change is shared. */
export function cloneValue(value: EventValue): EventValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Map) return cloneMap(value);
  return Array.isArray(value) ? value.map(cloneValue) : value;
}

function cloneMap(map: EventMap): EventMap {
  const copy: EventMap = new Map();
  for (const [name, value] of map) copy.set(name, typeof value === 'object' ? cloneValue(value) : value);
  return copy;
}

/** The value at the end of the path; the map itself for an empty one. */
export function valueAt(root: EventMap, path: readonly string[]): EventValue | undefined {
  const first = path[0];
  if (first === undefined) return root;
  let value = root.get(first);
  for (let i = 1; i < path.length && value !== undefined; i++) value = child(value, path[i] ?? '');
  return value;
}

class MapEvent implements LogEvent {
  readonly fields: EventMap;
  private ownMetadata: EventMap | null;
  private readonly sharedMetadata: EventMap | null;
  private cancelled = false;

  constructor(fields: EventMap, metadata: EventMap | null, sharedMetadata: EventMap | null = null) {
    this.fields = fields;
    this.ownMetadata = metadata;
    this.sharedMetadata = sharedMetadata;
  }

  get metadata(): EventMap {
    this.ownMetadata ??= cloneMap(this.sharedMetadata ?? new Map());
    return this.ownMetadata;
  }

  get(reference: FieldReference): EventValue | undefined {
    return valueAt(reference.isMetadata ? this.metadata : this.fields, reference.path);
  }

  set(reference: FieldReference, value: EventValue): void {
    const { path } = reference;
    const first = path[0];
    const root = reference.isMetadata ? this.metadata : this.fields;
    if (first === undefined) {
      this.setMetadata(reference, value);
    } else if (path.length > 1) {
      if (first === TAGS && root === this.fields && !INDEX.test(path[1] ?? ''))
        throw cannotSet(reference, 'tags hold texts, no fields');
      setInside(reference, root, value);
    } else {
      root.set(first, root === this.fields ? legalValue(reference, value) : value);
    }
  }

  private setMetadata(reference: FieldReference, value: EventValue): void {
    if (!(value instanceof Map)) throw cannotSet(reference, 'it can only be a map');
    this.metadata.clear();
    for (const [name, item] of value) this.metadata.set(name, item);
  }

  remove(reference: FieldReference): EventValue | undefined {
    const { path } = reference;
    const root = reference.isMetadata ? this.metadata : this.fields;
    const last = path[path.length - 1];
    if (last === undefined) return this.removeMetadata();
    let parent: EventValue | undefined = root;
    for (let i = 0; i < path.length - 1 && parent !== undefined; i++) parent = child(parent, path[i] ?? '');
    if (parent instanceof Map) {
      const value = parent.get(last);
      if (value !== undefined) parent.delete(last);
      return value;
    }
    if (!Array.isArray(parent)) return undefined;
    const index = indexOf(parent, last);
    return index >= 0 && index < parent.length ? parent.splice(index, 1)[0] : undefined;
  }

  private removeMetadata(): EventValue | undefined {
    if (this.metadata.size === 0) return undefined;
    const copy = new Map(this.metadata);
    this.metadata.clear();
    return copy;
  }

  get timestamp(): Timestamp | null {
    const value = this.fields.get(TIMESTAMP);
    return value instanceof Timestamp ? value : null;
  }

  set timestamp(time: Timestamp | null) {
    if (time === null) this.fields.delete(TIMESTAMP);
    else this.fields.set(TIMESTAMP, time);
  }

  tag(tag: string): void {
    if (!this.hasTag(tag)) this.addTag(tag);
  }

  addTag(tag: string): void {
    const tags = this.fields.get(TAGS);
    if (Array.isArray(tags)) tags.push(tag);
    else this.fields.set(TAGS, tags === undefined || tags === null ? [tag] : [tags, tag]);
  }

  hasTag(tag: string): boolean {
    const tags = this.fields.get(TAGS);
    return Array.isArray(tags) ? tags.includes(tag) : tags === tag;
  }

  cancel(): void {
    this.cancelled = true;
  }

  get isCancelled(): boolean {
    return this.cancelled;
  }

  clone(): LogEvent {
    return new MapEvent(cloneMap(this.fields), cloneMap(this.metadata));
  }
}

function child(value: EventValue, name: string): EventValue | undefined {
  if (value instanceof Map) return value.get(name);
  if (!Array.isArray(value)) return undefined;
  const index = indexOf(value, name);
  return index < 0 ? undefined : value[index];
}

/** Negative ones count from the end; -1 when there is no such item or the name is no index. */
function indexOf(array: readonly EventValue[], name: string): number {
  if (!INDEX.test(name)) return -1;
  const index = Number(name);
  return index < 0 ? Math.max(-1, array.length + index) : index;
}

function setInside(reference: FieldReference, root: EventMap, value: EventValue): void {
  const { path } = reference;
  let parent: EventValue = root;
  for (let i = 0; i < path.length - 1; i++) {
    const name = path[i] ?? '';
    let next: EventValue | undefined = child(parent, name);
    if (next === undefined || next === null) {
      next = new Map();
      put(reference, parent, name, next);
    }
    parent = next;
  }
  put(reference, parent, path[path.length - 1] ?? '', value);
}

function put(reference: FieldReference, parent: EventValue, name: string, value: EventValue): void {
  if (parent instanceof Map) {
    parent.set(name, value);
    return;
  }
  if (!Array.isArray(parent)) throw cannotSet(reference, `a ${kindOf(parent)} stands in its path`);
  const index = indexOf(parent, name);
  if (index < 0) throw cannotSet(reference, `[${name}] is no index of the array in its path`);
  if (index >= ARRAY_LENGTH_MAX) throw cannotSet(reference, `an array holds at most ${ARRAY_LENGTH_MAX} items`);
  while (parent.length < index) parent.push(null);
  parent[index] = value;
}

/**
 * A value for a field at the top. What stands in `@timestamp` is a time, and in `tags` texts: every part of a pipeline may
 * rely on it.
 */
export function legalValue(reference: FieldReference, value: EventValue): EventValue {
  const [name] = reference.path;
  if (name === TIMESTAMP) return asTimestamp(reference, value);
  if (name === TAGS && value !== null && !isTags(value))
    throw cannotSet(reference, `tags are a string or an array of strings, not a ${kindOf(value)}`);
  return value;
}

function asTimestamp(reference: FieldReference, value: EventValue): Timestamp {
  const time = typeof value === 'string' ? parseTimestamp(value) : value;
  if (time instanceof Timestamp) return time;
  throw cannotSet(reference, `a ${kindOf(value)} is no timestamp`);
}

/** What users call the kind of a value. */
export function kindOf(value: EventValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Map) return 'map';
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof DoubleNumber) return 'float';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'float';
  return typeof value;
}

function cannotSet(reference: FieldReference, why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `Could not set field [${reference.text}]: ${why}`);
}

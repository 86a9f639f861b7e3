/**
 * One event on its way through a pipeline: named fields, metadata apart, tags.
 */

import type { Timestamp } from '../time/timestamp.ts';
import type { EventMap, EventValue } from '../values/event-value.ts';
import type { FieldReference } from './field-reference.ts';

export interface LogEvent {
  /** undefined when there is none; null is a value. */
  get(reference: FieldReference): EventValue | undefined;
  /** Makes missing maps on the way; throws a `ShoalError` where a scalar stands in it. */
  set(reference: FieldReference, value: EventValue): void;
  /** The value it had; undefined when there was none. */
  remove(reference: FieldReference): EventValue | undefined;
  readonly fields: EventMap;
  readonly metadata: EventMap;
  /** null when `@timestamp` was removed or is no timestamp. */
  timestamp: Timestamp | null;
  /** Adds a tag once. */
  tag(tag: string): void;
  /** Adds a tag, again where it is there. */
  addTag(tag: string): void;
  hasTag(tag: string): boolean;
  /** Takes no further part: no later filter and no output sees it. */
  cancel(): void;
  readonly isCancelled: boolean;
  /** Deep, with metadata. */
  clone(): LogEvent;
}

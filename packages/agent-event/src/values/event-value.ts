/**
 * Values of an event's fields: what a pipeline moves, in the kinds that Logstash knows.
 *
 * 64-bit integers and floats keep their kind: a bigint is an integer beyond 2^53, a `DoubleNumber` a float that is whole
 * (1.0). Maps are `Map`s, never objects: `__proto__` is a legal field name.
 */
import type { DoubleNumber } from '@shoal/core';
import type { Timestamp } from '../time/timestamp.ts';

export type EventValue =
  | null
  | boolean
  | string
  /** Integer when whole; a float that is whole is a `DoubleNumber`. */
  | number
  | bigint
  | DoubleNumber
  | Timestamp
  | EventValue[]
  | EventMap;

export type EventMap = Map<string, EventValue>;

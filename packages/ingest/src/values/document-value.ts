/**
 * Values of a document on its way through a pipeline: JSON in which every number keeps the kind in which it was written.
 */
import type { EventMap, EventValue } from '@shoal/agent-event';

/** An integer beyond 2^53 is a bigint, a whole number with a fraction (`1.0`) a `DoubleNumber`; objects are maps. */
export type DocumentValue = EventValue;
export type DocumentMap = EventMap;

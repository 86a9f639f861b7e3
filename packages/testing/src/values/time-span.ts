/**
 * Times as tests give them: spans in milliseconds or as a text such as `1d`, and instants.
 */
import { parseTimeValue } from '@shoal/core';

/** @throws RangeError for a span that goes back, or none; ShoalError for a text that is no time */
export function millisOf(span: number | string): number {
  const ms = typeof span === 'number' ? span : parseTimeValue(span, 'advance');
  if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`time goes forward, and this is [${span}]`);
  return ms;
}

/** Milliseconds since 1970-01-01 UTC. */
export function instantOf(to: Date | number | string): number {
  const ms = typeof to === 'number' ? to : (to instanceof Date ? to : new Date(to)).getTime();
  if (!Number.isFinite(ms)) throw new RangeError(`no time: [${String(to)}]`);
  return ms;
}

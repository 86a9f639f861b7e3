/**
 * Spans of time as tests give them: milliseconds, or a text such as `1d` or `90s`.
 */
import { parseTimeValue } from '@shoal/core';

/** @throws RangeError for a span that goes back, or none; ShoalError for a text that is no time */
export function millisOf(span: number | string): number {
  const ms = typeof span === 'number' ? span : parseTimeValue(span, 'advance');
  if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`time goes forward, and this is [${span}]`);
  return ms;
}

/**
 * `time_zone` of an aggregation: a name, an offset, or a number of hours east of UTC.
 */
import { ShoalError } from '@shoal/core';
import { readInteger, readString } from '@shoal/query';
import { timeZone } from '@shoal/schema';
import type { OptionReader } from '../request/option-reader.ts';

const OFFSET_HOURS_MAX = 18;

/** Name of a zone that exists; null when not given. */
export function parseZone(options: OptionReader): string | null {
  return options.within('time_zone', () => {
    const node = options.ofKind('time_zone', ['string', 'number']);
    if (node === null) return null;
    if (node.kind === 'string') return timeZone(readString(node, 'time_zone')).name;
    const hours = readInteger(node, 'time_zone');
    if (Math.abs(hours) > OFFSET_HOURS_MAX) {
      const range = `is not in the range -${OFFSET_HOURS_MAX} to ${OFFSET_HOURS_MAX}`;
      throw new ShoalError('date_time_exception', 400, `Zone offset hours not in valid range: value ${hours} ${range}`);
    }
    const digits = String(Math.abs(hours)).padStart(2, '0');
    return timeZone(`${hours < 0 ? '-' : '+'}${digits}:00`).name;
  });
}

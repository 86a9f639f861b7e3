/**
 * Values of settings as users write them: durations (`30s`), sizes (`512mb`), booleans.
 *
 * Each reader returns null for text that is none; the caller knows the setting and words the error.
 */
import { isShoalError, parseByteSize, parseTimeValue } from '@shoal/core';

/** Milliseconds of a duration; -1 and 0 need no unit. */
export function parseDurationMs(text: string): number | null {
  return orNull(() => parseTimeValue(text, 'setting'));
}

/** Bytes of a size; -1 and 0 need no unit. */
export function parseBytes(text: string): number | null {
  return orNull(() => parseByteSize(text, 'setting'));
}

function orNull(read: () => number): number | null {
  try {
    return read();
  } catch (error) {
    if (isShoalError(error)) return null;
    throw error;
  }
}

export function parseBoolean(text: string): boolean | null {
  if (text === 'true') return true;
  if (text === 'false') return false;
  return null;
}

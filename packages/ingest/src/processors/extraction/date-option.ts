/** A date in a field, read by one of some formats: the last that reads it, as Elasticsearch has it. */

import { illegalArgument, isShoalError, type ShoalError, withSuppressed } from '@shoal/core';
import { javaText } from '@shoal/script';
import type { DateReader } from '../../values/date-reader.ts';
import type { DocumentValue } from '../../values/document-value.ts';

/**
 * Milliseconds since 1970.
 *
 * @param readers each makes a reader, which may fail as well
 * @throws illegal_argument_exception that tells why the formats did not read it
 */
export function readDate(value: DocumentValue, readers: readonly (() => DateReader)[]): number {
  const text = javaText(value);
  let found: number | null = null;
  const refusals: ShoalError[] = [];
  for (const reader of readers) {
    try {
      found = reader()(text);
    } catch (error) {
      if (!isShoalError(error)) throw error;
      refusals.push(error);
    }
  }
  if (found !== null) return found;
  const [first, ...suppressed] = refusals;
  throw illegalArgument(
    `unable to parse date [${text}]`,
    first === undefined ? {} : { causedBy: withSuppressed(first, suppressed) },
  );
}

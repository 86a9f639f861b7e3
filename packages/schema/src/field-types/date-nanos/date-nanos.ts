/**
 * Declaration of `date_nanos`: instants in nanoseconds from 1970 to 2262, read and printed in the declared format.
 */
import { isShoalError } from '@shoal/core';
import { dateFormatter } from '../../dates/date-formats.ts';
import type { DeclaredType } from '../contract/declared-type.ts';
import { DATE } from '../date/date.ts';

export const DATE_NANOS: DeclaredType = {
  ...DATE,
  storedValue: (value, { format }) => {
    try {
      const formatter = dateFormatter(format);
      return formatter.printNanos(formatter.parseNanos(typeof value === 'number' ? value : String(value)));
    } catch (error) {
      // The document was accepted with it, so the field ignores what is malformed.
      if (isShoalError(error)) return null;
      throw error;
    }
  },
};

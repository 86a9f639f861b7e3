/**
 * Declaration of `date`: instants in milliseconds, read and printed in the declared format.
 */
import { isShoalError } from '@shoal/core';
import { dateFormatter } from '../../dates/date-formats.ts';
import { mapperParsing } from '../../declaration/mapping-error.ts';
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { nullValue } from '../contract/null-value.ts';
import { type ReadScalar, SCALAR_PARAMETERS, text, withoutEffect } from '../contract/parameter-rule.ts';

/** Format of dates when the mapping names none. */
export const DATE_FORMAT_DEFAULT = 'strict_date_optional_time||epoch_millis';

/** Kept as it is given: its format says what it means. */
function readDate(value: unknown, { name, json }: Parameters<ReadScalar>[1]): string {
  const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
  try {
    dateFormatter(String(json.format ?? DATE_FORMAT_DEFAULT)).parseMs(shown);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw mapperParsing(`Error parsing [null_value] on field [${name}]: ${error.reason}`, error);
  }
  return shown;
}

export const DATE: DeclaredType = {
  parameters: new Map([
    ...SCALAR_PARAMETERS,
    ['null_value', nullValue(readDate)],
    ['format', text(DATE_FORMAT_DEFAULT)],
    [
      'locale',
      withoutEffect('', ['', 'en', 'en_US', 'ROOT'], 'all of them name months and days in English, as the formats do'),
    ],
  ]),
  check: (name, { format }) => {
    if (typeof format !== 'string') return;
    try {
      dateFormatter(format);
    } catch (error) {
      if (!isShoalError(error)) throw error;
      throw mapperParsing(`Error parsing [format] on field [${name}]: ${error.reason}`, error);
    }
  },
  settings: (value) => ({ ...NO_SETTINGS, format: String(value('format')) }),
  storedValue: (value, { format }) => {
    try {
      const formatter = dateFormatter(format);
      return formatter.print(formatter.parseMs(typeof value === 'number' ? value : String(value)));
    } catch (error) {
      // The document was accepted with it, so the field ignores what is malformed.
      if (isShoalError(error)) return null;
      throw error;
    }
  },
};

import { describe, expect, test } from 'vitest';
import type { ValueFormat } from '../../values/value-format.ts';
import { valuePrinter } from '../../values/value-format.ts';
import { renderStatsValues } from './render-stats.ts';
import type { StatsPartial } from './stats-partial.ts';

const partial = (values: readonly number[], format: ValueFormat): StatsPartial => ({
  kind: 'stats',
  format,
  count: values.length,
  min: Math.min(...values),
  max: Math.max(...values),
  sum: values.reduce((a, b) => a + b, 0),
  sumOfSquares: values.reduce((a, b) => a + b * b, 0),
});

describe('statistics shown with a format', () => {
  test('of truth values are truth values, and text where they deviate', () => {
    const shown = renderStatsValues('extended_stats', partial([0, 1, 1], { kind: 'boolean' }), 2);
    expect(shown).toMatchObject({
      min_as_string: false,
      max_as_string: true,
      sum_of_squares_as_string: true,
      variance_as_string: true,
      std_deviation_as_string: 'true',
      std_deviation_bounds_as_string: { upper: 'true', lower: 'true' },
    });
  });

  test('of dates end at the last instant of 64 bits, and have signs behind the year 9999', () => {
    const format: ValueFormat = { kind: 'date', format: 'strict_date_optional_time', timeZone: 'Europe/Berlin' };
    const { text } = valuePrinter(format);
    expect(text(1_631_996_894_469_423)).toMatch(/^\+53685-12-0/);
    expect(text(2.6e27)).toMatch(/^\+292278994-08-17/);
    expect(text(1_647_735_272_074.49)).toBe('2022-03-20T01:14:32.074+01:00');
    expect(valuePrinter({ ...format, format: 'yyyy/MM/dd' }).text(2.6e27)).toBe('+292278994/08/17');
  });
});

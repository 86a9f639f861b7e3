import { expect, test } from 'vitest';
import { printDecimal } from './decimal-pattern.ts';

test.each([
  [1234.5678, '#,##0.00', '1,234.57'],
  [1234567, '#,###', '1,234,567'],
  [0.5, '0.0', '0.5'],
  [0.5, '#.##', '.5'],
  [0, '#.##', '0'],
  [0.125, '0.00', '0.12'],
  [0.375, '0.00', '0.38'],
  [2.5, '0', '2'],
  [3.5, '0', '4'],
  [-2.5, '0', '-2'],
  [-0.2, '0', '-0'],
  [0.256, '0.0%', '25.6%'],
  [42, '000', '042'],
  [42, '$0.00', '$42.00'],
  [42, "0.0'#'", '42.0#'],
  [1.5, "'about' 0.0", 'about 1.5'],
  [12, '0 K', '12 K'],
  [Number.NaN, '0.0', 'NaN'],
  [Number.POSITIVE_INFINITY, '0.0', '∞'],
  [Number.NEGATIVE_INFINITY, '0.0', '-∞'],
])('%d as %s is %s', (value, pattern, text) => {
  expect(printDecimal(value, pattern)).toBe(text);
});

/** What number formats of scripts print and read, as recorded from a server that speaks painless. */
import { isShoalError, renderCause, type ShoalError } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { compileScript } from '../programs/compile-script.ts';
import { PAINLESS_TEST_CONTEXT } from '../programs/script-context.ts';
import { textOf } from '../values/java-text.ts';
import { fromPlain } from '../values/json-values.ts';

const result = (text: string): string =>
  textOf(compileScript({ lang: 'painless', text }, PAINLESS_TEST_CONTEXT).run([fromPlain({})]));

function failureOf(text: string): ShoalError {
  try {
    result(text);
  } catch (error) {
    if (isShoalError(error)) return error;
    throw error;
  }
  throw new Error(`[${text}] did not fail`);
}

describe('a DecimalFormat', () => {
  test.each([
    ['0.00', '1.005', '1.00'],
    ['0.00', '0.125', '0.12'],
    ['#,##0.00', '1234567.891', '1,234,567.89'],
    ['#.##', '0.5', '0.5'],
    ['#.##', '-0.001', '-0'],
    ['#', '2.5', '2'],
    ['00.0#E0', '12345', '12.34E3'],
    ['0.###E0', '0.00012345', '1.234E-4'],
    ['##0.##E0', '12345', '12.345E3'],
    ['0.0%', '0.1234', '12.3%'],
    ['$#,##0;($#)', '-1234.5', '($1,234)'],
    ['#,####', '123456789', '1,2345,6789'],
    ['0000', '7', '0007'],
    ['#.00', '0.1', '.10'],
    ['#', '0', '0'],
    ['0', 'Double.NaN', '\ufffd'],
    ['0', 'Double.POSITIVE_INFINITY', '\u221e'],
    ['0', '12345678901L', '12345678901'],
    ['abc 0.0 def', '3', 'abc 3.0 def'],
    ['0.00', "new BigDecimal('2.345')", '2.34'],
    ['#,##0.###', '-1234.5678', '-1,234.568'],
    ['0.00\u2030', '0.5', '500.00\u2030'],
    ['0.00', '1e20', '100000000000000000000.00'],
    ['', '1234.5678', '1,234.5678'],
    ['.00', '3.14159', '3.14'],
    ['#.#', '1e-7', '0'],
  ])('by %j prints %s as %j', (pattern, value, text) => {
    expect(result(`return new DecimalFormat('${pattern}').format(${value})`)).toBe(text);
  });

  test.each([
    ['return NumberFormat.getInstance(Locale.ROOT).format(1234567.12345)', '1,234,567.123'],
    ['return NumberFormat.getPercentInstance(Locale.US).format(0.256)', '26%'],
    ['return NumberFormat.getIntegerInstance(Locale.US).format(2.5)', '2'],
    ['return NumberFormat.getInstance(Locale.GERMANY).format(1234567.12)', '1.234.567,12'],
    ["def f = new DecimalFormat('0.00'); f.setRoundingMode(RoundingMode.HALF_UP); return f.format(0.125)", '0.13'],
    ["return new DecimalFormat('#,##0.00', new DecimalFormatSymbols(Locale.GERMANY)).format(1234.5)", '1.234,50'],
    ["return new DecimalFormat('0.00').parse('3.50')", '3.5'],
    ["return new DecimalFormat('#,##0.00').parse('1,234.5kg')", '1234.5'],
    ["try { new DecimalFormat('0.0').parse('x') } catch (Exception e) { return e.message }", 'Unparseable number: "x"'],
    ["DecimalFormat f = new DecimalFormat('#.#'); f.setMinimumFractionDigits(3); return f.format(1)", '1.000'],
  ])('runs %s', (script, text) => {
    expect(result(script)).toBe(text);
  });

  test.each([
    ["new DecimalFormat('0.0.0')", 'Multiple decimal separators in pattern "0.0.0"'],
    ["new DecimalFormat('0.00').format('a')", 'Cannot format given Object as a Number'],
  ])('refuses %s', (script, reason) => {
    const failure = failureOf(`return ${script}`);
    expect(failure.type).toBe('script_exception');
    expect(JSON.stringify(renderCause(failure))).toContain(JSON.stringify(reason).slice(1, -1));
  });
});

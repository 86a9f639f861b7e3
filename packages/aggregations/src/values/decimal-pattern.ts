/**
 * Numbers in Java's DecimalFormat notation, as `format` of an aggregation gives it: `0.00`, `#,##0.##`, `$0K`, `0.0%`, `0.###E0`.
 *
 * Half goes to the even digit. A pattern without any digit place shows the number whole.
 */

interface DecimalPattern {
  readonly prefix: string;
  readonly suffix: string;
  readonly integersMin: number;
  readonly fractionsMin: number;
  readonly fractionsMax: number;
  /** Digits between two commas; 0: no commas. */
  readonly grouping: number;
  readonly factor: number;
}

/** Fraction digits that a double can have. */
const FRACTIONS_MAX = 20;

export function printDecimal(value: number, pattern: string): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
  const parsed = parsePattern(pattern);
  const scaled = Math.abs(value) * parsed.factor;
  const text = roundHalfEven(scaled, Math.min(parsed.fractionsMax, FRACTIONS_MAX));
  const [whole = '0', fraction = ''] = text.split('.');
  const kept = fraction.replace(/0+$/, '').padEnd(parsed.fractionsMin, '0');
  const integers = whole.replace(/^0+(?=\d)/, '').padStart(parsed.integersMin, '0');
  const digits = parsed.integersMin === 0 && integers === '0' && kept !== '' ? '' : integers;
  const grouped =
    parsed.grouping > 0 ? digits.replace(new RegExp(`\\B(?=(?:\\d{${parsed.grouping}})+$)`, 'g'), ',') : digits;
  // What rounds to nothing keeps its sign, as in Java.
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return `${sign}${parsed.prefix}${grouped}${kept === '' ? '' : `.${kept}`}${parsed.suffix}`;
}

function parsePattern(pattern: string): DecimalPattern {
  const [positive = ''] = pattern.split(';');
  const match = /^((?:'[^']*'|[^#0,.])*)([#0,.]*)(.*)$/s.exec(positive);
  const [, before = '', number = '', after = ''] = match ?? [];
  const [integers = '', fractions = ''] = number.split('.');
  const comma = integers.lastIndexOf(',');
  const affix = (text: string) => text.replace(/'([^']*)'/g, (_, quoted: string) => (quoted === '' ? "'" : quoted));
  return {
    prefix: affix(before),
    suffix: affix(after),
    integersMin: integers.replace(/[^0]/g, '').length,
    fractionsMin: fractions.replace(/[^0]/g, '').length,
    fractionsMax: number === '' ? FRACTIONS_MAX : fractions.replace(/[^0#]/g, '').length,
    grouping: comma < 0 ? 0 : integers.length - comma - 1,
    factor: after.includes('%') || before.includes('%') ? 100 : 1,
  };
}

function roundHalfEven(value: number, digits: number): string {
  const text = value.toFixed(Math.min(digits, FRACTIONS_MAX));
  // toFixed rounds an exact half up: only then does the even neighbour matter.
  const scale = 10 ** digits;
  const exact = value * scale;
  if (digits > 15 || exact % 1 !== 0.5) return text;
  const even = 2 * Math.round(exact / 2);
  return (even / scale).toFixed(digits);
}

/**
 * `DecimalFormat` and its kin: numbers as text by a pattern, in the signs of a locale, and read back.
 */
import type { ScriptMachine } from '../machine/script-machine.ts';
import type { JavaLocale } from '../time/java-locale.ts';
import { illegalArgumentException, JavaException } from '../values/java-exception.ts';
import { JavaBigInteger, numberType, rawNumber } from '../values/java-numbers.ts';
import { ScriptObject } from '../values/script-object.ts';
import { decimalOf, JavaBigDecimal, type Rounding, rescaled, roundedTo, stripped } from './big-decimal.ts';
import { type DecimalPattern, parseDecimalPattern } from './decimal-pattern.ts';

/** Decimals of a double that are looked at to tell a half from what is near to one. */
const EXACT_DECIMALS = 100;
/** From here on a double is a whole number, which JavaScript prints with an exponent. */
const WIDE = 1e21;
/** What Java's own data of locales, which Elasticsearch is started with, has for what is no number. */
const NO_NUMBER = '\ufffd';

/** Signs that numbers are written with. */
export class DecimalSymbols extends ScriptObject {
  readonly javaClass = 'java.text.DecimalFormatSymbols';
  decimal: string;
  grouping: string;

  constructor(locale: JavaLocale) {
    super();
    const parts = new Intl.NumberFormat(locale.platformTag, { useGrouping: true }).formatToParts(-1_234_567.5);
    this.decimal = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
    this.grouping = parts.find(({ type }) => type === 'group')?.value ?? ',';
  }

  text(): string {
    return this.javaClass;
  }
}

export class DecimalFormat extends ScriptObject {
  readonly javaClass = 'java.text.DecimalFormat';
  pattern: DecimalPattern;
  rounding: Rounding = 'HALF_EVEN';
  symbols: DecimalSymbols;
  /** Digits between two separators while grouping is off. */
  #groupSize = 0;

  constructor(pattern: string, symbols: DecimalSymbols) {
    super();
    this.pattern = parseDecimalPattern(pattern);
    this.symbols = symbols;
  }

  change(change: Partial<DecimalPattern>): void {
    this.pattern = { ...this.pattern, ...change };
  }

  setGrouping(isUsed: boolean): void {
    const { groupSize } = this.pattern;
    if (groupSize > 0) this.#groupSize = groupSize;
    this.change({ groupSize: isUsed ? groupSize || this.#groupSize || 3 : 0 });
  }

  /** @throws JavaException `IllegalArgumentException` for what is no number */
  format(machine: ScriptMachine, value: unknown): string {
    const text = this.#formatted(machine, value);
    machine.grow(text.length);
    return text;
  }

  #formatted(machine: ScriptMachine, value: unknown): string {
    const { multiplier } = this.pattern;
    if (value instanceof JavaBigDecimal) return this.#decimal(machine, times(value, multiplier), null);
    if (value instanceof JavaBigInteger) {
      return this.#decimal(machine, new JavaBigDecimal(value.value * BigInt(multiplier), 0), null);
    }
    if (numberType(value) === null || numberType(value) === 'char') {
      throw illegalArgumentException('Cannot format given Object as a Number');
    }
    const raw = rawNumber(value);
    if (typeof raw === 'bigint') return this.#decimal(machine, new JavaBigDecimal(raw * BigInt(multiplier), 0), null);
    if (Number.isNaN(raw)) return NO_NUMBER;
    const double = raw * multiplier;
    const isNegative = double < 0 || Object.is(double, -0);
    if (!Number.isFinite(double)) return this.#signed('\u221e', isNegative);
    return this.#decimal(machine, decimalOf(Math.abs(double)), { exact: Math.abs(double), isNegative });
  }

  /** @param double which the decimal is the shortest text of; null: the number is the decimal itself */
  #decimal(
    machine: ScriptMachine,
    decimal: JavaBigDecimal,
    double: { readonly exact: number; readonly isNegative: boolean } | null,
  ): string {
    const isNegative = double?.isNegative ?? decimal.unscaled < 0n;
    const size = decimal.unscaled < 0n ? new JavaBigDecimal(-decimal.unscaled, decimal.scale) : decimal;
    const rounding = isNegative ? mirrored(this.rounding) : this.rounding;
    const exactly = (): JavaBigDecimal => (double === null ? size : exactDecimal(double.exact));
    const text =
      this.pattern.exponentDigits === null
        ? this.#plain(machine, size, exactly, rounding)
        : this.#withExponent(machine, size, exactly, rounding);
    return this.#signed(text, isNegative);
  }

  #signed(text: string, isNegative: boolean): string {
    const { prefix, suffix, negative } = this.pattern;
    if (!isNegative) return `${prefix}${text}${suffix}`;
    return negative === null ? `-${prefix}${text}${suffix}` : `${negative.prefix}${text}${negative.suffix}`;
  }

  #plain(machine: ScriptMachine, size: JavaBigDecimal, exactly: () => JavaBigDecimal, rounding: Rounding): string {
    const { minWhole, minFraction, maxFraction } = this.pattern;
    const rounded = size.scale <= maxFraction ? size : rescaled(machine, exactly(), maxFraction, rounding);
    const { unscaled, scale } = stripped(rounded, 0);
    const digits = (scale < 0 ? unscaled * 10n ** BigInt(-scale) : unscaled).toString();
    const behind = Math.max(0, scale);
    const padded = digits.padStart(behind + 1, '0');
    const ahead = padded.slice(0, padded.length - behind);
    const whole = (ahead === '0' ? '' : ahead).padStart(minWhole, '0');
    const fraction = padded.slice(padded.length - behind).padEnd(minFraction, '0');
    const shown = whole === '' && fraction === '' ? '0' : this.#grouped(whole);
    return fraction === '' ? shown : `${shown}${this.symbols.decimal}${fraction}`;
  }

  #grouped(whole: string): string {
    const { groupSize } = this.pattern;
    if (groupSize === 0) return whole;
    const first = whole.length % groupSize || groupSize;
    const groups = [whole.slice(0, first)];
    for (let at = first; at < whole.length; at += groupSize) groups.push(whole.slice(at, at + groupSize));
    return groups.join(this.symbols.grouping);
  }

  #withExponent(
    machine: ScriptMachine,
    size: JavaBigDecimal,
    exactly: () => JavaBigDecimal,
    rounding: Rounding,
  ): string {
    const { minWhole, maxWhole, minFraction, maxFraction, exponentDigits } = this.pattern;
    const wanted = maxWhole + maxFraction;
    const rounded = size.precision <= wanted ? size : roundedTo(machine, exactly(), wanted, rounding);
    const isZero = rounded.unscaled === 0n;
    const digits = isZero ? '' : rounded.unscaled.toString();
    // The number is 0.DIGITS times ten to the power of this.
    const power = isZero ? 0 : digits.length - rounded.scale;
    const isStepped = maxWhole > 1 && maxWhole > minWhole;
    const least = isStepped ? 1 : minWhole;
    const exponent = isStepped
      ? Math.trunc((power >= 1 ? power - 1 : power - maxWhole) / maxWhole) * maxWhole
      : power - (minWhole > 0 || minFraction > 0 ? minWhole : 1);
    const ahead = isZero ? least : power - exponent;
    const significant = digits.replace(/0+$/, '');
    const shown = significant.padEnd(Math.max(ahead, minWhole + minFraction), '0');
    const [whole, fraction] = [shown.slice(0, ahead), shown.slice(ahead)];
    const shownExponent = String(Math.abs(isZero ? 0 : exponent)).padStart(exponentDigits ?? 1, '0');
    const sign = !isZero && exponent < 0 ? '-' : '';
    return `${whole}${fraction === '' ? '' : this.symbols.decimal + fraction}E${sign}${shownExponent}`;
  }

  /** The number at the beginning of a text: a whole number where it is one. @throws JavaException `ParseException` */
  parse(text: string): number | bigint {
    const { prefix, suffix, negative, multiplier } = this.pattern;
    const below = negative ?? { prefix: `-${prefix}`, suffix };
    const isNegative =
      text.startsWith(below.prefix) && (below.prefix.length > prefix.length || !text.startsWith(prefix));
    const start = isNegative ? below.prefix : prefix;
    const { decimal, grouping } = this.symbols;
    const groups = this.pattern.groupSize > 0 ? grouping : '';
    let at = start.length;
    let digits = '';
    for (; text.startsWith(start) && at < text.length; at++) {
      const letter = text.charAt(at);
      if (letter >= '0' && letter <= '9') digits += letter;
      else if (letter === decimal && !digits.includes('.')) digits += '.';
      else if (letter !== groups) break;
    }
    const end = isNegative ? below.suffix : suffix;
    if (!/\d/.test(digits) || !text.startsWith(end, at)) {
      throw new JavaException('java.text.ParseException', `Unparseable number: "${text}"`);
    }
    const number = (Number(digits) / multiplier) * (isNegative ? -1 : 1);
    return Number.isSafeInteger(number) && !Object.is(number, -0) ? BigInt(number) : number;
  }

  text(): string {
    return this.javaClass;
  }
}

const times = ({ unscaled, scale }: JavaBigDecimal, by: number): JavaBigDecimal =>
  new JavaBigDecimal(unscaled * BigInt(by), scale);

/** All decimals of a double, as far as they tell how it is rounded. */
function exactDecimal(value: number): JavaBigDecimal {
  if (value >= WIDE) return new JavaBigDecimal(BigInt(value), 0);
  const [whole = '0', fraction = ''] = value.toFixed(EXACT_DECIMALS).split('.');
  return new JavaBigDecimal(BigInt(whole + fraction), fraction.length);
}

/** Rounding of the size of a negative number. */
function mirrored(rounding: Rounding): Rounding {
  return rounding === 'CEILING' ? 'FLOOR' : rounding === 'FLOOR' ? 'CEILING' : rounding;
}

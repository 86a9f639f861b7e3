/**
 * Patterns of `DecimalFormat`: `#,##0.00;(#)`, and what each says about digits and the text around them.
 */
import { illegalArgumentException } from '../values/java-exception.ts';

export interface DecimalPattern {
  readonly text: string;
  readonly prefix: string;
  readonly suffix: string;
  /** Text around negative numbers; null: a minus sign before the prefix. */
  readonly negative: { readonly prefix: string; readonly suffix: string } | null;
  readonly minWhole: number;
  /** Digits before the point at most; with an exponent, how many one step of it stands for. */
  readonly maxWhole: number;
  readonly minFraction: number;
  readonly maxFraction: number;
  /** Digits between two separators; 0: none. */
  readonly groupSize: number;
  readonly multiplier: number;
  /** Digits of the exponent at least; null: numbers are shown without. */
  readonly exponentDigits: number | null;
}

/** Java's own limit: more digits than a double has on either side of its point. */
const DIGITS_MAX = 340;
const PATTERN_MAX = 1_000;

interface HalfPattern {
  prefix: string;
  suffix: string;
  digits: string;
  exponentDigits: number | null;
  multiplier: number;
}

/** @throws JavaException `IllegalArgumentException` for what is no pattern */
export function parseDecimalPattern(text: string): DecimalPattern {
  if (text.length > PATTERN_MAX) throw illegalArgumentException(`Malformed pattern "${text}"`);
  if (text === '') {
    const around = { text, prefix: '', suffix: '', negative: null, multiplier: 1, exponentDigits: null };
    return { ...around, minWhole: 0, maxWhole: DIGITS_MAX, minFraction: 0, maxFraction: DIGITS_MAX, groupSize: 3 };
  }
  const halves = splitHalves(text);
  const [first, second] = halves.map((half) => parseHalf(half, text));
  if (first === undefined || halves.length > 2) throw illegalArgumentException(`Malformed pattern "${text}"`);
  const hasOwnNegative = second !== undefined && (second.prefix !== first.prefix || second.suffix !== first.suffix);
  return {
    text,
    prefix: first.prefix,
    suffix: first.suffix,
    negative: hasOwnNegative ? { prefix: second.prefix, suffix: second.suffix } : null,
    multiplier: first.multiplier,
    exponentDigits: first.exponentDigits,
    ...digitsOf(first, text),
  };
}

/** The parts for positive and negative numbers; a quoted `;` parts nothing. */
function splitHalves(text: string): readonly string[] {
  const halves = [''];
  let isQuoted = false;
  for (const letter of text) {
    if (letter === "'") isQuoted = !isQuoted;
    if (letter === ';' && !isQuoted) halves.push('');
    else halves[halves.length - 1] += letter;
  }
  return halves;
}

function parseHalf(half: string, text: string): HalfPattern {
  const found: HalfPattern = { prefix: '', suffix: '', digits: '', exponentDigits: null, multiplier: 1 };
  let isQuoted = false;
  for (let at = 0; at < half.length; at++) {
    const letter = half.charAt(at);
    if (letter === "'") {
      const isLetter = half.charAt(at + 1) === "'";
      if (isLetter) at++;
      else isQuoted = !isQuoted;
      if (isLetter) around(found, "'");
    } else if (isQuoted || !'#0,.%\u2030E'.includes(letter)) around(found, letter);
    else if (letter === '%' || letter === '\u2030') {
      if (found.multiplier !== 1)
        throw illegalArgumentException(`Too many percent/per mille characters in pattern "${text}"`);
      found.multiplier = letter === '%' ? 100 : 1000;
      around(found, letter);
    } else if (letter === 'E' && found.digits !== '' && found.suffix === '') {
      const zeros = /^0*/.exec(half.slice(at + 1))?.[0].length ?? 0;
      if (zeros === 0) throw illegalArgumentException(`Malformed exponential pattern "${text}"`);
      found.exponentDigits = zeros;
      at += zeros;
    } else if (letter === 'E') around(found, letter);
    else if (found.suffix !== '' || found.exponentDigits !== null)
      throw illegalArgumentException(`Unquoted special character '${letter}' in pattern "${text}"`);
    else found.digits += letter;
  }
  return found;
}

function around(half: HalfPattern, letter: string): void {
  if (half.digits === '') half.prefix += letter;
  else half.suffix += letter;
}

type Digits = Pick<DecimalPattern, 'minWhole' | 'maxWhole' | 'minFraction' | 'maxFraction' | 'groupSize'>;

function digitsOf({ digits, exponentDigits }: HalfPattern, text: string): Digits {
  const [whole = '', fraction, ...more] = digits.split('.');
  if (more.length > 0) throw illegalArgumentException(`Multiple decimal separators in pattern "${text}"`);
  const plain = whole.replaceAll(',', '');
  if (!/^#*0*$/.test(plain) || !/^0*#*$/.test(fraction ?? '') || (/#/.test(plain) && plain === '' && fraction === ''))
    throw illegalArgumentException(`Malformed pattern "${text}"`);
  if (whole.endsWith(',')) throw illegalArgumentException(`Malformed pattern "${text}"`);
  let minWhole = plain.length - plain.indexOf('0');
  if (!plain.includes('0')) minWhole = 0;
  const minFraction = /^0*/.exec(fraction ?? '')?.[0].length ?? 0;
  // `#.##` shows the zero of 0.5, where `#.00` does not.
  const isWithoutZeros = minWhole === 0 && minFraction === 0 && fraction !== undefined && plain !== '';
  if (isWithoutZeros) minWhole = 1;
  const comma = whole.lastIndexOf(',');
  const hashes = plain.length - minWhole;
  return {
    minWhole,
    maxWhole: exponentDigits === null ? DIGITS_MAX : hashes + minWhole,
    minFraction,
    maxFraction: fraction?.length ?? 0,
    groupSize: comma < 0 ? 0 : whole.length - comma - 1,
  };
}

/**
 * Numbers of a date: digits, signed years, years of two digits, fractions of a second.
 */
import { type Assign, isDigit, type JodaOptions, type Step } from './joda-step.ts';

/** Distance of the pivot year from now: two digits mean a year within fifty years of it. */
const PIVOT_BACK_YEARS = 30;
export const YEAR_DIGITS_MAX = 9;

/** One digit at least, `digitsMax` at most. */
export function number(digitsMax: number, assign: Assign): Step {
  return (text, position, fields) => {
    let value = 0;
    let end = position;
    const last = position + digitsMax;
    while (end < last) {
      const digit = text.charCodeAt(end) - 48;
      // Also turns away the end of the text, which is NaN.
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
      end++;
    }
    if (end === position) return -1;
    assign(fields, value);
    return end;
  };
}

export function signedNumber(digitsMax: number, assign: Assign): Step {
  const unsigned = number(digitsMax, assign);
  const negative = number(digitsMax, (fields, value) => assign(fields, -value));
  return (text, position, fields) => {
    const first = text.charCodeAt(position);
    if (first === 45) return negative(text, position + 1, fields);
    return unsigned(text, first === 43 ? position + 1 : position, fields);
  };
}

export function yearStep(width: number, isNumberNext: boolean, options: JodaOptions): Step {
  const assign: Assign = (fields, value) => {
    fields.year = value;
    fields.hasYear = true;
  };
  if (width !== 2) return signedNumber(isNumberNext ? width : YEAR_DIGITS_MAX, assign);
  const pivoted: Assign = (fields, value) => assign(fields, pivotYear(value, options.nowMs()));
  const two = number(2, pivoted);
  const any = signedNumber(YEAR_DIGITS_MAX, assign);
  return (text, position, fields) => {
    const hasTwo = isDigit(text, position) && isDigit(text, position + 1);
    if (isNumberNext) return hasTwo ? two(text, position, fields) : -1;
    return hasTwo && !isDigit(text, position + 2) ? two(text, position, fields) : any(text, position, fields);
  };
}

/** The year with these two last digits within fifty years around thirty years ago. */
function pivotYear(twoDigits: number, nowMs: number): number {
  const low = new Date(nowMs).getUTCFullYear() - PIVOT_BACK_YEARS - 50;
  return low + ((((twoDigits - low) % 100) + 100) % 100);
}

/** Up to `digitsMax` digits; kept to the millisecond. */
export function fraction(digitsMax: number): Step {
  return (text, position, fields) => {
    let end = position;
    let millis = 0;
    while (end < position + digitsMax && isDigit(text, end)) {
      if (end < position + 3) millis = millis * 10 + text.charCodeAt(end) - 48;
      end++;
    }
    for (let digits = end - position; digits < 3; digits++) millis *= 10;
    fields.millis = millis;
    return end;
  };
}

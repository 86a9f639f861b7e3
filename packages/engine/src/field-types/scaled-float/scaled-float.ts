/**
 * `scaled_float`: doubles that are whole multiples of 1 / `scaling_factor`.
 */
import type { QueryValue } from '@shoal/query';
import { multiple, scaled } from '@shoal/schema';
import type { FieldType } from '../contract/field-type.ts';
import { above, below } from '../number/number-bounds.ts';
import { fractionType } from '../number/number-type.ts';
import { fractionValue } from '../number/number-value.ts';
import { queryNumber } from '../number/query-number.ts';
import { exactProduct } from './exact-product.ts';

const DOUBLE = fractionType('double');

export const SCALED_FLOAT: FieldType = {
  ...DOUBLE,
  read: (field, value) => fractionValue(field, value, (number) => scaled(number, field.scalingFactor)),
  term: ({ scalingFactor }, value) => {
    const exact = multiple(Math.round(product(value, scalingFactor)), scalingFactor);
    return { kind: 'numberRange', bounds: { from: exact, to: exact } };
  },
  range: ({ scalingFactor }, { from, includesFrom, to, includesTo }) => {
    const lower = from === null ? Number.NEGATIVE_INFINITY : product(from, scalingFactor);
    const upper = to === null ? Number.POSITIVE_INFINITY : product(to, scalingFactor);
    return {
      kind: 'numberRange',
      bounds: {
        from: endAt(Math.ceil(from === null || includesFrom ? lower : above(lower)), scalingFactor),
        to: endAt(Math.floor(to === null || includesTo ? upper : below(upper)), scalingFactor),
      },
    };
  },
};

/** In multiples of the factor's reciprocal: as written, so that 1.1 is 110 hundredths and not a little more. */
function product(value: QueryValue, factor: number): number {
  return exactProduct(Number(queryNumber(value)), factor);
}

function endAt(count: number, factor: number): number {
  return Number.isFinite(count) ? multiple(count, factor) : count;
}

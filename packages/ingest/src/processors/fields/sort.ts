/** `sort`: the entries of a list in their order. */
import { illegalArgument } from '@shoal/core';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import { numberOf } from '../../contract/processor-config.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import { listAt } from '../../document/ingest-document.ts';
import type { DocumentValue } from '../../values/document-value.ts';
import { javaType } from '../../values/java-types.ts';

const ORDERS = ['asc', 'desc'] as const;

export const sortProcessor: ProcessorType = {
  type: 'sort',
  create(config) {
    const field = parseFieldPath(config.text('field'));
    const target = parseFieldPath(config.optionalText('target_field') ?? field.text);
    const problem = 'Sort direction [{}] not recognized. Valid values are: [asc, desc]';
    const isReversed = config.optionalChoice('order', ORDERS, problem) === 'desc';
    return simple((document) => {
      const list = listAt(document, field);
      if (list === null) throw illegalArgument(`field [${field.text}] is null, cannot sort.`);
      const sorted = [...list].sort(compare);
      document.set(target, isReversed ? sorted.reverse() : sorted);
    });
  },
};

/** @throws illegal_argument_exception for values of two types, and for those that have no order */
function compare(a: DocumentValue, b: DocumentValue): number {
  if (javaType(a) !== javaType(b)) {
    throw illegalArgument(`cannot sort values of type [${javaType(a)}] among those of type [${javaType(b)}]`);
  }
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left === null || right === null) throw illegalArgument(`cannot sort values of type [${javaType(a)}]`);
  return left - right;
}

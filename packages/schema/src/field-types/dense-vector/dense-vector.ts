/**
 * Declaration of `dense_vector`: a list of `dims` numbers that scripts of scores compare with that of a request.
 */
import { mapperParsing } from '../../declaration/mapping-error.ts';
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { META, withoutEffect } from '../contract/parameter-rule.ts';

/** Largest "dims". */
const DIMS_MAX = 2048;

export const DENSE_VECTOR: DeclaredType = {
  parameters: new Map([
    ['dims', { kind: 'integer', otherwise: null, min: Number.MIN_SAFE_INTEGER, change: 'never' }],
    // Graphs of neighbours are not built: what asks for one is refused.
    ['index', withoutEffect(false, ['false'], 'vectors are compared one by one, which no index helps')],
    ['element_type', withoutEffect('float', ['float'], 'numbers of a vector are floats')],
    ['meta', META],
  ]),
  implied: new Map<string, unknown>([['doc_values', true]]),
  isWhole: (value) => Array.isArray(value),
  check: (name, { dims }) => {
    if (dims === undefined || dims === null)
      throw mapperParsing(`Missing required parameter [dims] for field [${name}]`);
    if (Number(dims) >= 1 && Number(dims) <= DIMS_MAX) return;
    throw mapperParsing(
      `The number of dimensions for field [${name}] should be in the range [1, ${DIMS_MAX}] but was [${dims}]`,
    );
  },
  settings: (value) => ({ ...NO_SETTINGS, dims: Number(value('dims')) }),
  storedValue: (value) => value,
};

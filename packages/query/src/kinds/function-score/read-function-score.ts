/**
 * function_score from a decoded message.
 */
import { ValueReader } from '@shoal/core';
import type { ReadInner } from '../../node/query-kind.ts';
import { readBase, readValue } from '../../node/query-node.ts';
import {
  BOOST_MODES,
  DECAY_CURVES,
  FUNCTIONS_MAX,
  type FunctionScoreQuery,
  MODIFIERS,
  SCORE_MODES,
  VALUE_MODES,
  type WeighedFunction,
} from './function-score-tree.ts';

export function readFunctionScore(r: ValueReader, readInner: ReadInner): FunctionScoreQuery {
  return {
    kind: 'functionScore',
    query: r.item('query', readInner),
    functions: r.list('functions', (value, field) => readFunction(value, field, readInner), FUNCTIONS_MAX),
    scoreMode: r.oneOf('scoreMode', SCORE_MODES),
    boostMode: r.oneOf('boostMode', BOOST_MODES),
    maxBoost: r.optionalNumber('maxBoost'),
    minScore: r.optionalNumber('minScore'),
    ...readBase(r),
  };
}

function readFunction(value: unknown, field: string, readInner: ReadInner): WeighedFunction {
  const r = ValueReader.of(value, field);
  const weight = r.optionalNumber('weight');
  if (weight !== null && weight < 0) r.refuse('weight', 'a number of at least 0');
  return { score: readScore(r.object('score')), filter: r.optional('filter', readInner), weight };
}

const SCORE_READERS: ReadonlyMap<string, (r: ValueReader) => WeighedFunction['score']> = new Map<
  string,
  (r: ValueReader) => WeighedFunction['score']
>([
  ['constant', () => ({ kind: 'constant' })],
  ['random', (r) => ({ kind: 'random', seed: r.optionalString('seed'), field: r.optionalString('field') })],
  [
    'fieldValue',
    (r) => ({
      kind: 'fieldValue',
      field: r.string('field'),
      factor: r.number('factor'),
      modifier: r.oneOf('modifier', MODIFIERS),
      missing: r.optionalNumber('missing'),
    }),
  ],
  ['decay', readDecay],
]);

function readScore(r: ValueReader): WeighedFunction['score'] {
  const read = SCORE_READERS.get(r.string('kind'));
  return read ? read(r) : r.refuse('kind', 'a kind of score function');
}

function readDecay(r: ValueReader): WeighedFunction['score'] {
  const decay = r.number('decay');
  if (decay <= 0 || decay >= 1) r.refuse('decay', 'a number between 0 and 1');
  return {
    kind: 'decay',
    curve: r.oneOf('curve', DECAY_CURVES),
    field: r.string('field'),
    origin: readValue(r, 'origin'),
    scale: readValue(r, 'scale'),
    offset: readValue(r, 'offset'),
    decay,
    mode: r.oneOf('mode', VALUE_MODES),
  };
}

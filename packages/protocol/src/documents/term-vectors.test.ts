import type { TermVectorsRequest } from '@shoal/shard-api';
import { expect, test } from 'vitest';
import { TERM_VECTORS } from './term-vectors.ts';

const TARGET = { index: 'i', indexUuid: 'u', shard: 1, allocationId: 'a', stateVersion: 3 };
const STORED: TermVectorsRequest = {
  document: { kind: 'stored', id: '1', version: 4, realtime: false },
  fields: ['a', 'b*'],
  analyzers: new Map([['a', 'whitespace']]),
  positions: true,
  offsets: false,
  payloads: true,
  termStatistics: false,
  fieldStatistics: true,
  filter: {
    maxNumTerms: -1,
    minTermFreq: 1,
    maxTermFreq: 2,
    minDocFreq: 3,
    maxDocFreq: 4,
    minWordLength: 5,
    maxWordLength: 6,
  },
};
const ARTIFICIAL: TermVectorsRequest = {
  ...STORED,
  document: { kind: 'artificial', source: new TextEncoder().encode('{"a":1}') },
  fields: null,
  analyzers: new Map(),
  filter: null,
};

test.each([STORED, ARTIFICIAL])('a request travels as it is (%#)', (request) => {
  const sent = { target: TARGET, request };
  expect(TERM_VECTORS.readRequest(TERM_VECTORS.writeRequest(sent))).toEqual(sent);
});

test.each([null, { version: 7, vectors: new TextEncoder().encode('{}') }])(
  'an answer travels as it is (%#)',
  (found) => {
    expect(TERM_VECTORS.readResponse(TERM_VECTORS.writeResponse({ found }))).toEqual({ found });
  },
);

test('what is of another form is refused', () => {
  const { message } = TERM_VECTORS.writeRequest({ target: TARGET, request: STORED });
  const wrong = { ...(message as object), request: { ...STORED, analyzers: [{ field: 'a' }] } };
  expect(() => TERM_VECTORS.readRequest({ message: wrong })).toThrow();
  expect(() => TERM_VECTORS.readResponse({ message: { found: { version: 1 } } })).toThrow();
});

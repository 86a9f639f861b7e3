import { FloatNumber, RawJson } from '@shoal/core';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { answerTree } from './answer-tree.ts';
import { writeYaml } from './yaml-writer.ts';

test('a search answer is written as recorded from a real server', () => {
  const source = new RawJson(
    new TextEncoder().encode('{"title":"The quick brown fox","tag":"a","n":1,"at":"2024-01-01"}'),
  );
  const answer = {
    took: 2,
    timed_out: false,
    _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
    hits: {
      total: { value: 3, relation: 'eq' },
      max_score: new FloatNumber(1),
      hits: [{ _index: 'lib', _id: '1', _score: new FloatNumber(1), _source: source }],
    },
  };
  expect(writeYaml(answerTree(answer))).toBe(`---
took: 2
timed_out: false
_shards:
  total: 1
  successful: 1
  skipped: 0
  failed: 0
hits:
  total:
    value: 3
    relation: "eq"
  max_score: 1.0
  hits:
  - _index: "lib"
    _id: "1"
    _score: 1.0
    _source:
      title: "The quick brown fox"
      tag: "a"
      "n": 1
      at: "2024-01-01"
`);
});

test('what is written reads back as it was', () => {
  const value = {
    'a: b': [[1, 2], [], {}, [{ x: 'multi\nline', 'y#': null }]],
    no: 'off',
    '12': '- #x',
    ' lead': 'tab\t"quoted" \\ ünï',
    deep: { er: { list: ['a', { b: [true, false] }] } },
  };
  expect(parse(writeYaml(answerTree(value)), { version: '1.2' })).toEqual(value);
});

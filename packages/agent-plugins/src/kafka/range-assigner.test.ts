import { expect, test } from 'vitest';
import { rangeAssigner } from './range-assigner.ts';

const shared = (members: Record<string, string[]>, partitions: Record<string, number>) =>
  rangeAssigner(
    '',
    new Map(Object.entries(members).map(([id, topics]) => [id, { topics }])),
    new Set(Object.keys(partitions)),
    { topics: new Map(Object.entries(partitions).map(([topic, partitionsCount]) => [topic, { partitionsCount }])) },
  ).map(({ memberId, assignments }) => [
    memberId,
    [...assignments.values()].map(({ topic, partitions: p }) => [topic, p]),
  ]);

test('members get neighbours, the first ones one more', () => {
  expect(shared({ b: ['t'], a: ['t'] }, { t: 5 })).toEqual([
    ['a', [['t', [0, 1, 2]]]],
    ['b', [['t', [3, 4]]]],
  ]);
});

test('a topic goes to those who asked for it, and to nobody else', () => {
  expect(shared({ a: ['t', 'u'], b: ['t'], c: ['t'] }, { t: 2, u: 2 })).toEqual([
    [
      'a',
      [
        ['t', [0]],
        ['u', [0, 1]],
      ],
    ],
    ['b', [['t', [1]]]],
    ['c', []],
  ]);
});

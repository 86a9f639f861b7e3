import { describe, expect, test } from 'vitest';
import { type CopyChoice, copiesInOrder, type ReadableCopy } from './copy-choice.ts';
import { observed, pulledTowards, rankOf, type Statistics } from './copy-statistics.ts';

const COPIES: readonly ReadableCopy[] = ['n1', 'n2', 'n3'].map((node) => ({ allocationId: `copy of ${node}`, node }));
const QUICK = { responseMs: 5, serviceMs: 4, queue: 0 };
const SLOW = { responseMs: 50, serviceMs: 40, queue: 0 };

const nodesOf = (copies: readonly ReadableCopy[]): string[] => copies.map(({ node }) => node);

function choice(change: Partial<CopyChoice> = {}): CopyChoice {
  return { preference: { kind: 'adaptive' }, statistics: new Map(), outstanding: new Map(), turn: 0, ...change };
}

describe('a rank', () => {
  test('is better for a node that serves quickly: service time, not its inverse', () => {
    expect(rankOf(QUICK, 0, 3)).toBeLessThan(rankOf(SLOW, 0, 3));
  });

  test('grows with the cube of the expected queue', () => {
    expect(rankOf({ responseMs: 4, serviceMs: 4, queue: 0 }, 1, 2)).toBe(4 * 3 ** 3);
  });
});

describe('the order of copies', () => {
  test('begins with the quickest, and with nodes that nobody knows before it', () => {
    const two: Statistics = new Map([
      ['n1', SLOW],
      ['n2', QUICK],
    ]);
    expect(nodesOf(copiesInOrder(COPIES, choice({ statistics: two })))).toEqual(['n3', 'n2', 'n1']);
  });

  test('leaves a quick node that has too much to do already', () => {
    const statistics: Statistics = new Map([
      ['n1', QUICK],
      ['n2', { ...QUICK, serviceMs: 6 }],
      ['n3', SLOW],
    ]);
    const order = copiesInOrder(COPIES, choice({ statistics, outstanding: new Map([['n1', 2]]) }));
    expect(nodesOf(order)[0]).toBe('n2');
  });

  test('takes turns where nothing decides', () => {
    const firsts = [0, 1, 2, 3].map((turn) => nodesOf(copiesInOrder(COPIES, choice({ turn })))[0]);
    expect(firsts).toEqual(['n1', 'n2', 'n3', 'n1']);
  });

  test('is the same for the same text, wherever it is computed', () => {
    const preference = { kind: 'text', text: 'user 42' } as const;
    const first = copiesInOrder(COPIES, choice({ preference }));
    expect(copiesInOrder([...COPIES].reverse(), choice({ preference, turn: 5 }))).toEqual(first);
    expect(first).toHaveLength(3);
  });

  test('begins with preferred nodes, and ends there when no others are wanted', () => {
    const nodes = new Set(['n2']);
    const soft = copiesInOrder(COPIES, choice({ preference: { kind: 'nodes', nodes, only: false } }));
    expect(nodesOf(soft)).toEqual(['n2', 'n1', 'n3']);
    const hard = copiesInOrder(COPIES, choice({ preference: { kind: 'nodes', nodes, only: true } }));
    expect(nodesOf(hard)).toEqual(['n2']);
  });
});

describe('averages', () => {
  test('take three tenths of what was seen last', () => {
    const statistics = observed(observed(new Map(), 'n1', QUICK), 'n1', SLOW);
    expect(statistics.get('n1')?.serviceMs).toBeCloseTo(4 + 0.3 * 36);
  });

  test('of nodes that were not chosen come closer until they are tried again', () => {
    let statistics: Statistics = new Map([
      ['n1', QUICK],
      ['n2', SLOW],
    ]);
    for (let time = 0; time < 20; time++) statistics = pulledTowards(statistics, 'n1', ['n2']);
    expect(statistics.get('n2')?.serviceMs).toBeLessThan(4.1);
    expect(statistics.get('n1')).toEqual(QUICK);
  });
});

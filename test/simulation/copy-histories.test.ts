/** What must hold of the copies of a shard, with violations planted in histories that are right without them. */
import { describe, expect, test } from 'vitest';
import {
  CopyHistories,
  contentOf,
  type ExecutedOperation,
  type ObservedCopy,
  type ObservedState,
} from './copy-histories.test-support.ts';

const SHARD = 'uuid/0';
const WRITTEN = { seqNo: 2, term: 1, content: '1=a', toldInTerm: 1 };

function stateOf(allocationId: string, more: Partial<ObservedState> = {}): ObservedState {
  const all = { checkpoint: 2, above: [] };
  const usual = {
    phase: 'replica',
    term: 1,
    processed: all,
    persisted: all,
    unconfirmed: [],
    globalCheckpoint: 2,
    primary: null,
  } as const;
  return { allocationId, ...usual, ...more };
}

function copyOf(
  allocationId: string,
  more: Partial<ObservedState> = {},
  executed: readonly (readonly [number, ExecutedOperation])[] = [[2, WRITTEN]],
): ObservedCopy {
  return { state: stateOf(allocationId, more), executed: new Map(executed) };
}

/** A shard of two copies on which a write is acknowledged. */
function acknowledged(...copies: readonly ObservedCopy[]): CopyHistories {
  const histories = new CopyHistories();
  histories.executed(SHARD, WRITTEN);
  histories.acknowledged(SHARD, WRITTEN, copies);
  return histories;
}

const bytes = (source: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(source));

describe('histories are right', () => {
  test('when copies have executed, have synced and agree on what is acknowledged', () => {
    const copies = [copyOf('p', { phase: 'primary' }), copyOf('r')];
    const histories = acknowledged(...copies);
    for (const { state } of copies) histories.stepped(SHARD, state, state);
    histories.promoted(SHARD, copyOf('r', { phase: 'primary', term: 2 }));
    histories.converged(SHARD, copies);
    expect(histories.checkedCount).toBe(5);
  });

  test('when a copy keeps what was acknowledged above a rollback, in its log alone', () => {
    const nothing = { checkpoint: 1, above: [] };
    const rolledBack = {
      processed: nothing,
      persisted: nothing,
      unconfirmed: [{ first: 2, last: 2 }],
      globalCheckpoint: 1,
    };
    expect(() => acknowledged(copyOf('r', rolledBack))).not.toThrow();
  });

  test('when a copy leads in an older term than that in which a write was acknowledged: it acknowledges nothing', () => {
    const histories = new CopyHistories();
    histories.executed(SHARD, { ...WRITTEN, term: 3 });
    histories.acknowledged(SHARD, { ...WRITTEN, term: 3, toldInTerm: 3 }, []);
    const late = copyOf('late', { phase: 'primary', term: 2 }, [[2, { term: 1, content: '1=x' }]]);
    expect(() => histories.promoted(SHARD, late)).not.toThrow();
  });

  test('when what a copy executed is known in part, since it was started from a commit', () => {
    const histories = acknowledged(copyOf('p'), copyOf('r', {}, []));
    expect(() => histories.converged(SHARD, [copyOf('p'), copyOf('r', {}, [])])).not.toThrow();
  });
});

describe('a violation is found when', () => {
  test('one sequence number and term is two operations', () => {
    const histories = acknowledged();
    expect(() => histories.executed(SHARD, { ...WRITTEN, content: '1=b' })).toThrow(
      'operation 2/1 of uuid/0 is 1=a, and 1=b',
    );
  });

  test('a write is acknowledged that a copy in sync has not synced', () => {
    const persisted = { checkpoint: 1, above: [] };
    expect(() => acknowledged(copyOf('p'), copyOf('r', { persisted }))).toThrow(/acknowledged, and not durable on r/);
  });

  test('a write is acknowledged where a copy in sync has another operation', () => {
    const other = [[2, { term: 2, content: 'no-op' }]] as const;
    expect(() => acknowledged(copyOf('p'), copyOf('r', {}, other))).toThrow(/r .* has no-op of term 2 there/);
  });

  test('one number is acknowledged twice', () => {
    const histories = acknowledged();
    histories.executed(SHARD, { seqNo: 2, term: 2, content: '1=b' });
    const second = { seqNo: 2, term: 2, content: '1=b', toldInTerm: 2 };
    expect(() => histories.acknowledged(SHARD, second, [])).toThrow(
      /acknowledged as 2\/1 \(1=a\), and as 2\/2 \(1=b\)/,
    );
  });

  test('something is acknowledged that nobody executed', () => {
    expect(() => new CopyHistories().acknowledged(SHARD, WRITTEN, [])).toThrow(/what was executed is undefined/);
  });

  test('a copy leads without what was acknowledged', () => {
    const histories = acknowledged(copyOf('p'));
    const short = { phase: 'primary', processed: { checkpoint: 1, above: [] } } as const;
    expect(() => histories.promoted(SHARD, copyOf('r', short, []))).toThrow(/not there on its new primary r/);
    const other = [[2, { term: 2, content: 'no-op' }]] as const;
    expect(() => histories.promoted(SHARD, copyOf('r', {}, other))).toThrow(/was acknowledged; r .* has no-op/);
  });

  test('a global checkpoint or a term goes back', () => {
    const histories = new CopyHistories();
    expect(() => histories.stepped(SHARD, stateOf('r'), stateOf('r', { globalCheckpoint: 1 }))).toThrow(
      'global checkpoint of r of uuid/0 goes back from 2 to 1',
    );
    expect(() => histories.stepped(SHARD, stateOf('r', { term: 2 }), stateOf('r'))).toThrow('goes back from 2 to 1');
  });

  test('a primary calls agreed what a copy in sync has not synced', () => {
    const histories = new CopyHistories();
    const primary = stateOf('p', { phase: 'primary' });
    const kept = { persisted: { checkpoint: 1, above: [] }, unconfirmed: [{ first: 2, last: 2 }] };
    expect(() => histories.agreed(SHARD, primary, [primary, stateOf('r'), stateOf('s', kept)])).not.toThrow();
    const behind = stateOf('r', { persisted: { checkpoint: 0, above: [{ first: 2, last: 2 }] } });
    expect(() => histories.agreed(SHARD, primary, [primary, behind])).toThrow(
      /r .* is in sync, .* says that 2 is agreed/,
    );
  });

  test('a primary hands over while nobody knows what becomes of a write', () => {
    const histories = new CopyHistories();
    const asked = { target: 'r', sinceMs: 0, ask: 7, isCommitted: false, waiting: [] };
    const open = {
      repeated: -1,
      ranges: [],
      waitingFor: new Set(['r']),
      absent: new Set<string>(),
      successful: 1,
      failed: [],
    };
    const handing = (writes: ReadonlyMap<string, typeof open>, ask: number | null): ObservedState =>
      stateOf('p', { phase: 'primary', primary: { handOff: { ...asked, ask }, writes } });
    const quiet = handing(new Map(), 7);
    histories.stepped(SHARD, quiet, quiet);
    const waiting = handing(new Map([['t', open]]), null);
    histories.stepped(SHARD, waiting, waiting);
    const early = handing(new Map([['t', open]]), 7);
    expect(() => histories.stepped(SHARD, early, early)).toThrow('hands over, and 1 writes end with nobody knowing');
  });

  test('a term has two primaries', () => {
    const histories = new CopyHistories();
    const [one, other] = [stateOf('p', { phase: 'primary' }), stateOf('q', { phase: 'promoting' })];
    histories.stepped(SHARD, one, one);
    expect(() => histories.stepped(SHARD, other, other)).toThrow('term 1 of uuid/0 has two primaries: p, q');
  });

  test('copies that are quiet have a gap, something unconfirmed, or ends and operations that differ', () => {
    const histories = acknowledged(copyOf('p'));
    const gap = { checkpoint: 0, above: [{ first: 2, last: 2 }] };
    const cases: readonly (readonly [ObservedCopy, RegExp])[] = [
      [copyOf('r', { processed: gap }), /has gaps/],
      [copyOf('r', { globalCheckpoint: 1 }), /is not at its global checkpoint/],
      [copyOf('r', { unconfirmed: [{ first: 3, last: 3 }] }), /operations that nobody confirmed/],
      [copyOf('r', {}, [[1, { term: 1, content: '3=x' }]]), /have 1\/1 \(3=y\) and 1\/1 \(3=x\), the last on r/],
    ];
    const first = copyOf('p', {}, [
      [1, { term: 1, content: '3=y' }],
      [2, WRITTEN],
    ]);
    for (const [copy, message] of cases) expect(() => histories.converged(SHARD, [first, copy])).toThrow(message);
    const more = { checkpoint: 3, above: [] };
    const longer = copyOf('r', { processed: more, persisted: more, globalCheckpoint: 3 });
    expect(() => histories.converged(SHARD, [first, longer])).toThrow('copies of uuid/0 end at 2,3');
  });
});

test('what an operation is, is told by its document', () => {
  const origin = { seqNo: 0, primaryTerm: 1, version: 1, origin: null };
  expect(contentOf({ kind: 'index', id: '1', routing: null, source: bytes({ value: 'a' }), ...origin })).toBe('1=a');
  expect(contentOf({ kind: 'delete', id: '1', ...origin })).toBe('1 deleted');
  expect(contentOf({ kind: 'noop', seqNo: 0, primaryTerm: 1, reason: 'filling gaps' })).toBe('no-op');
});

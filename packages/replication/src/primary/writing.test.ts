import { describe, expect, test } from 'vitest';
import type { CopyEffect, CopyEvent } from '../copy/copy-events.ts';
import { type CopyState, EMPTY_STORE, openCopy } from '../copy/copy-state.ts';
import { assignReplica, copyStarted, newGroup, nodeLeft } from '../group/group-changes.ts';
import type { ShardGroup } from '../group/shard-group.ts';
import { ALL_RULES } from '../rules/replication-rules.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { stepCopy } from '../step/copy-step.ts';

type Event = CopyEvent<ShardOperation>;
type Effect = CopyEffect<ShardOperation>;

/** One copy, and what it has wanted since it was asked last. */
class Copy {
  private state: CopyState<ShardOperation>;
  private effects: readonly Effect[] = [];

  constructor(id: string) {
    this.state = openCopy(id, EMPTY_STORE, 0);
  }

  take(...events: readonly Event[]): readonly Effect[] {
    this.effects = [];
    for (const event of events) {
      const step = stepCopy(this.state, event);
      this.state = step.state;
      this.effects = [...this.effects, ...step.effects];
    }
    return this.effects;
  }
}

const write = (ticket: string, more: Partial<Extract<Event, { kind: 'write' }>> = {}): Event => {
  return { kind: 'write', ticket, activeCopiesMin: 1, waitsForSync: true, ...more };
};
const executed = (job: number, first: number, last: number, operations: readonly ShardOperation[] = []): Event => {
  return { kind: 'executed', job, ranges: [{ first, last }], operations, repeated: -1 };
};
const operation = (seqNo: number, primaryTerm = 1): ShardOperation => ({ seqNo, primaryTerm });

const withoutReplicaNode = (): ShardGroup => changed(nodeLeft(groupOfTwo(), 'n2', ALL_RULES));

function changed(change: ReturnType<typeof copyStarted>): ShardGroup {
  if (change.kind !== 'changed') throw new Error(`the group is ${change.kind}`);
  return change.group;
}

const started = (group: ShardGroup, allocationId: string): ShardGroup =>
  changed(copyStarted(group, { allocationId, primaryTerm: 1 }, ALL_RULES));
const groupOfOne = (): ShardGroup => started(newGroup('a', 'n1'), 'a');
const groupOfTwo = (): ShardGroup =>
  started(changed(assignReplica(groupOfOne(), { allocationId: 'b', node: 'n2' }, ALL_RULES)), 'b');

function primaryOf(group: ShardGroup): Copy {
  const copy = new Copy('a');
  const lead = copy.take({ kind: 'groupChanged', group }).find(({ kind }) => kind === 'lead');
  if (lead?.kind !== 'lead') throw new Error('it does not lead');
  copy.take({ kind: 'executed', job: lead.job, ranges: [], operations: [], repeated: -1 });
  return copy;
}

const kinds = (effects: readonly Effect[]): readonly string[] => effects.map(({ kind }) => kind);

describe('a write on a primary without other copies', () => {
  test('hands out no operations, and is acknowledged when its own sync is done', () => {
    const copy = primaryOf(groupOfOne());
    expect(copy.take(write('t1'))).toEqual([{ kind: 'write', job: 2, ticket: 't1', collects: false }]);
    expect(copy.take(executed(2, 0, 9))).toEqual([{ kind: 'sync', number: 1 }]);
    expect(copy.take({ kind: 'synced', through: 1 })).toContainEqual({
      kind: 'reply',
      ticket: 't1',
      outcome: { kind: 'acknowledged', successful: 1, failed: [] },
    });
  });

  test('runs beside others: which sync makes it durable follows from when it was executed, not from when it came', () => {
    const copy = primaryOf(groupOfOne());
    copy.take(write('t1'), write('t2'), executed(3, 1, 1));
    const late = copy.take({ kind: 'executed', job: 2, ranges: [{ first: 0, last: 0 }], operations: [], repeated: -1 });
    expect(late).toEqual([{ kind: 'sync', number: 2 }]);
    const first = copy.take({ kind: 'synced', through: 1 });
    expect(first.filter(({ kind }) => kind === 'reply')).toMatchObject([{ ticket: 't2' }]);
    const second = copy.take({ kind: 'synced', through: 2 });
    expect(second.filter(({ kind }) => kind === 'reply')).toMatchObject([{ ticket: 't1' }]);
    expect(second).toContainEqual({ kind: 'keepGlobalCheckpoint', globalCheckpoint: 1 });
  });

  test('that does not wait for its sync is acknowledged when it is executed', () => {
    const copy = primaryOf(groupOfOne());
    copy.take(write('t1', { waitsForSync: false }));
    expect(kinds(copy.take(executed(2, 0, 0)))).toEqual(['sync', 'reply']);
  });

  test('of which the engine refused everything is answered at once, and nothing is synced for it', () => {
    const copy = primaryOf(groupOfOne());
    copy.take(write('t1'));
    expect(kinds(copy.take({ kind: 'executed', job: 2, ranges: [], operations: [], repeated: -1 }))).toEqual(['reply']);
  });
});

describe('a write that was executed before, and is asked for again', () => {
  const again = (job: number, repeated: number): Event => {
    return { kind: 'executed', job, ranges: [], operations: [], repeated };
  };

  test('is acknowledged when the first one is safe, not before', () => {
    const copy = primaryOf(groupOfOne());
    copy.take(write('t1'), executed(2, 0, 0), write('t2'));
    expect(copy.take(again(3, 0))).toEqual([]);
    expect(copy.take({ kind: 'synced', through: 1 }).filter(({ kind }) => kind === 'reply')).toMatchObject([
      { ticket: 't1', outcome: { kind: 'acknowledged' } },
      { ticket: 't2', outcome: { kind: 'acknowledged' } },
    ]);
    copy.take(write('t3'));
    expect(kinds(copy.take(again(4, 0)))).toEqual(['reply']);
  });
});

describe('numbers that the engine gives', () => {
  test('twice stop the copy', () => {
    const copy = primaryOf(groupOfOne());
    copy.take(write('t1'), write('t2'), executed(2, 0, 4));
    expect(() => copy.take(executed(3, 4, 5))).toThrow('gave [{"first":4,"last":5}] again');
  });

  test('in another term stop the copy', () => {
    const copy = primaryOf(groupOfTwo());
    copy.take(write('t1'));
    expect(() => copy.take(executed(3, 0, 0, [operation(0, 7)]))).toThrow('of term 1 executed 0/7');
  });
});

describe('a write on a primary with another copy', () => {
  test('is sent as the engine hands it out, and acknowledged when both have it on disk', () => {
    const copy = primaryOf(groupOfTwo());
    // The resync reads the history of before first.
    const [effect] = copy.take(write('t1'));
    if (effect?.kind !== 'write') throw new Error('it is not executed');
    expect(effect.collects).toBe(true);
    const sent = copy.take(executed(effect.job, 0, 1, [operation(0), operation(1)]));
    const [send] = sent.filter(({ kind }) => kind === 'send');
    if (send?.kind !== 'send') throw new Error('it is not sent');
    expect(send).toMatchObject({ to: 'b', request: { kind: 'replicate', operations: [{ seqNo: 0 }, { seqNo: 1 }] } });
    expect(kinds(copy.take({ kind: 'synced', through: 1 }))).not.toContain('reply');
    const response = { kind: 'copied', localCheckpoint: 1, globalCheckpoint: -1 } as const;
    expect(copy.take({ kind: 'response', requestId: send.requestId, response })).toContainEqual({
      kind: 'reply',
      ticket: 't1',
      outcome: { kind: 'acknowledged', successful: 2, failed: [] },
    });
  });
});

describe('a write on a primary with a copy in sync that has no node', () => {
  const ask = (effects: readonly Effect[]): Extract<Effect, { kind: 'askManager' }> => {
    const found = effects.find(({ kind }) => kind === 'askManager');
    if (found?.kind !== 'askManager') throw new Error('the cluster manager is not asked');
    return found;
  };
  const staleMark = { kind: 'copyFailed', allocationId: 'b', markStale: true };

  test('is acknowledged when that copy is marked stale, and did not fail there: it was never sent', () => {
    const copy = primaryOf(withoutReplicaNode());
    copy.take(write('t1'));
    const asked = ask(copy.take(executed(2, 0, 0, [operation(0)]), { kind: 'synced', through: 1 }));
    expect(asked.request).toMatchObject(staleMark);
    expect(copy.take({ kind: 'managerAnswered', ask: asked.ask, answer: 'done' })).toContainEqual({
      kind: 'reply',
      ticket: 't1',
      outcome: { kind: 'acknowledged', successful: 1, failed: [] },
    });
  });

  test('failed there only when it was sent before the node went', () => {
    const copy = primaryOf(groupOfTwo());
    const [first] = copy.take(write('sent'));
    if (first?.kind !== 'write') throw new Error('it is not executed');
    copy.take(executed(first.job, 0, 0, [operation(0)]), { kind: 'synced', through: 1 });
    const asked = ask(copy.take({ kind: 'groupChanged', group: withoutReplicaNode() }));
    expect(asked.request).toMatchObject(staleMark);
    const [second] = copy.take(write('unsent'));
    if (second?.kind !== 'write') throw new Error('it is not executed');
    copy.take(executed(second.job, 1, 1, [operation(1)]), { kind: 'synced', through: 2 });
    const replies = copy.take({ kind: 'managerAnswered', ask: asked.ask, answer: 'done' });
    expect(replies.filter(({ kind }) => kind === 'reply')).toMatchObject([
      { ticket: 'sent', outcome: { successful: 1, failed: ['b'] } },
      { ticket: 'unsent', outcome: { successful: 1, failed: [] } },
    ]);
  });
});

import { describe, expect, test } from 'vitest';
import type { CopyEffect, CopyEvent } from '../copy/copy-events.ts';
import { type CopyState, EMPTY_STORE, openCopy } from '../copy/copy-state.ts';
import { cancelMove, copyStarted, type GroupChange, handOver, newGroup, startMove } from '../group/group-changes.ts';
import type { ShardGroup } from '../group/shard-group.ts';
import { ALL_RULES } from '../rules/replication-rules.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { stepCopy } from '../step/copy-step.ts';

type Event = CopyEvent<ShardOperation>;
type Effect = CopyEffect<ShardOperation>;

const changed = (change: GroupChange): ShardGroup => {
  if (change.kind !== 'changed') throw new Error(`the group is ${change.kind}`);
  return change.group;
};

const ALONE = changed(copyStarted(newGroup('a', 'n1'), { allocationId: 'a', primaryTerm: 1 }, ALL_RULES));
const MOVING = changed(startMove(ALONE, { allocationId: 'b', node: 'n2', replaces: 'a' }, ALL_RULES));
const MOVED = changed(handOver(MOVING, { allocationId: 'a', primaryTerm: 1, target: 'b' }, ALL_RULES));

/** Primary `a`, and what it has wanted. */
class Primary {
  effects: Effect[] = [];
  #state: CopyState<ShardOperation> = openCopy('a', EMPTY_STORE, 1_000);

  /** `b`, to which it moves, has recovered and is in sync. */
  static moving(): Primary {
    const it = new Primary();
    it.take({ kind: 'groupChanged', group: MOVING });
    const lead = it.effects.find(({ kind }) => kind === 'lead');
    it.take({ kind: 'executed', job: lead?.kind === 'lead' ? lead.job : 0, ranges: [], operations: [], repeated: -1 });
    const request = {
      kind: 'startRecovery',
      term: 1,
      target: 'b',
      historyUuid: null,
      startingSeqNo: null,
      files: [],
    } as const;
    it.take({ kind: 'request', replyTo: 'r', request });
    const acquire = it.effects.find(({ kind }) => kind === 'acquireCommit');
    const job = acquire?.kind === 'acquireCommit' ? acquire.job : 0;
    it.take({ kind: 'commitAcquired', job, commit: { through: -1, files: [], recentWrites: null } });
    it.answer({ kind: 'installed', isSound: true });
    return it;
  }

  take(event: Event): void {
    const { state, effects } = stepCopy(this.#state, event);
    this.#state = state;
    this.effects.push(...effects);
  }

  /** Answers the request that was sent last. */
  answer(response: Extract<Event, { kind: 'response' }>['response']): void {
    const sent = this.effects.findLast(({ kind }) => kind === 'send');
    this.take({ kind: 'response', requestId: sent?.kind === 'send' ? sent.requestId : 0, response });
  }

  /** The target answers whatever it is asked, until it is in sync and has said so. */
  recover(): void {
    this.answer({ kind: 'copied', localCheckpoint: -1, globalCheckpoint: -1 });
    this.answer({ kind: 'copied', localCheckpoint: -1, globalCheckpoint: -1 });
  }

  of<K extends Effect['kind']>(kind: K): readonly Extract<Effect, { kind: K }>[] {
    return this.effects.filter((effect): effect is Extract<Effect, { kind: K }> => effect.kind === kind);
  }

  asks(): readonly unknown[] {
    return this.of('askManager').filter(({ request }) => request.kind === 'handOver');
  }

  write(ticket: string): void {
    this.take({ kind: 'write', ticket, activeCopiesMin: 1, waitsForSync: true });
  }
}

describe('a primary whose target is in sync', () => {
  test('asks the cluster manager to hand over, and executes nothing from then on', () => {
    const primary = Primary.moving();
    expect(primary.asks()).toEqual([]);
    primary.recover();
    expect(primary.asks()).toMatchObject([{ request: { allocationId: 'a', primaryTerm: 1, target: 'b' } }]);
    primary.write('t1');
    expect([primary.of('write'), primary.of('reply')]).toEqual([[], []]);
  });

  test('waits for the writes that run', () => {
    const primary = Primary.moving();
    primary.write('t1');
    primary.recover();
    expect(primary.asks()).toEqual([]);
    const [job] = primary.of('write');
    primary.take({ kind: 'executed', job: job?.job ?? 0, ranges: [], operations: [], repeated: -1 });
    expect(primary.asks()).toHaveLength(1);
  });

  test('tells those that waited to ask the next primary once that is committed', () => {
    const primary = Primary.moving();
    primary.recover();
    primary.write('t1');
    const [ask] = primary.of('askManager').filter(({ request }) => request.kind === 'handOver');
    primary.take({ kind: 'managerAnswered', ask: ask?.ask ?? 0, answer: 'done' });
    primary.write('t2');
    expect(primary.of('reply').map(({ ticket, outcome }) => [ticket, outcome.kind])).toEqual([
      ['t1', 'notPrimary'],
      ['t2', 'notPrimary'],
    ]);
    expect(primary.of('closed')).toEqual([]);
    primary.take({ kind: 'groupChanged', group: MOVED });
    expect(primary.of('closed')).toHaveLength(1);
  });

  test('goes on when no answer comes in time, and hands over later', () => {
    const primary = Primary.moving();
    primary.recover();
    primary.write('t1');
    primary.take({ kind: 'tick', nowMs: 12_000 });
    expect(primary.of('write')).toMatchObject([{ ticket: 't1' }]);
    const [job] = primary.of('write');
    primary.take({ kind: 'executed', job: job?.job ?? 0, ranges: [], operations: [], repeated: -1 });
    expect(primary.asks()).toHaveLength(1);
    primary.take({ kind: 'tick', nowMs: 18_000 });
    expect(primary.asks()).toHaveLength(2);
  });

  test('goes on when the move is cancelled', () => {
    const primary = Primary.moving();
    primary.recover();
    primary.write('t1');
    primary.take({ kind: 'groupChanged', group: changed(cancelMove(MOVING, 'b', ALL_RULES)) });
    expect(primary.of('write')).toMatchObject([{ ticket: 't1' }]);
  });

  test('tells a write that waited when it learns of its successor by the state alone', () => {
    const primary = Primary.moving();
    primary.recover();
    primary.write('t1');
    primary.take({ kind: 'groupChanged', group: MOVED });
    expect(primary.of('reply')).toMatchObject([{ ticket: 't1', outcome: { kind: 'notPrimary' } }]);
  });
});

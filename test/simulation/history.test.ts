/** The history itself, with violations planted in ones that are right without them. */
import type { RegisterCall } from '@shoal/simulation';
import { describe, expect, test } from 'vitest';
import { History } from './history.test-support.ts';

const KEY = 'i/1';

function written(
  history: History,
  value: string,
  at: { readonly from: number; readonly to: number; seqNo: number },
): void {
  history.began(KEY, value);
  const call = { calledAt: at.from, returnedAt: at.to, effect: { kind: 'write', value } } as const;
  history.ended(KEY, call, { kind: 'done', effect: call.effect, at: { seqNo: at.seqNo, term: 1 } });
}

function lostAnswer(history: History, value: string, from: number): RegisterCall {
  history.began(KEY, value);
  const call = { calledAt: from, returnedAt: from + 1, effect: { kind: 'write', value } } as const;
  return history.ended(KEY, call, { kind: 'unknown' }) ?? call;
}

function lateAnswer(history: History, unknown: RegisterCall, at: number): void {
  history.endedLate(KEY, unknown, { kind: 'done', effect: unknown.effect, at: { seqNo: 9, term: 1 } }, at);
}

describe('a history is right', () => {
  test('when the last acknowledged write is there in the end', () => {
    const history = new History();
    written(history, 'a', { from: 0, to: 1, seqNo: 0 });
    written(history, 'b', { from: 2, to: 3, seqNo: 1 });
    history.shown(KEY, { value: 'a', seqNo: 0, term: 1 });
    history.final(KEY, 'b', 10);
    expect(() => history.checkOrders()).not.toThrow();
  });

  test('when a write whose answer was lost is there, or is not', () => {
    for (const last of ['a', 'b']) {
      const history = new History();
      written(history, 'a', { from: 0, to: 1, seqNo: 0 });
      lostAnswer(history, 'b', 2);
      history.final(KEY, last, 10);
      expect(() => history.checkOrders()).not.toThrow();
      expect(history.unknownCount).toBe(1);
    }
  });

  test('when a write that was acknowledged late is there, and took effect before or after what was written meanwhile', () => {
    for (const last of ['b', 'c']) {
      const history = new History();
      written(history, 'a', { from: 0, to: 1, seqNo: 0 });
      const unknown = lostAnswer(history, 'b', 2);
      written(history, 'c', { from: 4, to: 5, seqNo: 2 });
      lateAnswer(history, unknown, 9);
      history.final(KEY, last, 10);
      expect(() => history.checkOrders()).not.toThrow();
      expect(history).toMatchObject({ acknowledgedCount: 3, unknownCount: 0, lateCount: 1 });
    }
  });

  test('when a write that was refused late is not there', () => {
    const history = new History();
    written(history, 'a', { from: 0, to: 1, seqNo: 0 });
    history.endedLate(KEY, lostAnswer(history, 'b', 2), { kind: 'nothing' }, 9);
    history.final(KEY, 'a', 10);
    expect(() => history.checkOrders()).not.toThrow();
  });

  test('when a refused write is not there', () => {
    const history = new History();
    written(history, 'a', { from: 0, to: 1, seqNo: 0 });
    history.began(KEY, 'b');
    history.ended(KEY, { calledAt: 2, returnedAt: 3, effect: { kind: 'write', value: 'b' } }, { kind: 'nothing' });
    history.final(KEY, 'a', 10);
    expect(() => history.checkOrders()).not.toThrow();
  });
});

describe('a violation is found', () => {
  test('when an acknowledged write is lost', () => {
    const history = new History();
    written(history, 'a', { from: 0, to: 1, seqNo: 0 });
    written(history, 'b', { from: 2, to: 3, seqNo: 1 });
    history.final(KEY, 'a', 10);
    expect(() => history.checkOrders()).toThrow(/no order of the calls on i\/1/);
  });

  test('when a write that was acknowledged late is lost, which without an answer it might be', () => {
    const history = new History();
    written(history, 'a', { from: 0, to: 1, seqNo: 0 });
    const unknown = lostAnswer(history, 'b', 2);
    history.final(KEY, 'a', 10);
    expect(() => history.checkOrders()).not.toThrow();
    lateAnswer(history, unknown, 9);
    expect(() => history.checkOrders()).toThrow(/no order/);
  });

  test('when a write that was refused late is there', () => {
    const history = new History();
    history.endedLate(KEY, lostAnswer(history, 'b', 2), { kind: 'nothing' }, 9);
    history.final(KEY, 'b', 10);
    expect(() => history.checkOrders()).toThrow(/no order/);
  });

  test('when a deletion is undone', () => {
    const history = new History();
    written(history, 'a', { from: 0, to: 1, seqNo: 0 });
    history.began(KEY, null);
    const effect = { kind: 'write', value: null } as const;
    history.ended(KEY, { calledAt: 2, returnedAt: 3, effect }, { kind: 'done', effect, at: { seqNo: 1, term: 1 } });
    history.final(KEY, 'a', 10);
    expect(() => history.checkOrders()).toThrow(/no order/);
  });

  test('when a refused write is there', () => {
    const history = new History();
    history.began(KEY, 'b');
    history.ended(KEY, { calledAt: 2, returnedAt: 3, effect: { kind: 'write', value: 'b' } }, { kind: 'nothing' });
    history.final(KEY, 'b', 10);
    expect(() => history.checkOrders()).toThrow(/no order/);
  });

  test('when somebody is shown what nobody wrote', () => {
    const history = new History();
    written(history, 'a', { from: 0, to: 1, seqNo: 0 });
    expect(() => history.shown(KEY, { value: 'x', seqNo: 1, term: 1 })).toThrow(
      /i\/1 is shown as x, which nobody wrote/,
    );
  });

  test('when one operation is seen with two contents', () => {
    const history = new History();
    written(history, 'a', { from: 0, to: 1, seqNo: 0 });
    lostAnswer(history, 'b', 2);
    expect(() => history.shown(KEY, { value: 'b', seqNo: 0, term: 1 })).toThrow(/operation i\/1 0\/1 is a and b/);
  });
});

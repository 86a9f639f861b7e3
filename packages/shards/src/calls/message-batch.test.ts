import { expect, test } from 'vitest';
import { MessageBatch } from './message-batch.ts';

/** A loop whose turns a test ends. */
function loop(): {
  readonly clock: { nowMs: number; monotonicMs(): number; wallMs(): number };
  readonly sched: { soon(fn: () => void): void; after(): () => void };
  endTurn(): void;
} {
  let waiting: (() => void)[] = [];
  return {
    clock: {
      nowMs: 0,
      monotonicMs() {
        return this.nowMs;
      },
      wallMs: () => 0,
    },
    sched: { soon: (fn) => void waiting.push(fn), after: () => () => {} },
    endTurn() {
      const now = waiting;
      waiting = [];
      for (const fn of now) fn();
    },
  };
}

test('messages of one turn go together, in their order, with all that is moved', () => {
  const { clock, sched, endTurn } = loop();
  const sent: (readonly [readonly string[], number])[] = [];
  const batch = new MessageBatch<string>({ clock, sched }, (messages, moved) => sent.push([messages, moved.length]));
  batch.add('a', [new ArrayBuffer(1)]);
  batch.add('b');
  batch.add('c', [new ArrayBuffer(1), new ArrayBuffer(1)]);
  expect(sent).toEqual([]);
  endTurn();
  batch.add('d');
  endTurn();
  endTurn();
  expect(sent).toEqual([
    [['a', 'b', 'c'], 3],
    [['d'], 0],
  ]);
});

test('a long turn does not hold what it has done already', () => {
  const { clock, sched, endTurn } = loop();
  const sent: (readonly string[])[] = [];
  const batch = new MessageBatch<string>({ clock, sched }, (messages) => sent.push(messages));
  batch.add('a');
  clock.nowMs = 5;
  batch.add('b');
  expect(sent).toEqual([['a', 'b']]);
  batch.add('c');
  endTurn();
  expect(sent).toEqual([['a', 'b'], ['c']]);
});

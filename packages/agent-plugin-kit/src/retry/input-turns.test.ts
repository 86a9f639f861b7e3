import { createEvent, eventToJsonText, type LogEvent } from '@shoal/agent-event';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Codec } from '../contract/plugin-definition.ts';
import { decodeInTurns, shortPieces } from './decode-in-turns.ts';
import { InputTurns, inputWorkMs, type TurnsOwner } from './input-turns.ts';
import { OrderedPushes } from './ordered-pushes.ts';

/** A thread whose clock stands still but for what steps cost, and whose loop turns when it is told to. */
class Loop {
  nowMs = 0;
  private queue: (() => void)[] = [];
  private readonly clock = { monotonicMs: () => this.nowMs, wallMs: () => this.nowMs };

  owner(pipelineId: string): TurnsOwner {
    const sched = { soon: (fn: () => void) => void this.queue.push(fn), after: () => () => undefined };
    return { runtime: { clock: this.clock, sched }, pipelineId };
  }

  async turn(): Promise<void> {
    const due = this.queue;
    this.queue = [];
    for (const fn of due) fn();
    // What was resumed goes on, through all of its promises.
    await new Promise((resolve) => setImmediate(resolve));
  }

  async untilQuiet(): Promise<void> {
    while (this.queue.length > 0) await this.turn();
  }
}

let loop: Loop;
beforeEach(() => {
  loop = new Loop();
});

const work = (turns: InputTurns, ms: number): void => turns.timed(() => void (loop.nowMs += ms));
const event = (n: number): LogEvent => createEvent(new Map([['n', n]]));

describe('inputs of one thread', () => {
  test('may work for five milliseconds together, then wait for the next turn of the loop', async () => {
    const [one, other] = [new InputTurns(loop.owner('a')), new InputTurns(loop.owner('b'))];
    work(one, 4);
    expect(one.isOver).toBe(false);
    work(other, 1);
    expect([one.isOver, other.isOver]).toEqual([true, true]);
    await loop.turn();
    expect([one.isOver, other.isOver]).toEqual([false, false]);
  });
  test('count a step within a step once', () => {
    const turns = new InputTurns(loop.owner('a'));
    turns.timed(() => {
      work(turns, 3);
      turns.add(3);
    });
    expect(turns.isOver).toBe(false);
  });
  test('have their work counted by pipeline, over all turns', async () => {
    const owner = loop.owner('a');
    const { clock } = owner.runtime;
    expect(inputWorkMs(clock, 'a')).toBe(0);
    for (const turns of [new InputTurns(owner), new InputTurns(owner), new InputTurns(loop.owner('b'))]) work(turns, 3);
    await loop.untilQuiet();
    expect([inputWorkMs(clock, 'a'), inputWorkMs(clock, 'b')]).toEqual([6, 3]);
  });
  test('go on one a turn, each pipeline in its turn whatever the number of its connections', async () => {
    const order: string[] = [];
    const wait = (pipeline: string): void =>
      void new InputTurns(loop.owner(pipeline)).next().then(() => order.push(pipeline));
    for (let n = 0; n < 5; n++) wait('many');
    wait('one');
    await loop.turn();
    expect(order).toEqual(['many']);
    await loop.turn();
    expect(order).toEqual(['many', 'one']);
    await loop.untilQuiet();
    expect(order).toEqual(['many', 'one', 'many', 'many', 'many', 'many']);
  });
  test('that did next to nothing need not wait over others: a datagram is not held back for a turn', async () => {
    const [busy, quiet] = [new InputTurns(loop.owner('a')), new InputTurns(loop.owner('b'))];
    work(busy, 5);
    work(quiet, 0.1);
    expect([busy.isDue, quiet.isDue]).toEqual([true, false]);
    const turn = busy.next();
    await loop.turn();
    await turn;
    work(quiet, 5);
    expect([busy.isDue, quiet.isDue]).toEqual([false, true]);
  });
});

describe('what a connection gives', () => {
  test('is decoded in its turn, in order, while the connection is held', async () => {
    const holds: boolean[] = [];
    const pushed: unknown[] = [];
    const sink = {
      push: async (events: readonly LogEvent[]) => void pushed.push(...events.map(({ fields }) => fields.get('n'))),
    };
    const pushes = new OrderedPushes(sink, loop.owner('a'), (isHeld) => void holds.push(isHeld));
    work(new InputTurns(loop.owner('b')), 5);
    for (let n = 0; n < 3; n++) {
      void pushes.offerMade(() => {
        loop.nowMs += 5;
        return [event(n)];
      });
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect([pushed, loop.nowMs]).toEqual([[], 5]);
    for (let turns = 1; turns <= 3; turns++) {
      await loop.turn();
      expect([pushed.length, loop.nowMs]).toEqual([turns, 5 + 5 * turns]);
    }
    expect(pushed).toEqual([0, 1, 2]);
    expect(holds).toEqual([true, false]);
  });
  test('that cannot be made is a failure of the input, and nothing behind it is pushed', async () => {
    const failures: unknown[] = [];
    const pushed: LogEvent[] = [];
    const sink = {
      push: async (events: readonly LogEvent[]) => void pushed.push(...events),
      failed: (error: unknown) => void failures.push(error),
    };
    const pushes = new OrderedPushes(sink, loop.owner('a'));
    await pushes.offerMade(() => {
      throw new Error('no such thing');
    });
    await pushes.offerMade(() => [event(1)]);
    expect([failures.map(String), pushed]).toEqual([['Error: no such thing'], []]);
  });
});

describe('what a socket gives in one go', () => {
  const bytes = Buffer.from(Array.from({ length: 40 * 1024 }, (_, n) => n & 0xff));
  test.each(['line', 'json_lines'])('is decoded in short pieces by the codec %s', (name) => {
    const pieces = shortPieces({ name }, bytes);
    expect(pieces.map(({ length }) => length)).toEqual([16_384, 16_384, 8_192]);
    expect(Buffer.concat(pieces)).toEqual(bytes);
  });
  test('stays whole for a codec that might take the end of a piece for that of an event', () => {
    expect(shortPieces({ name: 'plain' }, bytes)).toEqual([bytes]);
  });
});

describe('a long unit', () => {
  const lines = Array.from({ length: 60_000 }, (_, n) => `line ${n}`);
  const bytes = Buffer.from(lines.join('\n'));
  /** Cuts lines; each call costs a millisecond. */
  const lineCodec = (): Codec => ({
    name: 'line',
    decoder: () => {
      let held = '';
      const cut = (text: string): LogEvent[] => {
        loop.nowMs++;
        const parts = (held + text).split('\n');
        held = parts.pop() ?? '';
        return parts.map((line) => createEvent(new Map([['message', line]])));
      };
      return {
        decode: (piece) => cut(Buffer.from(piece).toString('latin1')),
        flush: () => (held === '' ? [] : cut('\n')),
      };
    },
    encode: (given) => Buffer.from(eventToJsonText(given)),
  });
  test('of lines is decoded in pieces, between which other pipelines go on', async () => {
    const turns = new InputTurns(loop.owner('long'));
    const decoding = decodeInTurns(lineCodec(), bytes, turns);
    const other = new InputTurns(loop.owner('other'));
    let otherTurns = 0;
    let isDone = false;
    void decoding.then(() => (isDone = true));
    while (!isDone) {
      void other.next().then(() => otherTurns++);
      await loop.turn();
    }
    expect((await decoding).map(({ fields }) => fields.get('message'))).toEqual(lines);
    // 40 pieces of 16 KiB, five in a turn.
    expect(otherTurns).toBeGreaterThan(5);
  });
  test('of a codec that knows steps is decoded step by step', async () => {
    const codec: Codec = {
      ...lineCodec(),
      name: 'json',
      decoder: () => ({
        decode: () => [],
        *decodeInSteps() {
          for (let n = 0; n < 20; n++) {
            loop.nowMs++;
            yield;
          }
          return [event(1)];
        },
        flush: () => [event(2)],
      }),
    };
    let turnsOfLoop = 0;
    let made: readonly LogEvent[] | null = null;
    void decodeInTurns(codec, bytes, new InputTurns(loop.owner('long'))).then((events) => (made = events));
    for (; made === null; turnsOfLoop++) await loop.turn();
    expect(made).toHaveLength(2);
    expect(turnsOfLoop).toBeGreaterThanOrEqual(4);
  });
});

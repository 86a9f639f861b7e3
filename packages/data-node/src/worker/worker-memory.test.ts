import { describe, expect, test } from 'vitest';
import { StopSlots, stopSignal } from './stop-slots.ts';
import { detached, transferablesOf } from './transferable-buffers.ts';
import type { QueryAnswer } from './worker-calls.ts';

describe('a stop slot', () => {
  test('is seen by the query that owns it and by no other', () => {
    const slots = new StopSlots();
    const shared = new Uint8Array(structuredClone(slots.shared));
    const [a, b] = [slots.take(), slots.take()];
    const [first, second] = [stopSignal(shared, a), stopSignal(shared, b)];
    slots.stop(a);
    expect([first.isStopped, second.isStopped]).toEqual([true, false]);
  });

  test('is clean for the next query', () => {
    const slots = new StopSlots();
    const slot = slots.take();
    slots.stop(slot);
    slots.give(slot);
    const again = slots.take();
    expect(again).toBe(slot);
    expect(stopSignal(new Uint8Array(slots.shared), again).isStopped).toBe(false);
  });

  test('is missing when all are taken: such a query cannot be stopped, and still runs', () => {
    const slots = new StopSlots();
    let slot = slots.take();
    for (let i = 0; i < 10_000 && slot >= 0; i++) slot = slots.take();
    expect(slot).toBe(-1);
    slots.stop(slot);
    expect(stopSignal(new Uint8Array(slots.shared), slot).isStopped).toBe(false);
  });
});

describe('memory of an answer', () => {
  const answer = (ords: Uint32Array): QueryAnswer => ({
    result: {
      contextId: 1,
      total: null,
      maxScore: null,
      columns: [{ kind: 'score', values: new Float32Array(ords.length) }],
      scores: null,
      ords,
      timedOut: false,
      terminatedEarly: false,
    },
    hits: null,
  });

  test('is handed over when a column fills it whole', () => {
    const ords = new Uint32Array(10_000);
    expect(transferablesOf(answer(ords))).toContain(ords.buffer);
  });

  test('is copied when it is a part of something, shared, or small', () => {
    const part = new Uint32Array(20_000).subarray(0, 10_000);
    const shared = new Uint32Array(new SharedArrayBuffer(40_000));
    for (const ords of [part, shared, new Uint32Array(3)]) {
      expect(transferablesOf(answer(ords))).not.toContain(ords.buffer);
    }
  });

  test('of a document does not drag a whole segment along', () => {
    const segment = new Uint8Array(1_000_000);
    const document = segment.subarray(10, 20);
    expect(detached(document).buffer.byteLength).toBe(10);
    const whole = new Uint8Array(100);
    expect(detached(whole)).toBe(whole);
  });
});

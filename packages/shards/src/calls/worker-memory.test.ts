import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packBody, transferablesOf, unpackBody } from './packed-body.ts';
import { StopSlotSignal, StopSlots } from './stop-slots.ts';

describe('a stop slot', () => {
  test('is seen by the query that owns it and by no other', () => {
    const slots = new StopSlots();
    const shared = new Uint8Array(structuredClone(slots.shared));
    const [a, b] = [slots.take(), slots.take()];
    const [first, second] = [new StopSlotSignal(shared, a), new StopSlotSignal(shared, b)];
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
    expect(new StopSlotSignal(new Uint8Array(slots.shared), again).isStopped).toBe(false);
  });

  test('is missing when all are taken: such a query cannot be stopped, and still runs', () => {
    const slots = new StopSlots();
    let slot = slots.take();
    for (let i = 0; i < 10_000 && slot >= 0; i++) slot = slots.take();
    expect(slot).toBe(-1);
    slots.stop(slot);
    expect(new StopSlotSignal(new Uint8Array(slots.shared), slot).isStopped).toBe(false);
  });
});

describe('a packed body', () => {
  test('holds any sections, each where a typed array may begin', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (sections) => {
        const body = unpackBody(structuredClone(packBody({ message: { a: 1 }, sections })));
        expect(body.message).toEqual({ a: 1 });
        expect(body.sections?.map((section) => [...section])).toEqual(sections.map((section) => [...section]));
        for (const section of body.sections ?? []) expect(section.byteOffset % 8).toBe(0);
      }),
    );
  });

  test('does not drag a whole segment along with a document', () => {
    const segment = new Uint8Array(1_000_000);
    expect(packBody({ message: null, sections: [segment.subarray(10, 20)] }).bytes.buffer.byteLength).toBe(16);
  });

  test('is handed over when it is large', () => {
    const large = packBody({ message: null, sections: [new Uint8Array(10_000)] });
    expect(transferablesOf(large.bytes)).toEqual([large.bytes.buffer]);
    expect(transferablesOf(packBody({ message: null, sections: [new Uint8Array(10)] }).bytes)).toEqual([]);
  });
});

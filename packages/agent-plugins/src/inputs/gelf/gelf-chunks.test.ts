import { describe, expect, test } from 'vitest';
import { bytes } from '../../plugin-instance.test-support.ts';
import { GelfChunks } from './gelf-chunks.ts';

function chunk(id: number, sequence: number, count: number, text: string): Uint8Array {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0x1e0f);
  head.writeBigUInt64BE(BigInt(id), 2);
  head.writeUInt8(sequence, 10);
  head.writeUInt8(count, 11);
  return Buffer.concat([head, bytes(text)]);
}

function assembling() {
  const state = { now: 0, dropped: 0 };
  const clock = { monotonicMs: () => state.now, wallMs: () => state.now };
  const chunks = new GelfChunks(clock, () => state.dropped++);
  const add = (id: number, sequence: number, count: number, text: string, sender = 'a'): string | null => {
    const whole = chunks.add(chunk(id, sequence, count, text), sender);
    return whole === null ? null : Buffer.from(whole).toString();
  };
  return { state, chunks, add };
}

describe('chunks of GELF messages', () => {
  test('come in any order, and more than once', () => {
    const { add, state } = assembling();
    expect([add(1, 2, 3, 'c'), add(1, 0, 3, 'a'), add(1, 0, 3, 'a'), add(1, 1, 3, 'b')]).toEqual([
      null,
      null,
      null,
      'abc',
    ]);
    expect(add(2, 0, 1, 'alone')).toBe('alone');
    expect(state.dropped).toBe(0);
  });

  test('of different messages and of different senders do not mix', () => {
    const { add } = assembling();
    add(1, 0, 2, 'a');
    add(2, 0, 2, 'x');
    add(1, 0, 2, 'p', 'other');
    expect([add(2, 1, 2, 'y'), add(1, 1, 2, 'b'), add(1, 1, 2, 'q', 'other')]).toEqual(['xy', 'ab', 'pq']);
  });

  test('are given up five seconds after the first of them', () => {
    const { add, state } = assembling();
    add(1, 0, 2, 'a');
    state.now = 5_000;
    expect(add(1, 1, 2, 'b')).toBeNull();
    expect(state.dropped).toBe(1);
    expect(add(1, 0, 2, 'A')).toBe('Ab');
  });

  test('that no message can have are refused', () => {
    const { add, chunks, state } = assembling();
    expect([add(1, 0, 0, 'a'), add(1, 0, 129, 'a'), add(1, 2, 2, 'a'), add(1, 0, 1, '')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(chunks.add(new Uint8Array([0x1e, 0x0f, 1]), 'a')).toBeNull();
    expect(state.dropped).toBe(5);
    add(2, 0, 2, 'a');
    expect(add(2, 1, 3, 'b')).toBeNull();
    expect(state.dropped).toBe(6);
  });

  test('the message that began first makes room: for messages', () => {
    const { add, state } = assembling();
    for (let id = 0; id <= 1_000; id++) add(id, 0, 2, 'a');
    expect(state.dropped).toBe(1);
    expect([add(1, 1, 2, 'b'), add(0, 1, 2, 'b')]).toEqual(['ab', null]);
  });

  test('the message that began first makes room: for bytes', () => {
    const { add, state } = assembling();
    const large = 'x'.repeat(60_000);
    for (let at = 0; at < 1_200; at++) add(Math.floor(at / 120), at % 120, 128, large);
    expect(state.dropped).toBeGreaterThan(0);
    expect(state.dropped).toBeLessThan(3);
  });
});

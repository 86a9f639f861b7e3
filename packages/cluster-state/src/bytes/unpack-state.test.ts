import { isMalformedMessage, runSteps, type Steps } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exampleState, mutated, type StateMutation, stateMutations } from '../state/cluster-state.test-support.ts';
import { readClusterState, readClusterStateInSteps, writeClusterState } from '../state/cluster-state-codec.ts';
import { packState } from './packed-state.test-support.ts';
import { piecesOf, unpackState } from './state-bytes.ts';
import { unpackStateInSteps } from './unpack-state.ts';

/** Text that does not compress to nothing, the same each time. */
function textOf(length: number, seed: number): string {
  let state = seed + 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 0x7fff_ffff;
    return String.fromCharCode(97 + (state % 26));
  }).join('');
}

const sized = fc
  .record({ length: fc.nat({ max: 60_000 }), seed: fc.nat(1_000) })
  .map((one) => textOf(one.length, one.seed));
const item = fc.oneof(
  sized,
  fc.jsonValue({ noUnicodeString: true, maxDepth: 3 }),
  fc.array(fc.nat(), { maxLength: 40 }),
);
const items = fc.array(item, { maxLength: 24, size: 'max' });
const value = fc.record({
  version: fc.nat(),
  none: fc.constant(null),
  indices: items,
  diff: fc.record({ put: items, removed: fc.array(fc.string()), deep: fc.record({ put: fc.record({ put: items }) }) }),
});

function countSteps<T>(steps: Steps<T>): number {
  for (let count = 1; ; count++) if (steps.next().done === true) return count;
}

/** More than one piece of bytes. */
function largeState(indices: number): Readonly<Record<string, unknown>> {
  const list = Array.from({ length: indices }, (_, i) => ({ name: `index-${i}`, mapping: { text: textOf(300, i) } }));
  return { version: 7, indices: list, routing: { put: list, removed: [] } };
}

describe('a state unpacked in steps', () => {
  test('is what is unpacked at once, of whatever size', () => {
    fc.assert(
      fc.property(value, (state) => {
        const plain = unpackState(packState(state));
        expect(plain).toEqual(state);
        expect(runSteps(unpackStateInSteps(packState(state, 'pieces')))).toEqual(plain);
        expect(runSteps(unpackStateInSteps(packState(state)))).toEqual(plain);
      }),
      { numRuns: 40 },
    );
  });

  test('of one piece has the bytes that it has on disk, and is unpacked in one step', () => {
    const state = largeState(20);
    expect(packState(state, 'pieces')).toEqual(packState(state));
    expect(countSteps(unpackStateInSteps(packState(state, 'pieces')))).toBe(1);
  });

  test('takes a step an index, and one a piece', () => {
    const bytes = packState(largeState(2_000), 'pieces');
    const pieces = piecesOf(bytes)?.length ?? 0;
    expect(pieces).toBeGreaterThan(5);
    expect(countSteps(unpackStateInSteps(bytes))).toBe(pieces + 2 * 2_000 + 1);
  });

  test('keeps names that mean something to a program', () => {
    const state = { ...largeState(2_000), settings: JSON.parse('{"constructor":"a","toString":"b"}') as object };
    expect(runSteps(unpackStateInSteps(packState(state, 'pieces')))).toEqual(state);
  });
});

describe('a state read in steps', () => {
  test('is what is read at once', () => {
    const states = stateMutations.map((mutations: readonly StateMutation[]) => mutated(exampleState(), mutations, 1));
    fc.assert(
      fc.property(states, (state) => {
        const written = writeClusterState(state);
        expect(runSteps(readClusterStateInSteps(written))).toEqual(readClusterState(written));
        const { size } = state.metadata.indices;
        expect(countSteps(readClusterStateInSteps(written))).toBeGreaterThan(size);
      }),
      { numRuns: 60 },
    );
  });
});

describe('pieces that do not fit together', () => {
  const bytes = Uint8Array.from(packState(largeState(2_000), 'pieces'));
  const changed = (change: (view: DataView) => void): Uint8Array => {
    const copy = bytes.slice();
    change(new DataView(copy.buffer));
    return copy;
  };

  test.each<[string, Uint8Array, string]>([
    ['none at all', Uint8Array.of(7), 'it has 0 pieces'],
    ['none said', changed((view) => view.setUint32(1, 0)), 'it has 0 pieces'],
    ['more than there are', changed((view) => view.setUint32(1, 2_000)), 'pieces take'],
    ['more than a state may have', changed((view) => view.setUint32(1, 0xffff_ffff)), 'it has 4294967295 pieces'],
    ['one that is longer than said', changed((view) => view.setUint32(5, 10)), 'pieces take'],
    ['bytes behind the last', new Uint8Array([...bytes, 0]), 'pieces take'],
    ['too few', bytes.slice(0, 60), 'pieces take'],
  ])('are refused: %s', (_, damaged, reason) => {
    expect(() => runSteps(unpackStateInSteps(damaged))).toThrow(reason);
  });

  test('are refused when one but the last is not full', () => {
    const parts = piecesOf(bytes) ?? [];
    const swapped = [parts.at(-1) ?? new Uint8Array(0), ...parts.slice(1, -1), parts[0] ?? new Uint8Array(0)];
    const head = bytes.slice(0, 5 + 4 * parts.length);
    const view = new DataView(head.buffer);
    for (const [i, part] of swapped.entries()) view.setUint32(5 + 4 * i, part.length);
    const joined = new Uint8Array(Buffer.concat([head, ...swapped]));
    expect(() => runSteps(unpackStateInSteps(joined))).toThrow('piece 0 has');
  });

  test('are read or refused, whatever byte is changed', () => {
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 }), (at, byte) => {
        const copy = bytes.slice();
        copy[at] = byte;
        try {
          runSteps(unpackStateInSteps(copy));
        } catch (error) {
          expect(error).toSatisfy(isMalformedMessage);
        }
      }),
      { numRuns: 100 },
    );
  });
});

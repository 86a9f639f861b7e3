import { deflateRawSync } from 'node:zlib';
import { isMalformedMessage, isShoalError, runSteps } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packState } from '../bytes/packed-state.test-support.ts';
import { unpackState } from '../bytes/state-bytes.ts';
import { exampleState, mutated, type StateMutation, stateMutations } from './cluster-state.test-support.ts';
import { readClusterState, writeClusterState } from './cluster-state-codec.ts';
import { applyStateDiffInSteps, writeStateDiff } from './cluster-state-diff.ts';

/** The value with one of its parts, picked by `path`, replaced. */
function damaged(value: unknown, path: readonly number[], by: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null) return by;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return by;
  const child: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === key ? damaged(item, rest, by) : item));
  return { ...value, [key]: damaged(child, rest, by) };
}

/** Reads, or refuses as malformed; anything else is a crash that another node could cause. */
function readsOrRefuses(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    expect(error).toSatisfy(isMalformedMessage);
  }
}

const damage = fc.record({
  path: fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 5 }),
  by: fc.anything({ maxDepth: 2, withBigInt: true }),
});
const state = stateMutations.map((mutations: readonly StateMutation[]) => mutated(exampleState(), mutations, 1));

describe('whatever another node sends', () => {
  test('as a state is read or refused', () => {
    fc.assert(
      fc.property(state, damage, (good, { path, by }) => {
        readsOrRefuses(() => readClusterState(damaged(writeClusterState(good), path, by)));
      }),
      { numRuns: 300 },
    );
  });

  test('as a difference is read or refused', () => {
    fc.assert(
      fc.property(state, stateMutations, damage, (base, after, { path, by }) => {
        const diff = damaged(writeStateDiff(base, mutated(base, after, 100)), path, by);
        const named = typeof diff === 'object' && diff !== null ? { ...diff, fromStateUuid: base.stateUuid } : diff;
        readsOrRefuses(() => runSteps(applyStateDiffInSteps(base, named)));
      }),
      { numRuns: 300 },
    );
  });

  test('as packed bytes is unpacked or refused', () => {
    fc.assert(
      fc.property(state, fc.nat(), fc.nat({ max: 255 }), (good, at, byte) => {
        const bytes = Uint8Array.from(packState(writeClusterState(good)));
        bytes[at % bytes.length] = byte;
        try {
          readClusterState(unpackState(bytes));
        } catch (error) {
          expect(error).toSatisfy(isShoalError);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('as packed bytes holds no more values than a state may have', () => {
    const values = 20_000_001;
    const raw = Buffer.alloc(5 + values, 0x80);
    raw[0] = 0xdd;
    raw.writeUInt32BE(values, 1);
    expect(() => unpackState(deflateRawSync(raw, { level: 1 }))).toThrow('more than 20000000 values');
  });
});

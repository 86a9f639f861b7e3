import { createEvent, type LogEvent } from '@shoal/agent-event';
import type { Codec, StreamPeer } from '@shoal/agent-plugin-kit';
import { runSteps } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { measuredCodec } from './measured-codec.ts';

const EVENTS: readonly LogEvent[] = [createEvent(), createEvent()];
const base: Codec = {
  name: 'tested',
  decoder: () => ({ decode: () => EVENTS, flush: () => [] }),
  encode: () => new Uint8Array(),
};

function measured(codec: Codec) {
  const decoded: (readonly [number, number])[] = [];
  let nowMs = 0;
  const meter = {
    nowMs: () => nowMs++,
    decoded: (count: number, ms: number) => void decoded.push([count, ms]),
    encoded: () => undefined,
  };
  return { codec: measuredCodec(codec, meter), decoded };
}

describe('a codec that is measured is the codec', () => {
  test('that wants whole units', () => {
    expect(measured({ ...base, needsUnits: true }).codec.needsUnits).toBe(true);
    expect(measured(base).codec.needsUnits).toBeUndefined();
  });
  test('that knows who sends', () => {
    const peers: unknown[] = [];
    const decoder = (peer?: StreamPeer) => {
      peers.push(peer);
      return base.decoder();
    };
    measured({ ...base, decoder }).codec.decoder({ host: 'h', port: 1 });
    expect(peers).toEqual([{ host: 'h', port: 1 }]);
  });
  test('that decodes in steps, which count once', () => {
    const { codec, decoded } = measured({
      ...base,
      decoder: () => ({
        ...base.decoder(),
        *decodeInSteps() {
          yield;
          yield;
          return EVENTS;
        },
      }),
    });
    const steps = codec.decoder().decodeInSteps?.(new Uint8Array());
    expect(steps && runSteps(steps)).toBe(EVENTS);
    expect(decoded).toEqual([[2, 3]]);
    expect(measured(base).codec.decoder().decodeInSteps).toBeUndefined();
  });
});

/**
 * A codec that counts what it is given and what it gives, and how long it takes.
 *
 * Calls for one event are many and short: one of some is timed and stands for those between, so that the watch does not
 * cost more than the codec.
 */
import type { LogEvent, OutputMemory } from '@shoal/agent-event';
import type { Codec, Decoder } from '@shoal/agent-plugin-kit';
import type { Steps } from '@shoal/core';

export interface CodecMeter {
  readonly nowMs: () => number;
  /** A piece of a stream was read. */
  decoded(eventCount: number, durationMs: number): void;
  encoded(eventCount: number, durationMs: number): void;
}

/** One in so many events that are written singly is timed. */
const TIMED_ENCODE_INTERVAL = 16;

export function measuredCodec(codec: Codec, meter: CodecMeter): Codec {
  let untilTimed = 1;
  const { encodeAll, lineEvent, needsUnits } = codec;
  return {
    name: codec.name,
    ...(needsUnits === undefined ? {} : { needsUnits }),
    decoder: (peer) => measuredDecoder(codec.decoder(peer), meter),
    encode: (event) => {
      untilTimed--;
      if (untilTimed > 0) {
        meter.encoded(1, 0);
        return codec.encode(event);
      }
      untilTimed = TIMED_ENCODE_INTERVAL;
      const startMs = meter.nowMs();
      const bytes = codec.encode(event);
      meter.encoded(1, (meter.nowMs() - startMs) * TIMED_ENCODE_INTERVAL);
      return bytes;
    },
    ...(lineEvent === undefined ? {} : { lineEvent: () => lineEvent.call(codec) }),
    ...(encodeAll === undefined
      ? {}
      : {
          encodeAll: (events: readonly LogEvent[], memory?: OutputMemory) => {
            const startMs = meter.nowMs();
            const bytes = encodeAll.call(codec, events, memory);
            meter.encoded(events.length, meter.nowMs() - startMs);
            return bytes;
          },
        }),
  };
}

function measuredDecoder(decoder: Decoder, meter: CodecMeter): Decoder {
  const { idleFlushMs, pendingUnits, decodeInSteps } = decoder;
  return {
    decode: (bytes) => {
      const startMs = meter.nowMs();
      const events = decoder.decode(bytes);
      meter.decoded(events.length, meter.nowMs() - startMs);
      return events;
    },
    flush: () => {
      const events = decoder.flush();
      if (events.length > 0) meter.decoded(events.length, 0);
      return events;
    },
    ...(decodeInSteps === undefined
      ? {}
      : { decodeInSteps: (bytes: Uint8Array) => measuredSteps(decodeInSteps.call(decoder, bytes), meter) }),
    ...(idleFlushMs === undefined ? {} : { idleFlushMs }),
    ...(pendingUnits === undefined ? {} : { pendingUnits: () => pendingUnits.call(decoder) }),
  };
}

function* measuredSteps(steps: Steps<readonly LogEvent[]>, meter: CodecMeter): Steps<readonly LogEvent[]> {
  for (let totalMs = 0; ; ) {
    const startMs = meter.nowMs();
    const step = steps.next();
    totalMs += meter.nowMs() - startMs;
    if (step.done === true) {
      meter.decoded(step.value.length, totalMs);
      return step.value;
    }
    yield;
  }
}

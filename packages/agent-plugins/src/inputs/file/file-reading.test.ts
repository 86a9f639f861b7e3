import { createEvent, eventsOfLines, type LogEvent, writeEvents } from '@shoal/agent-event';
import type { Codec, EventSink } from '@shoal/agent-plugin-kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileReading } from './file-reading.ts';

const textEvent = (text: string): LogEvent => createEvent(new Map([['message', text]]));

/** Codec like plain: each unit is an event, an empty one is none. */
const codec: Codec = {
  name: 'plain',
  decoder: () => ({
    decode: (bytes) => (bytes.length === 0 ? [] : [textEvent(Buffer.from(bytes).toString('utf8'))]),
    flush: () => [],
  }),
  encode: () => new Uint8Array(0),
};

interface Read {
  readonly events: Uint8Array;
  readonly positions: readonly number[];
}

async function read(chunks: readonly Uint8Array[], isFast: boolean): Promise<Read> {
  const events: LogEvent[] = [];
  const positions: number[] = [];
  const sink: EventSink = {
    push: async (pushed) => void events.push(...pushed),
    ...(isFast ? { pushLines: async (block) => void events.push(...eventsOfLines(block)) } : {}),
  };
  const reading = new FileReading(
    {
      codec: isFast ? { ...codec, lineEvent: () => textEvent('') } : codec,
      delimiter: Buffer.from('\n'),
      sink,
      decorate: (event) => void event.fields.set('path', '/a'),
    },
    0,
  );
  // The file is read into the same memory again and again.
  const memory = new Uint8Array(64);
  for (const chunk of chunks) {
    memory.set(chunk);
    await reading.take(memory.subarray(0, chunk.length));
    positions.push(reading.position);
  }
  await reading.finish();
  return { events: writeEvents(events), positions: [...positions, reading.position] };
}

test('lines that are decoded later are the same events, and the file is as safe at each moment', async () => {
  const chunk = fc
    .string({ unit: fc.constantFrom('a', 'ä', '€', '\n', '\n', '\r', ' '), maxLength: 20 })
    .map((text): Uint8Array => Buffer.from(text));
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 8 }), async (chunks) => {
      expect(await read(chunks, true)).toEqual(await read(chunks, false));
    }),
  );
});

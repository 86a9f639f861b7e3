import { eventFromJson, eventsOfLines, eventToJsonText, type LogEvent, OutputMemory } from '@shoal/agent-event';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BulkItem } from './bulk-action.ts';
import { bodyOfWritten, bulkBody, cutBody, writtenItems } from './bulk-body.ts';

/** The lines of one item, as plainly as can be. */
function itemText({ head, document }: BulkItem): string {
  if (document === null) return head;
  return `${head}${typeof document === 'string' ? document : eventToJsonText(document)}\n`;
}
const bodyText = (items: readonly BulkItem[]): string => items.map(itemText).join('');

const shaped = (text: string): LogEvent => {
  const [event] = eventsOfLines({ bytes: Buffer.from(`${text}\n`), prototype });
  return event ?? eventFromJson({});
};
const prototype = eventFromJson({ message: '', host: 'ä' });
const kinds: Readonly<Record<string, (n: number) => BulkItem['document']>> = {
  shaped: (n) => shaped(`line "${n}"`),
  maps: (n) => eventFromJson({ n, text: 'ä\n' }),
  text: (n) => `{"doc":{"n":"${n}ö"}}`,
  none: () => null,
};
const anyItem = (names: readonly string[], indices: readonly string[]): fc.Arbitrary<BulkItem> =>
  fc.tuple(fc.constantFrom(...names), fc.constantFrom(...indices), fc.nat(99)).map(([kind, index, n]) => ({
    event: eventFromJson({ n }),
    action: 'index',
    index,
    head: `{"index":{"_index":"${index}"}}\n`,
    document: kinds[kind]?.(n) ?? null,
  }));
const anyItems = fc.oneof(
  fc.array(anyItem(['shaped'], ['a']), { minLength: 1, maxLength: 30 }),
  fc.array(anyItem(['shaped', 'maps'], ['a', 'ä']), { minLength: 1, maxLength: 30 }),
  fc.array(anyItem(Object.keys(kinds), ['a', 'b']), { minLength: 1, maxLength: 30 }),
);

describe('a bulk body', () => {
  test('is the lines of its items, whatever they are made of, in memory that was used before', () => {
    const memory = new OutputMemory();
    fc.assert(
      fc.property(anyItems, (items) => {
        expect(bulkBody(items, memory).bytes.toString('utf8')).toBe(bodyText(items));
      }),
    );
  });

  test('knows the bytes of each item, and another body can be made of some', () => {
    fc.assert(
      fc.property(anyItems, fc.nat(5), (items, kept) => {
        const written = writtenItems(bulkBody(items, new OutputMemory()));
        expect(written.map(({ bytes }) => Buffer.from(bytes).toString('utf8'))).toEqual(items.map(itemText));
        const again = bodyOfWritten(written.slice(kept));
        expect(again.items).toEqual(items.slice(kept));
        expect(again.bytes.toString('utf8')).toBe(bodyText(items.slice(kept)));
      }),
    );
  });

  test('is cut between items into bodies that are as large as they may be', () => {
    fc.assert(
      fc.property(anyItems, fc.integer({ min: 1, max: 400 }), (items, bytesMax) => {
        const parts = cutBody(bulkBody(items, new OutputMemory()), bytesMax);
        expect(parts.flatMap((part) => part.items)).toEqual(items);
        for (const part of parts) expect(part.bytes.toString('utf8')).toBe(bodyText(part.items));
        for (const [i, { items: own, bytes }] of parts.entries()) {
          expect(own.length === 1 || bytes.length <= bytesMax).toBe(true);
          const [next] = parts[i + 1]?.items ?? [];
          if (next !== undefined) expect(bytes.length + Buffer.byteLength(itemText(next))).toBeGreaterThan(bytesMax);
        }
      }),
    );
  });
});

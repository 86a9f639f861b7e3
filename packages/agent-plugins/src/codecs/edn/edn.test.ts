import { createEvent, eventFromJson, eventToJsonText, parseEventJson } from '@shoal/agent-event';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeCodec } from '../../plugin-instance.test-support.ts';
import { decodeAll, sample, textOf } from '../codec-text.test-support.ts';

const plain = (text: string, options = {}) =>
  decodeAll(makeCodec('edn', options), text).map((event) => JSON.parse(eventToJsonText(event)));

test('edn reads a map as the fields of an event, its time too', () => {
  expect(plain('{"a" 1 :b {"c" ["x" "y"]} "@timestamp" "2026-01-02T03:04:05.678Z"}')).toEqual([
    { a: 1, b: { c: ['x', 'y'] }, '@timestamp': '2026-01-02T03:04:05.678Z', '@version': '1' },
  ]);
});

test('a target takes any value, and the time stays a text in it', () => {
  expect(plain('{"@timestamp" "2026-01-02T03:04:05.678Z"}', { target: '[doc]' })).toEqual([
    { doc: { '@timestamp': '2026-01-02T03:04:05.678Z' }, '@version': '1' },
  ]);
  expect(plain('[1 2]', { target: '[doc]' })).toEqual([{ doc: [1, 2], '@version': '1' }]);
});

test.each(['{:a', '[1 2]', 'plain words'])('%s is no map and stays a text', (text) => {
  expect(plain(text)).toEqual([{ message: text, '@version': '1' }]);
});

test('edn writes an event as a map', () => {
  expect(textOf(makeCodec('edn'), sample())).toBe(
    '{"@timestamp" "2026-01-02T03:04:05.678Z", "host" "web", "message" "hello", "@version" "1"}',
  );
  const event = eventFromJson({ a: [1, null, true, 1.5, 12345678901234567890n], b: { c: 'x"\\\n' } });
  event.fields.delete('@timestamp');
  event.fields.delete('@version');
  expect(textOf(makeCodec('edn'), event)).toBe('{"a" [1 nil true 1.5 12345678901234567890N], "b" {"c" "x\\"\\\\\\n"}}');
});

test('what it writes it reads', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value = parseEventJson(text);
      const event = createEvent(new Map([['value', value]]));
      const [read] = decodeAll(makeCodec('edn'), textOf(makeCodec('edn'), event));
      expect(read?.fields.get('value')).toEqual(value);
    }),
    { seed: 11, numRuns: 300 },
  );
});

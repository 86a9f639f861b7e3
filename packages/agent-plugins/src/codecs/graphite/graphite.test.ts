import { createEvent, eventToJsonText } from '@shoal/agent-event';
import { expect, test } from 'vitest';
import { makeCodec } from '../../plugin-instance.test-support.ts';
import { decodeAll, sample, textOf } from '../codec-text.test-support.ts';

const plain = (text: string, options = {}) =>
  decodeAll(makeCodec('graphite', options), ...text.split('|')).map((event) => JSON.parse(eventToJsonText(event)));

test('each line is an event, wherever it was cut', () => {
  expect(plain('a.b 1 17\nc.d 2.5e1| 1700000000\n\ne 3_0x 18')).toEqual([
    { '@timestamp': '1970-01-01T00:00:17.000Z', '@version': '1', 'a.b': 1 },
    { '@timestamp': '2023-11-14T22:13:20.000Z', '@version': '1', 'c.d': 25 },
    { '@timestamp': '1970-01-01T00:00:18.000Z', '@version': '1', e: 30 },
  ]);
});

test('a line may be of now', () => {
  const [first, second] = plain('a 1 N\nb 2', { as_key_value: true });
  expect([first.key, first.value, second.key]).toEqual(['a', 1, 'b']);
  expect(Date.parse(first['@timestamp'])).toBeGreaterThan(Date.parse('2020-01-01'));
});

test.each([
  [
    { metrics: { '%{host}.uptime': '%{up}', 'x.%{no}': '1', two: 2 } },
    'web.uptime 42.0 1767323045\ntwo 2.0 1767323045\n',
  ],
  [{ fields_are_metrics: true, include_metrics: ['^up'], metrics_format: 'a.*.b' }, 'a.up.b 42.0 1767323045\n'],
  [{ fields_are_metrics: true, exclude_metrics: ['^up', 'st$'] }, 'message 0.0 1767323045\n'],
  [{ metrics: { none: '1' }, include_metrics: ['some'] }, ''],
])('events become lines: %j', (options, text) => {
  const event = sample();
  event.fields.set('up', 42);
  expect(textOf(makeCodec('graphite', options), event)).toBe(text);
});

test.each([
  ['1e20', '1.0e+20'],
  ['.5', '0.5'],
  [' -1.5e-2z', '-0.015'],
  ['0x1A', '0.0'],
  ['none', '0.0'],
  ['-', '0.0'],
])('the value %j is sent as %s', (value, text) => {
  const event = createEvent(new Map([['v', value]]));
  expect(textOf(makeCodec('graphite', { metrics: { m: '%{v}' } }), event)).toBe(`m ${text} 0\n`);
});

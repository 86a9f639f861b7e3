import { eventFromJson } from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { makeCodec } from '../../plugin-instance.test-support.ts';
import { textOf } from '../codec-text.test-support.ts';

describe('the rubydebug codec', () => {
  test('aligns names, prints times bare and arrays with indexes', () => {
    const event = eventFromJson({
      '@timestamp': '2026-01-02T03:04:05.678Z',
      message: 'a "b"\n',
      tags: ['x'],
      n: null,
      m: { k: 1.5 },
    });
    expect(textOf(makeCodec('rubydebug'), event)).toBe(`{
    "@timestamp" => 2026-01-02T03:04:05.678Z,
       "message" => "a \\"b\\"\\n",
          "tags" => [
        [0] "x"
    ],
             "n" => nil,
             "m" => {
        "k" => 1.5
    },
      "@version" => "1"
}
`);
  });
  test('prints floats as Ruby does', () => {
    const event = eventFromJson({ a: 12345678.5, b: new DoubleNumber(1e29), c: 0.00001 });
    const text = textOf(makeCodec('rubydebug'), event);
    expect(text).toContain('"a" => 12345678.5,');
    expect(text).toContain('"b" => 1.0e+29,');
    expect(text).toContain('"c" => 1.0e-05,');
  });
  test('shows metadata when asked', () => {
    const event = eventFromJson({ '@metadata': { a: 1 } });
    expect(textOf(makeCodec('rubydebug', { metadata: true }), event)).toContain('"@metadata" => {\n        "a" => 1');
  });
});

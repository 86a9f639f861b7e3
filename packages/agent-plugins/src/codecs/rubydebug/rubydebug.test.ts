import { eventFromJson } from '@shoal/agent-event';
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
  test('shows metadata when asked', () => {
    const event = eventFromJson({ '@metadata': { a: 1 } });
    expect(textOf(makeCodec('rubydebug', { metadata: true }), event)).toContain('"@metadata" => {\n        "a" => 1');
  });
});

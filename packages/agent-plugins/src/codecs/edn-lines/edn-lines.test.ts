import { expect, test } from 'vitest';
import { makeCodec } from '../../plugin-instance.test-support.ts';
import { decodeAll, sample, textOf } from '../codec-text.test-support.ts';

test('edn_lines reads a value a line, however the lines arrive, and the last without its end', () => {
  const events = decodeAll(makeCodec('edn_lines'), '{:a 1}\n{:a', ' 2}\nno\n{:a 3}');
  expect(events.map(({ fields }) => fields.get('a') ?? fields.get('message'))).toEqual([1, 2, 'no', 3]);
});

test('edn_lines writes a line an event', () => {
  expect(textOf(makeCodec('edn_lines'), sample())).toBe(
    '{"@timestamp" "2026-01-02T03:04:05.678Z", "host" "web", "message" "hello", "@version" "1"}\n',
  );
});

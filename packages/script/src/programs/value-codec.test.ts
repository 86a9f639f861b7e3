import { ByteSink, ByteSource, isShoalError } from '@shoal/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JavaMap } from '../values/java-map.ts';
import { classOf, textOf } from '../values/java-text.ts';
import { compileScript } from './compile-script.ts';
import { PAINLESS_TEST_CONTEXT } from './script-context.ts';
import { readScriptValue, writeScriptValue } from './value-codec.ts';

const made = (text: string): unknown =>
  compileScript({ lang: 'painless', text }, PAINLESS_TEST_CONTEXT).run([new JavaMap()]);

function bytesOf(value: unknown): Uint8Array {
  const sink = new ByteSink(64);
  writeScriptValue(sink, value);
  return sink.copy();
}

test.each([
  ['1', 'java.lang.Integer'],
  ['5000000000L', 'java.lang.Long'],
  ['2.0', 'java.lang.Double'],
  ['2.5f', 'java.lang.Float'],
  ['(byte)7', 'java.lang.Byte'],
  ['(short)-7', 'java.lang.Short'],
  ["(char)'x'", 'java.lang.Character'],
  ["'ü'", 'java.lang.String'],
  ['true', 'java.lang.Boolean'],
  ["[1, 2L, [3.5, null], ['k': 'v', 'l': [:]]]", 'java.util.ArrayList'],
  ["Set s = new HashSet(); s.add('a'); return s", 'java.util.HashSet'],
  ["ZonedDateTime.parse('2020-01-02T03:04:05Z')", 'java.time.ZonedDateTime'],
])('%s comes back with its type', (text, type) => {
  const value = made(text);
  const back = readScriptValue(new ByteSource(bytesOf(value)));
  expect([classOf(back), textOf(back)]).toEqual([type, textOf(value)]);
});

test('a list that holds itself, and what only a script knows, are refused', () => {
  expect(() => bytesOf(made('def l = []; l.add(l); return l'))).toThrow('self-referencing');
  expect(() => bytesOf(made("/a/.matcher('a')"))).toThrow('Cannot write type');
});

test('bytes that are damaged are found damaged, or are another value', () => {
  const bytes = bytesOf(made("['a': [1, 2.5, 'text'], 'b': 3L]"));
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
      const damaged = Uint8Array.from(bytes);
      damaged[at] = byte;
      try {
        readScriptValue(new ByteSource(damaged));
      } catch (error) {
        expect(isShoalError(error) || (error as Error).name === 'DamagedBytes').toBe(true);
      }
    }),
  );
});

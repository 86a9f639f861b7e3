import { eventToJsonText, type LogEvent, parseFieldReference } from '@shoal/agent-event';
import { runSteps } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonEventOptions, jsonEvents, jsonEventsInSteps } from './json-events.ts';

const plain = (events: readonly LogEvent[]): unknown =>
  events.map((event) => {
    const { '@timestamp': _, ...fields } = JSON.parse(eventToJsonText(event));
    return { fields, tags: event.hasTag('_jsonparsefailure') };
  });

const OPTIONS: readonly JsonEventOptions[] = [
  { target: null, ecs: 'disabled' },
  { target: null, ecs: 'v8' },
  { target: parseFieldReference('[doc]'), ecs: 'v8' },
];

function expectAlike(text: string): void {
  for (const options of OPTIONS)
    expect(plain(runSteps(jsonEventsInSteps(text, options)))).toEqual(plain(jsonEvents(text, options)));
}

describe('JSON that is read in steps gives the events of JSON that is read at once', () => {
  test.each([
    '[]',
    ' [ ] ',
    '[{}]',
    '[{"a":1},{"a":"]"}]',
    '[{"a":"\\\\"},{"b":"\\""}]',
    '[1,2]',
    '[[{"a":1}]]',
    '[null]',
    '[{"a":1.0},{"b":12345678901234567890}]',
    '{"a":[1]}',
    '"[]"',
    '',
    '  ',
    // No JSON.
    '[',
    '[{"a":1}',
    '[{"a":1},]',
    '[,{"a":1}]',
    '[{"a":1}] x',
    '[{"a":1}]]',
    '[{]}]',
    '[{"a]',
    '[{"a":1}{"b":2}]',
    '\u00a0[{}]',
    '[{}]\u00a0',
  ])('%j', expectAlike);
  test('nested as deep as it may be, and deeper', () => {
    for (const depth of [997, 998, 999, 1_000, 1_001]) expectAlike(`[{"a":${'['.repeat(depth)}1${']'.repeat(depth)}}]`);
  });
  test('whatever stands in it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 3 })),
        fc.nat(),
        fc.constantFrom('', ',', ']', '"', '{', '\\'),
        (items, at, sign) => {
          const text = JSON.stringify(items);
          expectAlike(text);
          // Broken somewhere.
          const cut = at % (text.length + 1);
          expectAlike(text.slice(0, cut) + sign + text.slice(cut));
          expectAlike(text.slice(0, cut));
        },
      ),
    );
  });
  test('in more than one step where it is long', () => {
    const text = JSON.stringify(Array.from({ length: 5_000 }, (_, n) => ({ n, text: 'x'.repeat(100) })));
    let steps = 0;
    for (const _ of jsonEventsInSteps(text, { target: null, ecs: 'v8' })) steps++;
    expect(steps).toBeGreaterThan(10);
  });
});

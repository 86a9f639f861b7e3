import { parseFieldReference } from '@shoal/agent-event';
import { describe, expect, test } from 'vitest';
import { makeCodec, testContext } from '../../plugin-instance.test-support.ts';
import { decodeAll, sample } from '../codec-text.test-support.ts';

const body = `{"index":{"_index":"a","_id":"1"}}
{"field":"one"}
{"delete":{"_id":"2"}}

{"update":{"_id":"3"}}
{"doc":{"field":"three"}}
`;
const action = (name: string) => parseFieldReference(`[@metadata]${name}`);

describe('the es_bulk codec', () => {
  test('gives an event for each action, wherever the stream is cut', () => {
    for (let cut = 1; cut < body.length; cut++) {
      const events = decodeAll(makeCodec('es_bulk'), body.slice(0, cut), body.slice(cut));
      expect(events.map((event) => [event.get(action('[action]')), event.get(action('[_id]'))])).toEqual([
        ['index', '1'],
        ['delete', '2'],
        ['update', '3'],
      ]);
      expect(events[0]?.fields.get('field')).toBe('one');
      expect(events[2]?.get(parseFieldReference('[doc][field]'))).toBe('three');
    }
  });

  test('needs no line end behind the last document', () => {
    expect(decodeAll(makeCodec('es_bulk'), body.trimEnd())).toHaveLength(3);
  });

  test('keeps the action apart under ECS, and documents below a target', () => {
    const codec = makeCodec('es_bulk', { target: '[document]' }, testContext({ ecs: 'v8' }));
    const [event] = decodeAll(codec, body);
    expect(event?.get(action('[codec][es_bulk][action]'))).toBe('index');
    expect(event?.get(parseFieldReference('[document][field]'))).toBe('one');
  });

  test('goes on behind what is no JSON', () => {
    expect(decodeAll(makeCodec('es_bulk'), `no\n5\n{}\n{"index":3}\n${body}`)).toHaveLength(3);
  });

  test('does not write', () => {
    expect(() => makeCodec('es_bulk').encode(sample())).toThrow('only reads');
  });
});

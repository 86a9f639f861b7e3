import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { runFilter } from '../filter-outcome.test-support.ts';
import { jsonFilter } from './json.ts';

type Fields = Record<string, unknown>;

describe('the json filter', () => {
  const json = (options: Fields, fields: Fields) => runFilter(jsonFilter, { source: 'm', ...options }, fields);
  test('an object goes into the root and overwrites, or below a target', async () => {
    expect((await json({}, { m: '{"a":{"b":[1,null]},"c":2}', c: 1 })).event).toMatchObject({
      a: { b: [1, null] },
      c: 2,
    });
    expect((await json({ target: '[x][y]' }, { m: '[1]' })).event).toEqual({ m: '[1]', x: { y: [1] } });
  });
  test('integers beyond 2^53 and whole floats keep their kind', async () => {
    const event = eventOf({ m: '{"n":9223372036854775807,"f":1.0}' });
    await makeFilter(jsonFilter, { source: 'm' }).run(event);
    expect(event.fields.get('n')).toBe(9223372036854775807n);
    expect(String(event.fields.get('f'))).toBe('1.0');
  });
  test('what is no JSON, or no object without a target, is tagged; nothing or empty is nothing', async () => {
    expect((await json({}, { m: '{' })).event).toEqual({ m: '{', tags: ['_jsonparsefailure'] });
    expect((await json({}, { m: '[1]' })).event.tags).toEqual(['_jsonparsefailure']);
    expect((await json({ skip_on_invalid_json: true }, { m: '{' })).event).toEqual({ m: '{' });
    expect((await json({}, { m: '' })).outcome).toBe('unmatched');
    expect((await json({}, {})).event).toEqual({});
  });
  test('@timestamp is read as a time', async () => {
    expect((await json({}, { m: '{"@timestamp":"2026-01-02T03:04:05Z"}' })).event['@timestamp']).toBe(
      '2026-01-02T03:04:05.000Z',
    );
    expect((await json({}, { m: '{"@timestamp":"soon"}' })).event).toMatchObject({
      '_@timestamp': 'soon',
      tags: ['_timestampparsefailure'],
    });
  });
});

test('json says once under ECS that its fields go to the top of the event', async () => {
  const log = createRecordingLog();
  const runtime = createNodeRuntime({ log });
  const options = { source: 'm' };
  await runFilter(jsonFilter, options, {}, { ecs: 'v8', runtime });
  await runFilter(jsonFilter, { ...options, target: 't' }, {}, { ecs: 'v8', runtime });
  await runFilter(jsonFilter, options, {}, { runtime });
  expect(log.lines.map((line) => line.level)).toEqual(['info']);
});

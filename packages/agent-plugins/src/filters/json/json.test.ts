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
  test('a name with brackets is a reference; one that is none and illegal tags are tagged', async () => {
    expect((await json({}, { m: '{"[a][b]":1}' })).event).toMatchObject({ a: { b: 1 } });
    const { event, outcome } = await json({}, { m: '{"a":1,"b[0]":2}' });
    expect({ event, outcome }).toMatchObject({ event: { a: 1, tags: ['_jsonparsefailure'] }, outcome: 'unmatched' });
    expect((await json({}, { m: '{"tags":{"x":1}}' })).event.tags).toEqual(['_jsonparsefailure']);
    expect((await json({}, { m: '{"tags":["x","y"]}' })).event.tags).toEqual(['x', 'y']);
    expect((await json({ target: 't' }, { m: '{"b[0]":2}' })).event.t).toEqual({ 'b[0]': 2 });
  });
  test('skip_on_invalid_json is about texts that are no JSON only', async () => {
    const { event } = await json({ skip_on_invalid_json: true }, { m: '[1]' });
    expect(event.tags).toEqual(['_jsonparsefailure']);
  });
  test('a @timestamp that is none gives the event the time of now', async () => {
    const fields = { m: '{"@timestamp":"soon"}', '@timestamp': '2001-01-01T00:00:00Z' };
    const { event } = await json({}, fields);
    expect(event['_@timestamp']).toBe('soon');
    expect(Date.parse(String(event['@timestamp']))).toBeGreaterThan(Date.parse('2020-01-01'));
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

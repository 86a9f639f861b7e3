import { eventToJsonText, type LogEvent } from '@shoal/agent-event';
import { describe, expect, test } from 'vitest';
import { bytes } from '../../plugin-instance.test-support.ts';
import { type GelfFields, gelfEvent } from './gelf-message.ts';

const usual: GelfFields = { isRemapped: true, isStripped: true };

function read(text: string, fields = usual): LogEvent {
  const event = gelfEvent(bytes(text), '192.0.2.1', fields);
  if (event === null) throw new Error('no event');
  return event;
}

function plain(text: string, fields = usual): unknown {
  const { '@version': _, ...rest } = JSON.parse(eventToJsonText(read(text, fields)));
  return rest;
}

describe('a GELF message', () => {
  test('gives the event its text and its fields', () => {
    expect(plain('{"version":"1.1","host":"web","short_message":"hello","_user":"ann","level":3}')).toEqual({
      version: '1.1',
      host: 'web',
      message: 'hello',
      user: 'ann',
      level: 3,
      source_host: '192.0.2.1',
    });
  });

  test.each([
    ['{"short_message":"s","full_message":"f"}', { message: 'f', short_message: 's' }],
    ['{"short_message":"f","full_message":"f"}', { message: 'f' }],
    ['{"short_message":"s","full_message":""}', { message: 's', full_message: '' }],
    ['{"short_message":""}', { short_message: '' }],
    ['{"short_message":7}', { short_message: 7 }],
  ])('text of %s', (text, expected) => {
    expect(plain(text)).toEqual({ ...expected, source_host: '192.0.2.1' });
  });

  test('stays as it came where that is asked for', () => {
    expect(plain('{"short_message":"s","_a":1}', { isRemapped: false, isStripped: false })).toEqual({
      short_message: 's',
      _a: 1,
      source_host: '192.0.2.1',
    });
  });

  test.each([
    ['946702800', '2000-01-01T05:00:00.000Z'],
    ['946702800.1', '2000-01-01T05:00:00.100Z'],
    ['946702800.123', '2000-01-01T05:00:00.123Z'],
    ['946702800.123456', '2000-01-01T05:00:00.123456Z'],
    ['946702800.0', '2000-01-01T05:00:00.000Z'],
    ['-0.5', '1969-12-31T23:59:59.500Z'],
  ])('time of %s', (seconds, expected) => {
    const event = read(`{"timestamp":${seconds}}`);
    expect(String(event.timestamp)).toBe(expected);
    expect(event.fields.has('timestamp')).toBe(false);
  });

  test.each(['"2000-01-01T05:00:00Z"', '1e300', 'true', '99999999999999999'])('no time: %s', (value) => {
    const event = read(`{"timestamp":${value}}`);
    expect([event.fields.has('timestamp'), event.fields.has('@timestamp')]).toEqual([true, false]);
  });

  test.each(['no "json"', '[1]', '7', 'null', '{"a":', '['.repeat(100_000)])('that is no object: %.20s', (text) => {
    const event = read(text);
    expect(event.fields.get('tags')).toEqual(['_jsonparsefailure']);
    expect(event.fields.get('message')).toBe(JSON.stringify(text));
    expect(event.fields.get('source_host')).toBe('192.0.2.1');
  });

  test('that is empty is none', () => {
    expect(gelfEvent(bytes(' \n'), 'x', usual)).toBeNull();
  });

  test('cannot reach what is no field, nor break the event', () => {
    const event = read('{"_@metadata":{"a":1},"_@timestamp":"no time","_tags":{"a":1},"_":1,"_[a][b]":1}');
    expect(event.metadata.size).toBe(0);
    expect(event.timestamp).toBeNull();
    expect(() => eventToJsonText(event)).not.toThrow();
    expect([...event.fields.keys()]).toContain('_@timestamp');
  });
});

import { ShoalError } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { eventFromJson, toEventValue } from '../json/event-from-json.ts';
import { eventToJsonText } from '../json/event-json-text.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventValue } from '../values/event-value.ts';
import { createEvent, stampEvent } from './event.ts';
import type { LogEvent } from './log-event.ts';
import { parseFieldReference } from './parse-field-reference.ts';

const get = (event: LogEvent, name: string): EventValue | undefined => event.get(parseFieldReference(name));
const set = (event: LogEvent, name: string, value: EventValue): void => event.set(parseFieldReference(name), value);
const remove = (event: LogEvent, name: string): EventValue | undefined => event.remove(parseFieldReference(name));

describe('an event', () => {
  test('is read through maps and lists; what is not there is undefined, null is there', () => {
    const event = eventFromJson({ a: { b: ['x', { c: null }] } });
    expect(get(event, '[a][b][0]')).toBe('x');
    expect(get(event, '[a][b][-2]')).toBe('x');
    expect(get(event, '[a][b][1][c]')).toBeNull();
    expect(get(event, '[a][b][7]')).toBeUndefined();
    expect(get(event, '[a][b][0][c]')).toBeUndefined();
    expect(get(event, '[a][b][x]')).toBeUndefined();
  });

  test('is written through missing maps, and past the end of a list with nulls', () => {
    const event = createEvent();
    set(event, '[a][b]', 1);
    set(event, 'list', ['x']);
    set(event, '[list][3]', 'y');
    set(event, '[list][-4]', 'z');
    expect(eventToJsonText(event)).toBe('{"@version":"1","a":{"b":1},"list":["z",null,null,"y"]}');
  });

  test('refuses to write through a scalar, or a gap without end', () => {
    const event = eventFromJson({ s: 'x', list: [] });
    expect(() => set(event, '[s][b]', 1)).toThrow('Could not set field [[s][b]]: a string stands in its path');
    expect(() => set(event, '[list][999999]', 1)).toThrow(ShoalError);
    expect(() => set(event, '[list][x]', 1)).toThrow(ShoalError);
  });

  test('gives back what it removes', () => {
    const event = eventFromJson({ a: { b: 1 }, list: [1, 2, 3], '@metadata': { k: 'v' } });
    expect(remove(event, '[a][b]')).toBe(1);
    expect(remove(event, '[a][b]')).toBeUndefined();
    expect(remove(event, '[list][1]')).toBe(2);
    expect(remove(event, '[@metadata][k]')).toBe('v');
    expect(eventToJsonText(event)).toBe('{"a":{},"list":[1,3],"@version":"1"}');
  });

  test('keeps metadata apart', () => {
    const event = eventFromJson({ m: 1, '@metadata': { k: 'v' } });
    expect(get(event, '[@metadata][k]')).toBe('v');
    set(event, '[@metadata][n]', 2);
    expect(event.metadata.size).toBe(2);
    expect(eventToJsonText(event)).not.toContain('metadata');
    expect(event.clone().metadata).toEqual(event.metadata);
  });

  test('takes a time as text, and moves aside what is none', () => {
    expect(eventFromJson({ '@timestamp': '2026-01-02T03:04:05.6789+01:00' }).timestamp?.toString()).toBe(
      '2026-01-02T02:04:05.6789Z',
    );
    const event = eventFromJson({ '@timestamp': 'yesterday' });
    expect(event.timestamp).toBeNull();
    expect(get(event, '_@timestamp')).toBe('yesterday');
    expect(event.hasTag('_timestampparsefailure')).toBe(true);
    stampEvent(event, new Timestamp(0));
    stampEvent(event, new Timestamp(1));
    expect(event.timestamp?.epochMs).toBe(0);
    expect(() => set(event, '@timestamp', 'no')).toThrow('a string is no timestamp');
  });

  test('has tags once each, and moves aside what are none', () => {
    const event = createEvent();
    event.tag('a');
    event.tag('a');
    event.tag('b');
    expect(get(event, 'tags')).toEqual(['a', 'b']);
    expect(eventToJsonText(eventFromJson({ tags: { x: 1 } }))).toBe(
      '{"_tags":{"x":1},"tags":["_tagsparsefailure"],"@version":"1"}',
    );
    const single = eventFromJson({ tags: 'one' });
    single.tag('two');
    expect(get(single, 'tags')).toEqual(['one', 'two']);
  });

  test('and its clone share nothing that can change', () => {
    const event = eventFromJson({ a: { b: [1] } });
    const copy = event.clone();
    set(copy, '[a][b][0]', 2);
    expect(get(event, '[a][b][0]')).toBe(1);
  });

  test('may have fields with the names of an object', () => {
    const event = createEvent(toEventValue(JSON.parse('{"__proto__":1,"constructor":2}')) as Map<string, EventValue>);
    expect(get(event, '__proto__')).toBe(1);
    expect(get(event, 'toString')).toBeUndefined();
  });
});

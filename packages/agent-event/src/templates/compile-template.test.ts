import { ShoalError } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { eventFromJson } from '../json/event-from-json.ts';
import { Timestamp } from '../time/timestamp.ts';
import { compileTemplate } from './compile-template.ts';

const event = eventFromJson({
  '@timestamp': '2026-01-02T03:04:05.678901Z',
  name: 'web',
  a: { b: [1, 'x'] },
  nothing: null,
  yes: true,
  '@metadata': { k: 'v' },
});
const render = (text: string): string => compileTemplate(text).render(event);

describe('a template', () => {
  test.each([
    ['plain', 'plain'],
    ['%{name}', 'web'],
    ['a %{[a][b]} b %{[a][b][1]}!', 'a 1,x b x!'],
    ['%{a}', '{"b":[1,"x"]}'],
    ['%{yes}/%{[@metadata][k]}', 'true/v'],
    ['%{missing} %{nothing}', '%{missing} %{nothing}'],
    ['50%{', '50%{'],
    ['%{}', '%{}'],
    ['100% {x}', '100% {x}'],
    ['%{@timestamp}', '2026-01-02T03:04:05.678901Z'],
  ])('%s', (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  test.each([
    ['logs-%{+YYYY.MM.dd}', 'logs-2026.01.02'],
    ['%{+yyyy-MM-dd HH:mm:ss.SSS ZZ}', '2026-01-02 03:04:05.678 +00:00'],
    ["%{+xxxx.ww e 'w''k' EEE EEEE MMM}", "2026.01 5 w'k Fri Friday Jan"],
    ['%{+yy D DDD hh a SSSSSS}', '26 2 002 03 AM 678901'],
    ['%{+%s}', '1767323045'],
    ['%{{yyyy-MM-dd}} %{{YYYY ww}}', '2026-01-02 2026 01'],
    ['%{{XXX}} %{{Q}}', 'Z 1'],
  ])('of time: %s', (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  test('of the present takes the clock it was given', () => {
    const template = compileTemplate('%{{TIME_NOW}}', { now: () => new Timestamp(0) });
    expect(template.render(event)).toBe('1970-01-01T00:00:00.000Z');
  });

  test('of time follows the events from day to day, and to those without a time', () => {
    const template = compileTemplate('a-%{+yyyy}-%{+MM.dd}');
    const times = ['2026-01-02', '2026-01-02', '2027-01-02', '2027-02-02', null, '2027-02-02'];
    const rendered = times.map((day) =>
      template.render(eventFromJson(day === null ? {} : { '@timestamp': `${day}T00:00:00Z` })),
    );
    expect(rendered).toEqual(['a-2026-01.02', 'a-2026-01.02', 'a-2027-01.02', 'a-2027-02.02', 'a--', 'a-2027-02.02']);
  });

  test('of time prints nothing for an event without one', () => {
    const timeless = eventFromJson({});
    expect(compileTemplate('a%{+YYYY}%{+%s}b').render(timeless)).toBe('ab');
  });

  test('knows whether it depends on the event', () => {
    expect(compileTemplate('a').isConstant).toBe(true);
    expect(compileTemplate('%{a}').isConstant).toBe(false);
  });

  test.each(['%{a[b]}', '%{+YYYY-b}', "%{+'x}", '%{{Ñ j}}'])('%s is refused when it is compiled', (text) => {
    expect(() => compileTemplate(text)).toThrow(ShoalError);
  });
});

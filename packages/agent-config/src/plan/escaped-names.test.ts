import { compileTemplate } from '@shoal/agent-event';
import { describe, expect, test } from 'vitest';
import { eventOf } from '../options/plugin-fixture.test-support.ts';
import { compile, holds } from './config-fixture.test-support.ts';

const event = eventOf({ 'a[0]': 'brackets', 'x%5B': 'percent', b: { 'c]d': 1 } });

describe('brackets that belong to a name', () => {
  test.each([
    ['percent', '%{a%5B0%5D}', 'brackets'],
    ['percent', '<%{[b][c%5Dd]}>', '<1>'],
    ['ampersand', '%{a&#91;0&#93;}', 'brackets'],
    ['ampersand', '%{[b][c&#93;d]}', '1'],
    ['ampersand', '%{x%5B}', 'percent'],
    ['none', '%{x%5B}', 'percent'],
    ['none', '%{a%5B0%5D}', '%{a%5B0%5D}'],
  ] as const)('in a template, style %s: %s', (escapeStyle, text, expected) => {
    expect(compileTemplate(text, { escapeStyle }).render(event)).toBe(expected);
  });

  test('in conditions and in the fields and tags that a filter adds', () => {
    expect(holds('[a%5B0%5D] == "brackets"', { 'a[0]': 'brackets' }, { escapeStyle: 'percent' })).toBe(true);
    const text =
      'filter { drop { add_field => { "[n%5B1%5D]" => "%{a%5B0%5D}" } add_tag => ["%{[b][c%5Dd]}"] remove_field => ["x%255B"] } }';
    const [step] = compile(text, { escapeStyle: 'percent' }).filters;
    const one = eventOf({ 'a[0]': 'brackets', 'x%5B': 'gone', b: { 'c]d': 1 } });
    if (step?.kind === 'plugin') step.plugin.decorate?.(one);
    expect(one.fields.get('n[1]')).toBe('brackets');
    expect(one.hasTag('1')).toBe(true);
    expect(one.fields.has('x%5B')).toBe(false);
  });
});

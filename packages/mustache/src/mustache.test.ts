import { describe, expect, test } from 'vitest';
import { parseMustache } from './parse-mustache.ts';
import { type MustacheValues, renderMustache } from './render-mustache.ts';

/** Values of plain JSON; what is escaped stands in parentheses. */
const VALUES: MustacheValues<unknown> = {
  member: (value, name) => {
    const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return members.find(([key]) => key === name)?.[1];
  },
  items: (value) => (Array.isArray(value) ? value : null),
  isFalse: (value) => value === false || value === '',
  text: (value) => String(value),
  escape: (text) => `(${text})`,
  json: (value) => JSON.stringify(value),
  itemText: (value) => String(value),
  tooLong: () => new Error('too long'),
};

function rendered(source: string, fields: unknown, workMax = 10_000): string {
  return renderMustache(parseMustache(source), [fields], VALUES, workMax);
}

describe('a template', () => {
  test.each([
    ['{{a}} {{{a}}} {{& a }}', { a: 1 }, '(1) 1 1'],
    ['{{a.b}}|{{c.d}}|{{a b}}', { 'a.b': 1, c: { d: 2 }, 'a b': 3 }, '(1)|(2)|(3)'],
    ['{{#a}}{{.}},{{/a}}{{^a}}none{{/a}}', { a: [1, 2] }, '(1),(2),'],
    ['{{#a}}{{b}}{{c}}{{/a}}', { a: { b: 1 }, c: 2 }, '(1)(2)'],
    ['{{#a}}[{{x}}]{{/a}}', { a: [null], x: 1 }, '[(1)]'],
    ['{{^a}}-{{/a}}{{^b}}-{{/b}}{{^c}}-{{/c}}{{^d}}-{{/d}}', { a: [], b: false, c: '', d: 0 }, '---'],
    ['{{a}}{{^a}}default{{/a}}', {}, 'default'],
    ['{{=<% %>=}}<%a%>{{a}}<%={{ }}=%>{{a}}', { a: 1 }, '(1){{a}}(1)'],
    ['{{! comment }}{{%PRAGMA}}x{{ }}', {}, 'x'],
    ['{{$block}}b{{/block}}', {}, 'b'],
    ['{{#toJson}}a{{/toJson}}', { a: [1, { b: 2 }] }, '[1,{"b":2}]'],
    ['{{#join}}a{{/join}}', { a: [1, 2] }, '1,2'],
    ["{{#join delimiter='; '}}a{{/join delimiter='; '}}", { a: [1, 2] }, '1; 2'],
    ['{{#join}}{{a}}{{/join}}', { a: 5 }, '(5)'],
    ['{{#url}}{{{a}}}{{#join}}b{{/join}}{{/url}}', { a: "é !*'()~", b: [1, 2] }, '%C3%A9+%21*%27%28%29%7E1%2C2'],
  ])('%s of %j', (source, fields, text) => {
    expect(rendered(source, fields)).toBe(text);
  });

  test.each([
    ['a\n  {{#x}}\n  b\n  {{/x}}\nc', 'a\n  b\nc'],
    ['a {{#x}} \nb{{/x}}\nc', 'a  b\nc'],
    ['a\n{{! c }}\nb', 'a\n\nb'],
    ['a\r\n{{#x}}\r\nb\r\n{{/x}}\r\nc', 'a\r\nb\r\nc'],
  ])('leaves no lines of sections: %j', (source, text) => {
    expect(rendered(source, { x: true })).toBe(text);
  });

  test.each([
    ['{{#a}}\n', "Failed to close 'a' tag @[query-template:1]"],
    ['\n{{/a}}', 'Mismatched start/end tags: null != a in query-template:2 @[query-template:2]'],
    ['{{#a}}{{/b}}', 'Mismatched start/end tags: a != b in query-template:1 @[query-template:1]'],
    ['{{a', 'Improperly closed variable @[query-template:1]'],
    ['{{{a}} ', 'Improperly closed variable: a in query-template:1@6 @[query-template:1]'],
    ['{{}}', 'Empty mustache @[query-template:1]'],
    ['{{=<%>=}}', 'Invalid delimiter string: <%> @[query-template:1]'],
    ['{{>a}}', 'Template a not found'],
    ['{{#toJson}}a{{b}}{{/toJson}}', 'Mustache function [toJson] must contain one and only one identifier'],
    ['{{#a}}'.repeat(600), 'more than [500] sections in one another'],
  ])('%j is none', (source, reason) => {
    expect(() => parseMustache(source)).toThrow(reason);
  });

  test.each([
    ['characters', 'xxxxxxxxxx'],
    ['sections', ''],
    ['lookups', '{{none}}'.repeat(20)],
  ])('does not grow without limit in %s', (_, inner) => {
    const source = `${'{{#a}}'.repeat(6)}${inner}${'{{/a}}'.repeat(6)}`;
    expect(() => rendered(source, { a: Array.from({ length: 100 }, () => 1) })).toThrow('too long');
  });

  test('is read in a time that grows with its length', () => {
    const spaces = ' '.repeat(60_000);
    expect(rendered(`${spaces}x\n{{#a}}\n${'{{b}}'.repeat(10_000)}{{/a}}`, { a: true }, 1_000_000)).toBe(
      `${spaces}x\n`,
    );
  }, 1_000);
});

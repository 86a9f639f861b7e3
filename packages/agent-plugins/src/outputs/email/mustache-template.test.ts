import { type EventMap, toEventValue } from '@shoal/agent-event';
import { describe, expect, test } from 'vitest';
import { compileMustache } from './mustache-template.ts';

function rendered(template: string, fields: Record<string, unknown>): string {
  return compileMustache(template).render(toEventValue(fields) as EventMap);
}

describe('a Mustache template', () => {
  test.each([
    ['Hi {{name}}!', { name: 'a<b' }, 'Hi a&lt;b!'],
    ['{{{name}}} {{&name}}', { name: `<'&">` }, `<'&"> <'&">`],
    ['{{name}}', { name: `<'&">` }, '&lt;&#39;&amp;&quot;&gt;'],
    ['[{{none}}][{{null}}]', { null: null }, '[][]'],
    ['{{ @timestamp }} {{host.name}} {{host.none.x}}', { '@timestamp': 'now', host: { name: 'web' } }, 'now web '],
    ['{{n}} {{list}} {{{map}}}', { n: 1.5, list: [1], map: { a: 'b' } }, '1.5 [1] {"a"=>"b"}'],
    ['{{#tags}}<{{.}}>{{/tags}}', { tags: ['a', 'b'] }, '<a><b>'],
    ['{{#hits}}{{n}}{{name}} {{/hits}}', { hits: [{ n: 1 }, { n: 2 }], name: 'x' }, '1x 2x '],
    ['{{#host}}{{name}}{{/host}}', { host: { name: 'web' } }, 'web'],
    ['{{#yes}}y{{/yes}}{{#no}}n{{/no}}{{^no}}-{{/no}}{{^none}}+{{/none}}', { yes: true, no: false }, 'y-+'],
    ['{{^list}}none{{/list}}', { list: [] }, 'none'],
    ['a{{! nothing }}b', {}, 'ab'],
    ['{{=<% %>=}}<%name%> {{name}}', { name: 'x' }, 'x {{name}}'],
    ['{{#a}}{{#b}}{{c}}{{/b}}{{/a}}', { a: { b: [{ c: 1 }, { c: 2 }] } }, '12'],
  ])('%s', (template, fields, text) => {
    expect(rendered(template, fields)).toBe(text);
  });

  test('a tag on a line of its own leaves no line', () => {
    expect(rendered('<ul>\n  {{#tags}}\n  <li>{{.}}</li>\n  {{/tags}}\n</ul>\n', { tags: ['a', 'b'] })).toBe(
      '<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>\n',
    );
  });

  test.each([
    ['{{#a}}', "Failed to close 'a' tag"],
    ['{{#a}}{{/b}}', 'Mismatched start/end tags: a != b'],
    ['{{/b}}', 'Mismatched start/end tags: null != b'],
    ['{{a', 'Improperly closed variable'],
    ['{{}}', 'Empty mustache'],
    ['{{> footer}}', 'Template footer not found'],
    ['{{#a}}'.repeat(600), 'more than [500] sections in one another'],
  ])('%s is refused', (template, why) => {
    expect(() => compileMustache(template)).toThrow(why);
  });

  test.each(['', 'xxxxxxxxxx'])('an event cannot make it endless (%s)', (text) => {
    const template = `${'{{#a}}'.repeat(6)}${text}${'{{/a}}'.repeat(6)}`;
    expect(() => rendered(template, { a: Array.from({ length: 100 }, () => 1) })).toThrow(
      'more than 2000000 characters',
    );
  });
});

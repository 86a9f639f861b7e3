import { isShoalError, parseJsonTree } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { parseQuery } from '../registry/query.ts';
import { parseHighlight } from './parse-highlight.ts';

function parsed(highlight: object): ReturnType<typeof parseHighlight> {
  const node = parseJsonTree(Buffer.from(JSON.stringify(highlight)));
  if (node === null) throw new Error('no body');
  return parseHighlight(node, parseQuery);
}

/** Reasons of the refusal and of its causes, outermost first. */
function refusal(highlight: object): readonly string[] {
  try {
    parsed(highlight);
  } catch (error) {
    const reasons: string[] = [];
    for (let at = error; isShoalError(at); at = at.causedBy) reasons.push(`${at.type}: ${at.reason}`);
    return reasons;
  }
  throw new Error('was accepted');
}

describe('highlight of a request', () => {
  test('has tags in pairs', () => {
    const tags = { pre_tags: ['<b>'], post_tags: ['</b>'] };
    expect(parsed({ ...tags, fields: { a: {} } }).fields[0]?.options).toMatchObject({
      preTags: ['<b>'],
      postTags: ['</b>'],
    });
    expect(parsed({ post_tags: ['!'], fields: { a: {} } }).fields[0]?.options.postTags).toEqual(['!']);
    const alone = 'pre_tags are set but post_tags are not set';
    expect(refusal({ pre_tags: ['<b>'], fields: { a: {} } })).toEqual([`parsing_exception: ${alone}`]);
    expect(refusal({ ...tags, fields: { a: { pre_tags: ['<i>'] } } })).toEqual([
      'x_content_parse_exception: [1:75] [highlight] failed to parse field [fields]',
      'x_content_parse_exception: [1:75] [fields] failed to parse field [a]',
      `parsing_exception: ${alone}`,
    ]);
  });

  test.each(['encoder', 'tags_schema'])('has %s for all fields alone', (name) => {
    const value = name === 'encoder' ? 'html' : 'styled';
    expect(parsed({ [name]: value, fields: { a: {} } }).fields).toHaveLength(1);
    expect(refusal({ fields: { a: { [name]: value } } }).at(-1)).toBe(
      `x_content_parse_exception: [1:17] [highlight_field] unknown field [${name}]`,
    );
  });

  test('has no use_explicit_field_order: the order is that of a list', () => {
    expect(refusal({ use_explicit_field_order: true, fields: {} })[0]).toMatch(/unknown field/);
    expect(parsed({ fields: [{ b: {} }, { a: {} }] }).fields.map(({ pattern }) => pattern)).toEqual(['b', 'a']);
  });
});

import { isShoalError, parseJsonTree, type ShoalError } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { parseIntervals } from './parse-intervals.ts';

function refusal(rule: unknown): ShoalError {
  const node = parseJsonTree(new TextEncoder().encode(JSON.stringify({ t: rule })));
  try {
    if (node !== null) parseIntervals(node, 'intervals');
  } catch (error) {
    if (isShoalError(error)) return error;
    throw error;
  }
  throw new Error('parsed');
}

/** Reasons from the outermost cause to the innermost, without where in the text they were found. */
function reasons(error: ShoalError | undefined): string[] {
  if (error === undefined) return [];
  const inner = isShoalError(error.causedBy) ? error.causedBy : undefined;
  return [`${error.type}: ${(error.reason ?? '').replaceAll(/^\[\d+:\d+\] /g, '')}`, ...reasons(inner)];
}

const matching = (filter: unknown) => ({ match: { query: 'a', filter } });

describe('what an intervals query cannot have is refused', () => {
  test.each<[unknown, ...string[]]>([
    [{ match: { queryx: 'a' } }, 'x_content_parse_exception: [match] unknown field [queryx] did you mean [query]?'],
    [{ match: {} }, 'illegal_argument_exception: Required [query]'],
    [{ match: 'x' }, 'x_content_parse_exception: [match] Expected START_OBJECT but was: VALUE_STRING'],
    [
      { match: { query: ['a'] } },
      "x_content_parse_exception: [match] query doesn't support values of type: START_ARRAY",
    ],
    [{ match: { query: 1 } }, "x_content_parse_exception: [match] query doesn't support values of type: VALUE_NUMBER"],
    [
      { match: { query: 'a', max_gaps: 'x' } },
      'x_content_parse_exception: [match] failed to parse field [max_gaps]',
      'number_format_exception: For input string: "x"',
    ],
    [
      { any_of: { intervals: [{ match: { queryx: 'a' } }] } },
      'x_content_parse_exception: [any_of] failed to parse field [intervals]',
      'x_content_parse_exception: [match] unknown field [queryx] did you mean [query]?',
    ],
    [{ any_of: {} }, 'illegal_argument_exception: Required [intervals]'],
    [{ all_of: { max_gaps: 2 } }, 'illegal_argument_exception: Required [intervals]'],
    [
      { any_of: { intervals: ['text', {}] } },
      'x_content_parse_exception: [any_of] failed to parse field [intervals]',
      'parsing_exception: Expected [FIELD_NAME] but got [START_OBJECT]',
    ],
    [
      { any_of: { intervals: [1] } },
      'x_content_parse_exception: [any_of] failed to parse field [intervals]',
      'parsing_exception: Expected [FIELD_NAME] but got [END_ARRAY]',
    ],
    [
      matching({}),
      'x_content_parse_exception: [match] failed to parse field [filter]',
      'parsing_exception: Expected [FIELD_NAME] but got [END_OBJECT]',
    ],
    [
      matching({ before: 1 }),
      'x_content_parse_exception: [match] failed to parse field [filter]',
      'parsing_exception: Expected [START_OBJECT] but got [VALUE_NUMBER]',
    ],
    [
      matching({ beside: { match: { query: 'b' } } }),
      'x_content_parse_exception: [match] failed to parse field [filter]',
      'parsing_exception: Unknown filter type [beside]',
    ],
    [
      matching({ before: { match: { query: 'b' } }, after: { match: { query: 'c' } } }),
      'x_content_parse_exception: [match] failed to parse field [filter]',
      'parsing_exception: Expected [END_OBJECT] but got [FIELD_NAME]',
    ],
    [{ prefix: { prefix: 'a', filter: { after: {} } } }, 'x_content_parse_exception: [prefix] unknown field [filter]'],
    [
      { match: { query: 'a' }, any_of: { intervals: [] } },
      'parsing_exception: Only one interval rule can be specified, found [match] and [any_of]',
    ],
    [{ boost: 2 }, 'parsing_exception: Missing intervals from interval query definition'],
    ['x', 'parsing_exception: Expected [START_OBJECT] but got [VALUE_STRING]'],
  ])('%j', (rule, ...expected) => {
    expect(reasons(refusal(rule))).toEqual(expected);
  });
});

test('one source may stand in the place of a list', () => {
  const source = { match: { query: 'a' } };
  const node = parseJsonTree(new TextEncoder().encode(JSON.stringify({ t: { any_of: { intervals: source } } })));
  if (node === null) throw new Error('no query');
  expect(parseIntervals(node, 'intervals').source).toMatchObject({ kind: 'anyOf', sources: [{ text: 'a' }] });
});

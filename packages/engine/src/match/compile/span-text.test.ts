import { describe, expect, test } from 'vitest';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { a: { type: 'text' }, b: { type: 'text' } } };
const term = (field: string) => ({ span_term: { [field]: 'x' } });
const masked = { field_masking_span: { query: term('a'), field: 'b' } };
const multi = { span_multi: { match: { regexp: { b: { value: 'x.*' } } } } };

describe('spans over several fields are refused', () => {
  test.each([
    [{ span_near: { clauses: [term('a'), term('b')] } }, 'Cannot add clause b:x to SpanNearQuery for field a'],
    [{ span_near: { clauses: [term('a'), masked] } }, 'Cannot add clause mask(a:x) as b to SpanNearQuery for field a'],
    [
      { span_near: { clauses: [term('a'), multi] } },
      'Cannot add clause SpanMultiTermQueryWrapper(b:/x.*/) to SpanNearQuery for field a',
    ],
    [
      { span_near: { clauses: [term('a'), { span_first: { match: term('b'), end: 3 } }] } },
      'Cannot add clause spanFirst(b:x, 3) to SpanNearQuery for field a',
    ],
    [
      { span_near: { clauses: [term('a'), { span_near: { clauses: [term('b')], slop: 3 } }] } },
      'Cannot add clause b:x to SpanNearQuery for field a',
    ],
    [{ span_or: { clauses: [term('a'), term('b')] } }, 'Clauses must have same field.'],
    [{ span_not: { include: term('a'), exclude: term('b') } }, 'Clauses must have same field.'],
    [{ span_within: { big: term('a'), little: term('b') } }, 'big and little not same field'],
  ])('%j', async (query, reason) => {
    await expect(runQuery(memoryContext(MAPPING, [[{ id: '1', source: '{}' }]]), { query })).rejects.toThrow(reason);
  });
});

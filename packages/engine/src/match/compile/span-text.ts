/**
 * Spans of a request as Lucene prints them, before their patterns are written out as terms.
 */
import { unreachable } from '@shoal/core';
import type { FuzzyQuery, PatternQuery, Span } from '@shoal/query';
import { maxEdits } from './compile-fuzzy.ts';

export function textOfSpan(span: Span): string {
  switch (span.kind) {
    case 'term':
      return `${span.field}:${String(span.value)}`;
    case 'gap':
      return `SpanGap(${span.field}:${span.width})`;
    case 'multi':
      return `SpanMultiTermQueryWrapper(${textOfPattern(span.query)})`;
    case 'near':
      if (span.clauses.length === 1 && span.clauses[0] !== undefined) return textOfSpan(span.clauses[0]);
      return `spanNear([${span.clauses.map(textOfSpan).join(', ')}], ${span.slop}, ${span.isOrdered})`;
    case 'or':
      return `spanOr([${span.clauses.map(textOfSpan).join(', ')}])`;
    case 'not':
      return `spanNot(${textOfSpan(span.include)}, ${textOfSpan(span.exclude)}, ${span.pre}, ${span.post})`;
    case 'first':
      return `spanFirst(${textOfSpan(span.match)}, ${span.end})`;
    case 'containing':
      return `SpanContaining(${textOfSpan(span.big)}, ${textOfSpan(span.little)})`;
    case 'within':
      return `SpanWithin(${textOfSpan(span.big)}, ${textOfSpan(span.little)})`;
    case 'masked':
      return `mask(${textOfSpan(span.query)}) as ${span.field}`;
    default:
      return unreachable(span);
  }
}

function textOfPattern(query: PatternQuery | FuzzyQuery): string {
  const { field } = query;
  const value = String(query.value);
  switch (query.kind) {
    case 'prefix':
      return `${field}:${value}*`;
    case 'regexp':
      return `${field}:/${value}/`;
    case 'wildcard':
      return `${field}:${value}`;
    case 'fuzzy':
      return `${field}:${value}~${maxEdits(query.fuzziness, [...value].length)}`;
    default:
      return unreachable(query);
  }
}

/**
 * What span and interval queries ask of the words of a field, as words, patterns and phrases to mark.
 *
 * Words of one `near` are marked where they stand as near as that, those of `first` where they stand as early. What a match must
 * not be near (`not`) is left aside. Words of intervals are marked wherever they are, as Lucene has it, and those of a filter
 * that wants another match with them.
 */
import type { IntervalSource, Span } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { analyzeQueryText, searchAnalyzer } from '../compile/compile-full-text.ts';
import type { MarkedPhrase, MarkSink } from '../marks/marks.ts';

export function markSpan(sink: MarkSink, span: Span): void {
  switch (span.kind) {
    case 'term':
      sink.word(span.field, String(span.value));
      return;
    case 'multi':
      if (span.query.kind === 'fuzzy') sink.fuzzy(span.query);
      else sink.pattern(span.query);
      return;
    case 'near':
      markNear(sink, span.clauses, span.isOrdered, span.slop);
      return;
    case 'or':
      for (const clause of span.clauses) markSpan(sink, clause);
      return;
    case 'not':
      markSpan(sink, span.include);
      return;
    case 'first':
      sink.before(span.end, () => markSpan(sink, span.match));
      return;
    case 'containing':
    case 'within':
      markSpan(sink, span.big);
      markSpan(sink, span.little);
      return;
    case 'masked':
      markSpan(sink, span.query);
      return;
    case 'gap':
      return;
  }
}

function markNear(sink: MarkSink, clauses: readonly Span[], isOrdered: boolean, slop: number): void {
  const terms = clauses.flatMap((clause) => (clause.kind === 'term' ? [clause] : []));
  const [first] = terms;
  if (first === undefined || terms.length < clauses.length || terms.length < 2) {
    for (const clause of clauses) markSpan(sink, clause);
    return;
  }
  const words = terms.map(({ value }) => String(value));
  sink.addPhrase(phraseOf(first.field, words, isOrdered, slop));
}

/** Without an order all words have one position, and as much slop as they take themselves. */
function phraseOf(
  field: string,
  words: readonly string[],
  isOrdered: boolean,
  slop: number,
): Omit<MarkedPhrase, 'number'> {
  const positions = words.map((word, i) => ({ test: (found: string) => found === word, offset: isOrdered ? i : 0 }));
  return { field, positions, slop: isOrdered ? slop : slop + words.length - 1 };
}

export function markIntervals(sink: MarkSink, field: FieldMapping, source: IntervalSource): void {
  markSource(sink, field, source);
  const { filter } = source;
  if (filter === null || filter.relation === 'script' || filter.relation.startsWith('not_')) return;
  markIntervals(sink, field, filter.source);
}

function markSource(sink: MarkSink, field: FieldMapping, source: IntervalSource): void {
  switch (source.kind) {
    case 'match': {
      const of = (source.useField === null ? null : sink.ctx.mapping.field(source.useField)) ?? field;
      const tokens = analyzeQueryText(searchAnalyzer(sink.ctx, of, source.analyzer), source.text);
      const words = tokens.map(({ term }) => Buffer.from(term).toString('utf8'));
      for (const word of words) sink.word(of.path, word);
      return;
    }
    case 'allOf':
    case 'anyOf':
      for (const one of source.sources) markIntervals(sink, field, one);
      return;
    case 'fuzzy':
      sink.fuzzy({ ...source, field: source.useField ?? field.path, value: source.term });
      return;
    default:
      sink.pattern({ ...source, field: source.useField ?? field.path, value: source.pattern });
  }
}

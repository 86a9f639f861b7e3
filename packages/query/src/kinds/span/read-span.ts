/**
 * Spans from a decoded message.
 */
import { ValueReader } from '@shoal/core';
import { LIST_ENTRIES_MAX, readCount, readValue, readWhole } from '../../node/query-node.ts';
import { multiTermKind, noQueryInside } from './multi-term-kinds.ts';
import { SPAN_NESTING_MAX, type Span } from './span-tree.ts';

type SpanReader = (r: ValueReader, depth: number) => Span;

/** A kind of span without a reader does not compile; gaps are read where they may stand. */
const READERS: Readonly<Record<Exclude<Span['kind'], 'gap'>, SpanReader>> = {
  containing: (r, depth) => ({ kind: 'containing', ...readPair(r, depth) }),
  first: (r, depth) => ({ kind: 'first', match: readInner(r, 'match', depth), end: readWhole(r, 'end') }),
  masked: (r, depth) => ({ kind: 'masked', field: r.string('field'), query: readInner(r, 'query', depth) }),
  multi: readMulti,
  near: readNear,
  not: readNot,
  or: readOr,
  term: (r) => ({ kind: 'term', field: r.string('field'), value: readValue(r, 'value') }),
  within: (r, depth) => ({ kind: 'within', ...readPair(r, depth) }),
};
const READERS_BY_KIND: ReadonlyMap<string, SpanReader> = new Map(Object.entries(READERS));

export function readSpan(r: ValueReader, depth = 0): Span {
  if (depth > SPAN_NESTING_MAX) r.refuse('kind', `a span nested at most ${SPAN_NESTING_MAX} deep`);
  const read = READERS_BY_KIND.get(r.string('kind'));
  return read ? read(r, depth + 1) : r.refuse('kind', 'a kind of span');
}

function readInner(r: ValueReader, field: string, depth: number): Span {
  return readSpan(r.object(field), depth);
}

function readPair(r: ValueReader, depth: number): { readonly big: Span; readonly little: Span } {
  return { big: readInner(r, 'big', depth), little: readInner(r, 'little', depth) };
}

function readMulti(r: ValueReader): Span {
  const query = r.object('query');
  const kind = multiTermKind(query.string('kind'));
  if (kind === null) return query.refuse('kind', 'prefix, wildcard, regexp or fuzzy');
  return { kind: 'multi', query: kind.read(query, noQueryInside) };
}

function readNear(r: ValueReader, depth: number): Span {
  const clauses = r.list(
    'clauses',
    (value, path) => readNearClause(ValueReader.of(value, path), depth),
    LIST_ENTRIES_MAX,
  );
  if (clauses[0] === undefined || clauses[0].kind === 'gap') r.refuse('clauses', 'spans, the first of them no gap');
  return { kind: 'near', clauses, slop: readWhole(r, 'slop'), isOrdered: r.boolean('isOrdered') };
}

function readOr(r: ValueReader, depth: number): Span {
  const clauses = r.list('clauses', (value, path) => readSpan(ValueReader.of(value, path), depth), LIST_ENTRIES_MAX);
  if (clauses.length === 0) r.refuse('clauses', 'at least one span');
  return { kind: 'or', clauses };
}

/** Only here a gap may stand. */
function readNearClause(r: ValueReader, depth: number): Span {
  if (r.raw('kind') !== 'gap') return readSpan(r, depth);
  return { kind: 'gap', field: r.string('field'), width: readWhole(r, 'width') };
}

function readNot(r: ValueReader, depth: number): Span {
  return {
    kind: 'not',
    include: readInner(r, 'include', depth),
    exclude: readInner(r, 'exclude', depth),
    pre: readCount(r, 'pre'),
    post: readCount(r, 'post'),
  };
}

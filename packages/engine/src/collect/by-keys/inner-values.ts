/**
 * Nested objects whose values a document is sorted by: those of a path that pass its filters, inside the document.
 */
import { illegalArgument } from '@shoal/core';
import type { NestedSort, QueryNode, SortField, SortMode } from '@shoal/query';
import { NO_MORE_DOCS, type NumericColumn, type SegmentView } from '../../format/reader/segment-reader.ts';
import { DocBitset } from '../../match/bits/doc-bitset.ts';
import { type CompileContext, queryShardError } from '../../match/context/compile-context.ts';
import { docsOfPath, ParentDocs } from '../../match/kinds/nested/nested-docs.ts';
import { compileQuery } from '../../match/registry/compile-query.ts';
import type { DocIterator } from '../../match/weight/doc-iterator.ts';
import type { Weight } from '../../match/weight/weight.ts';

/** Objects of a document in one segment. */
export interface InnerDocs {
  /** Calls `take` for each in order, until it returns false. */
  each(doc: number, take: (inner: number) => boolean): void;
  /** Objects with a value that are looked at. */
  readonly limit: number;
}

/** The first document of a set from `doc` on; NO_MORE_DOCS when there is none. */
type NextDoc = (doc: number) => number;

interface Level {
  readonly path: string;
  /** null: all objects of the path. */
  readonly filter: Weight | null;
}

const UNSCORED = { boost: 1, isScored: false };

/** @throws ShoalError where a path is no nested object */
export function innerDocs(ctx: CompileContext, sort: NestedSort): (view: SegmentView) => InnerDocs {
  const levels: Level[] = [];
  let maxChildren: number | null = null;
  for (let at: NestedSort | null = sort; at !== null; at = at.nested) {
    levels.push({ path: checkedPath(ctx, at.path), filter: filterOf(ctx, at.path, at.filter) });
    maxChildren = at.maxChildren;
  }
  const around = ctx.nestedPath ?? '';
  const limit = maxChildren ?? Number.POSITIVE_INFINITY;
  return (view) => {
    if (!view.nested) return NO_INNER_DOCS;
    let accepted: NextDoc | null = null;
    for (const [i, level] of levels.entries())
      accepted = docsOfLevel(view, level, levels[i - 1]?.path ?? null, accepted);
    const outer = new ParentDocs(view, around);
    const from = accepted ?? (() => NO_MORE_DOCS);
    return {
      limit,
      each: (doc, take) => {
        const first = outer.before(doc) + 1;
        // An empty block is known by its width: the next object may be far behind it.
        if (first === doc) return;
        for (let at = from(first); at < doc; at = from(at + 1)) if (!take(at)) return;
      },
    };
  };
}

const NO_INNER_DOCS: InnerDocs = { limit: 0, each: () => {} };

function checkedPath({ mapping, shard }: CompileContext, path: string): string {
  const object = mapping.objects.get(path);
  if (object?.nested) return path;
  if (object) throw queryShardError(shard, `[nested] nested object under path [${path}] is not of nested type`);
  throw queryShardError(shard, `[nested] failed to find nested object under path [${path}]`);
}

function filterOf(ctx: CompileContext, path: string, filter: QueryNode | null): Weight | null {
  return filter === null ? null : compileQuery({ ...ctx, nestedPath: path }, filter, UNSCORED);
}

/** Objects of a level that pass its filter, inside those that were accepted of the level around it. */
function docsOfLevel(
  view: SegmentView,
  { path, filter }: Level,
  outerPath: string | null,
  outer: NextDoc | null,
): NextDoc {
  if (filter === null && outer === null) {
    const ofPath = new ParentDocs(view, path);
    return (doc) => ofPath.from(doc);
  }
  const accepted = new DocBitset(view.segment.docCount);
  const next: NextDoc = (doc) => accepted.nextMember(doc);
  const docs: DocIterator | null = docsOfPath(view, path);
  const filtered = filter === null ? null : filter.scorer(view);
  if (docs === null || (filter !== null && filtered === null)) return next;
  const parents = outerPath === null ? null : new ParentDocs(view, outerPath);
  for (let doc = docs.next(); doc !== NO_MORE_DOCS; doc = docs.next()) {
    if (filtered !== null && (filtered.doc < doc ? filtered.advance(doc) : filtered.doc) !== doc) continue;
    const parent = parents === null ? -1 : parents.from(doc);
    if (outer === null || outer(parent) === parent) accepted.add(doc);
  }
  return next;
}

/** Value by which a document sorts, out of those of its objects; NaN when they have none. */
export function innerValue(
  field: SortField,
  column: NumericColumn,
  inner: InnerDocs,
  round: ((value: number) => number) | null,
): (doc: number) => number {
  const mode = modeOf(field);
  return (doc) => {
    let [docs, count, sum, least, most] = [0, 0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    inner.each(doc, (at) => {
      const [from, to] = [column.start(at), column.start(at + 1)];
      if (from < to && ++docs > inner.limit) return false;
      for (let i = from; i < to; i++) {
        const value = column.value(i);
        sum += value;
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
      count += to - from;
      return true;
    });
    if (count === 0) return Number.NaN;
    if (mode === 'min') return least;
    if (mode === 'max') return most;
    const average = column.kind === 'long' ? Math.round(sum / count) : sum / count;
    const value = mode === 'sum' ? sum : average;
    return round === null ? value : round(value);
  };
}

/**
 * Place of the least or greatest value of a document's objects, by a rank that `rankAt` gives to places; -1 when they have none.
 */
export function innerExtreme(
  field: SortField,
  column: Pick<NumericColumn, 'start'>,
  inner: InnerDocs,
  rankAt: (index: number) => number,
): (doc: number) => number {
  const isMax = modeOf(field) === 'max';
  return (doc) => {
    let [docs, best] = [0, -1];
    inner.each(doc, (at) => {
      const [from, to] = [column.start(at), column.start(at + 1)];
      if (from === to) return true;
      if (++docs > inner.limit) return false;
      // Values of one object ascend.
      const index = isMax ? to - 1 : from;
      if (best < 0 || (isMax ? rankAt(index) > rankAt(best) : rankAt(index) < rankAt(best))) best = index;
      return true;
    });
    return best;
  };
}

/** @throws ShoalError for a mode that values of objects do not have */
export function modeOf({ mode, order }: SortField): SortMode {
  if (mode === 'median') throw illegalArgument("sort mode [median] isn't supported for values of nested objects");
  return mode ?? (order === 'asc' ? 'min' : 'max');
}

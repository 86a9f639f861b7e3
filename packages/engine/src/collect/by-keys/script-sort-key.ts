/**
 * Sort key of `_script`: the number that a script makes of a document.
 */
import { assert, illegalArgument } from '@shoal/core';
import type { SortField } from '@shoal/query';
import { NUMBER_SORT_CONTEXT } from '@shoal/script';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { DocumentScript } from '../../match/scripts/document-script.ts';
import type { SegmentKey, SortKey } from './segment-key.ts';

/**
 * Number by which a result is ordered: NaN stands above all, infinity too, which takes the place of the largest double.
 */
function rankOf(value: number): number {
  if (Number.isNaN(value)) return Number.POSITIVE_INFINITY;
  return Math.min(value, Number.MAX_VALUE);
}

function resultOf(rank: number): number {
  if (rank === Number.POSITIVE_INFINITY) return Number.NaN;
  return rank === Number.MAX_VALUE ? Number.POSITIVE_INFINITY : rank;
}

/** @throws ShoalError where the script does not compile */
export function scriptKey(ctx: CompileContext, { order, script }: SortField): SortKey['bind'] {
  assert(script !== undefined, 'a sort by a script without one');
  const compiled = new DocumentScript(ctx, script, NUMBER_SORT_CONTEXT);
  const sign = order === 'desc' ? -1 : 1;
  return (view) => {
    const run = compiled.bind(view);
    const vectors = compiled.readsScore ? null : compiled.vectors(view, null);
    const fill: SegmentKey['fill'] = (docs, count, into, at) => {
      vectors?.fill(docs, count, null, into, at);
      for (let i = at; i < at + count; i++) into[i] = sign * rankOf(into[i] as number);
    };
    return {
      ...(vectors === null ? {} : { fill }),
      key: (doc, score) => sign * rankOf(run(doc, score) as number),
      keyOfValue: (value) => {
        const number = typeof value === 'boolean' || value === null || value === '' ? Number.NaN : Number(value);
        if (!Number.isNaN(number) || value === 'NaN') return sign * rankOf(number);
        throw illegalArgument(`Failed to parse search_after value for field [_script]: [${String(value)}]`);
      },
      column: (_docs, keys) => ({ kind: 'double', values: Float64Array.from(keys, (key) => resultOf(sign * key)) }),
    };
  };
}

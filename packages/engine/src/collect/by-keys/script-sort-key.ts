/**
 * Sort key of `_script`: the number that a script makes of a document.
 */
import { assert, illegalArgument } from '@shoal/core';
import type { SortField } from '@shoal/query';
import { NUMBER_SORT_CONTEXT } from '@shoal/script';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { DocumentScript } from '../../match/scripts/document-script.ts';
import type { SegmentKey, SortKey } from './segment-key.ts';

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
      if (sign < 0) for (let i = at; i < at + count; i++) into[i] = -(into[i] as number);
    };
    return {
      ...(vectors === null ? {} : { fill }),
      key: (doc, score) => sign * (run(doc, score) as number),
      keyOfValue: (value) => {
        const number = typeof value === 'boolean' || value === null || value === '' ? Number.NaN : Number(value);
        if (!Number.isNaN(number)) return sign * number;
        throw illegalArgument(`Failed to parse search_after value for field [_script]: [${String(value)}]`);
      },
      column: (_docs, keys) => ({ kind: 'double', values: Float64Array.from(keys, (key) => sign * key) }),
    };
  };
}

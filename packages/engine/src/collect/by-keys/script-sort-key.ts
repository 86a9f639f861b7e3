/**
 * Sort key of `_script` of the type `number`: the number that a script makes of a document, or of its nested objects.
 */
import { assert, illegalArgument } from '@shoal/core';
import type { SortField } from '@shoal/query';
import { NUMBER_SORT_CONTEXT } from '@shoal/script';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { DocumentScript } from '../../match/scripts/document-script.ts';
import { type InnerDocs, innerDocs, modeOf } from './inner-values.ts';
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

type ValueOf = (doc: number, score: number) => number;

/** @throws ShoalError where the script does not compile */
export function scriptKey(ctx: CompileContext, field: SortField): SortKey['bind'] {
  const { order, script, nested } = field;
  assert(script !== undefined, 'a sort by a script without one');
  const compiled = new DocumentScript(ctx, script, NUMBER_SORT_CONTEXT);
  const sign = order === 'desc' ? -1 : 1;
  const bindInner = nested === undefined ? null : innerDocs(ctx, nested);
  return (view) => {
    const run = compiled.bind(view) as ValueOf;
    const inner = bindInner?.(view) ?? null;
    const numberOf = inner === null ? run : innerNumber(field, run, inner);
    const fill = inner === null ? filled(compiled, view, sign) : null;
    return {
      ...(fill === null ? {} : { fill }),
      key: (doc, score) => sign * rankOf(numberOf(doc, score)),
      keyOfValue: (value) => {
        const number = typeof value === 'boolean' || value === null || value === '' ? Number.NaN : Number(value);
        if (!Number.isNaN(number) || value === 'NaN') return sign * rankOf(number);
        throw illegalArgument(`Failed to parse search_after value for field [_script]: [${String(value)}]`);
      },
      column: (_docs, keys) => ({ kind: 'double', values: Float64Array.from(keys, (key) => resultOf(sign * key)) }),
    };
  };
}

/** Keys of many documents at once; null where the script cannot be run so. */
function filled(compiled: DocumentScript, view: SegmentView, sign: number): NonNullable<SegmentKey['fill']> | null {
  const vectors = compiled.readsScore ? null : compiled.vectors(view, null);
  if (vectors === null) return null;
  return (docs, count, into, at) => {
    vectors.fill(docs, count, null, into, at);
    for (let i = at; i < at + count; i++) into[i] = sign * rankOf(into[i] as number);
  };
}

/** Number of a document out of those of its objects; one without any stands last. */
function innerNumber(field: SortField, run: ValueOf, inner: InnerDocs): ValueOf {
  const mode = modeOf(field);
  const missing = field.order === 'desc' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return (doc, score) => {
    const values: number[] = [];
    inner.each(doc, (at) => values.length < inner.limit && values.push(run(at, score)) > 0);
    if (values.length === 0) return missing;
    const sum = values.reduce((a, b) => a + b);
    if (mode === 'sum') return sum;
    if (mode === 'avg') return sum / values.length;
    return values.reduce((a, b) => (mode === 'min' ? Math.min(a, b) : Math.max(a, b)));
  };
}

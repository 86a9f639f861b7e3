/**
 * Sort fields of a request against a shard: which key a document has, as one number a segment can compare.
 *
 * Within a segment every key is a number of which the smaller comes first: values with their sign turned for descending
 * order, ordinals for strings, ranks for longs beyond 2^53. Real values are read only for the entries that are kept.
 */

import { assert, illegalArgument } from '@shoal/core';
import type { SortField } from '@shoal/query';
import { dateFormatter, type FieldKind } from '@shoal/schema';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { parseDateMath } from '../../match/compile/date-math.ts';
import { queryNumber } from '../../match/compile/number-bounds.ts';
import { type CompileContext, queryShardError } from '../../match/context/compile-context.ts';
import { numberKey, type SortValueReader } from './number-sort-key.ts';
import type { SegmentKey, SortKey } from './segment-key.ts';
import { stringKey } from './string-sort-key.ts';

/** Of an index that does not have the field. */
const DATE_FORMAT_UNMAPPED = 'strict_date_optional_time||epoch_millis';

/** @throws ShoalError when a field cannot be sorted on */
export function sortKeys(ctx: CompileContext, sort: readonly SortField[], shardIndex: number): SortKey[] {
  return sort.map((field) => {
    switch (field.kind) {
      case 'score':
        return { field, bind: () => scoreKey(field) };
      case 'doc':
        return { field, bind: (view) => docKey(field, view) };
      case 'shardDoc':
        return { field, bind: (view) => shardDocKey(field, view, shardIndex) };
      default:
        return { field, bind: valueKey(ctx, field) };
    }
  });
}

function valueKey(ctx: CompileContext, field: SortField): SortKey['bind'] {
  const kind = sortKind(ctx, field);
  if (field.format !== null && kind !== 'date') {
    throw illegalArgument(`[format] of a sort is for dates, [${field.field}] is of type [${kind}]`);
  }
  if (kind === 'keyword') return (view) => stringKey(field, view);
  const read = valueReader(ctx, field, kind);
  return (view) => numberKey({ field, kind, view, read });
}

/** How a value of `search_after` is read: as it was shown, so dates also in their format. */
function valueReader(ctx: CompileContext, field: SortField, kind: FieldKind): SortValueReader {
  if (kind === 'boolean') return (value) => (typeof value === 'boolean' ? Number(value) : queryNumber(value));
  if (kind !== 'date') return queryNumber;
  const formatter = dateFormatter(field.format ?? ctx.mapping.field(field.field)?.format ?? DATE_FORMAT_UNMAPPED);
  const options = { formatter, nowMs: ctx.nowMs, roundUp: false, timeZone: null };
  return (value) => (typeof value === 'string' ? parseDateMath(value, options) : queryNumber(value));
}

/** The kind by which values compare; `unmapped_type` where the index has no such field. */
function sortKind(ctx: CompileContext, { field, unmappedType }: SortField): FieldKind {
  const mapping = ctx.mapping.field(field);
  if (!mapping) {
    if (unmappedType !== null) return unmappedKind(unmappedType);
    throw queryShardError(ctx.shard, `No mapping found for [${field}] in order to sort on`);
  }
  if (mapping.kind === 'text') {
    throw illegalArgument(
      `Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [${field}] in order to load field data by uninverting the inverted index. Note that this can use significant memory.`,
    );
  }
  if (mapping.kind === 'ip') throw illegalArgument(`sorting on [${field}] of type [ip] is not supported`);
  if (!mapping.hasDocValues) {
    throw illegalArgument(
      `Can't load fielddata on [${field}] because fielddata is unsupported on fields of type [${mapping.kind}]. Use doc values instead.`,
    );
  }
  return mapping.kind;
}

function unmappedKind(type: string): FieldKind {
  switch (type) {
    case 'keyword':
    case 'long':
    case 'integer':
    case 'short':
    case 'byte':
    case 'double':
    case 'float':
    case 'date':
    case 'boolean':
      return type;
    default:
      throw illegalArgument(`No mapper found for type [${type}]`);
  }
}

function scoreKey(field: SortField): SegmentKey {
  const sign = field.order === 'desc' ? -1 : 1;
  return {
    key: (_doc, score) => sign * score,
    keyOfValue: (value) => sign * Math.fround(Number(value)),
    column: (_docs, keys) => ({ kind: 'score', values: Float32Array.from(keys, (key) => sign * key) }),
  };
}

function docKey(field: SortField, view: SegmentView): SegmentKey {
  const sign = field.order === 'desc' ? -1 : 1;
  return {
    key: (doc) => sign * (doc + view.docBase),
    keyOfValue: (value) => sign * Number(value),
    column: (docs) => {
      assert(docs.length <= view.segment.docCount, 'more entries than documents');
      return { kind: 'integer', values: Float64Array.from(docs, (doc) => doc + view.docBase) };
    },
  };
}

/** Shards apart: a shard's documents have the numbers from its position times this on. */
const SHARD_STRIDE = 2 ** 32;

/** `_shard_doc`: the shard in the list of the search, then the document in the reader. */
function shardDocKey(field: SortField, view: SegmentView, shardIndex: number): SegmentKey {
  const sign = field.order === 'desc' ? -1 : 1;
  const base = shardIndex * SHARD_STRIDE + view.docBase;
  return {
    key: (doc) => sign * (base + doc),
    keyOfValue: (value) => sign * Number(value),
    column: (docs) => ({ kind: 'integer', values: Float64Array.from(docs, (doc) => base + doc) }),
  };
}

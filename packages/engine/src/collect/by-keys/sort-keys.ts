/**
 * Sort fields of a request against a shard: which key a document has, as one number a segment can compare.
 *
 * Within a segment every key is a number of which the smaller comes first: values with their sign turned for descending
 * order, ordinals for strings, ranks for longs beyond 2^53. Real values are read only for the entries that are kept.
 */
import { assert, illegalArgument } from '@shoal/core';
import type { SortField } from '@shoal/query';
import { DATE_FORMAT_DEFAULT, type FieldKind, type FieldMapping, isFieldKind } from '@shoal/schema';
import type { NumberSort } from '../../field-types/contract/field-type.ts';
import { checkColumn, fieldType } from '../../field-types/field-types.ts';
import { checkFielddata, ID_FIELD, INDEX_FIELD } from '../../format/metadata-fields.ts';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { type CompileContext, queryShardError } from '../../match/context/compile-context.ts';
import { wantFielddata } from '../../match/context/wanted-fielddata.ts';
import { geoDistanceKey } from './geo-sort-key.ts';
import { innerDocs } from './inner-values.ts';
import { numberKey } from './number-sort-key.ts';
import { scriptKey } from './script-sort-key.ts';
import { scriptTextKey } from './script-text-key.ts';
import type { SegmentKey, SortKey } from './segment-key.ts';
import { stringKey } from './string-sort-key.ts';

/** @throws ShoalError when a field cannot be sorted on */
export function sortKeys(ctx: CompileContext, sort: readonly SortField[], shardIndex: number): SortKey[] {
  assert(shardIndex >= 0, `shard index ${shardIndex}`);
  return sort.map((field) => {
    switch (field.kind) {
      case 'score':
        return { field, bind: () => scoreKey(field) };
      case 'doc':
        return { field, bind: (view) => docKey(field, view) };
      case 'shardDoc':
        return { field, bind: (view) => shardDocKey(field, view, shardIndex) };
      case 'geoDistance':
        return { field, bind: geoDistanceKey(ctx, field) };
      case 'script':
        return { field, bind: field.gives === 'string' ? scriptTextKey(ctx, field) : scriptKey(ctx, field) };
      default:
        return { field, bind: valueKey(ctx, field) };
    }
  });
}

function valueKey(ctx: CompileContext, field: SortField): SortKey['bind'] {
  if (field.field === INDEX_FIELD) return constantKey(field, ctx.shard.index);
  checkFielddata(field.field, ctx.refusesIdValues);
  if (field.field === ID_FIELD) return keywordKey(field);
  const mapping = ctx.mapping.field(field.field);
  const kind = mapping === null ? unmappedKind(ctx, field) : mapping.kind;
  const { sort, takesDateFormat } = fieldType(kind);
  if (mapping !== null) {
    checkSortable(mapping, field.field);
    wantFielddata(ctx, mapping);
  }
  if (field.format !== null && !takesDateFormat) {
    throw illegalArgument(`[format] of a sort is for dates, [${field.field}] is of type [${kind}]`);
  }
  const path = mapping?.path ?? field.field;
  if (sort.column !== 'numbers' && field.numericType !== null) {
    throw queryShardError(ctx.shard, `[numeric_type] option cannot be set on a non-numeric field, got ${kind}`);
  }
  if (sort.column === 'none') throw illegalArgument(`sorting on [${field.field}] of type [${kind}] is not supported`);
  const bindInner = field.nested === undefined ? null : innerDocs(ctx, field.nested);
  if (sort.column === 'terms') {
    return (view) => stringKey({ ...field, field: path }, sort, view, bindInner?.(view) ?? null);
  }
  const cast = castTo(field, sort, kind);
  const read = sort.reader(field.format ?? mapping?.format ?? DATE_FORMAT_DEFAULT, ctx.clock);
  return (view) =>
    numberKey({ field: { ...field, field: path }, sort: cast, view, read, inner: bindInner?.(view) ?? null });
}

/** Sorting as numbers of `numeric_type`: instants in its resolution, fractions cut off for whole numbers. */
function castTo({ numericType }: SortField, sort: NumberSort, kind: FieldKind): NumberSort {
  if (numericType === null) return sort;
  const { holdsNanos = false, numbers } = fieldType(kind);
  const isInstant = numbers === 'instant';
  if (numericType === 'double') return { ...sort, shown: 'double', derived: holdsNanos ? 'millis' : 'doubles' };
  if (typeof sort.shown === 'string') return { ...numberSort('long'), derived: 'wholes' };
  if (holdsNanos && numericType === 'date') return { ...numberSort('date'), derived: 'millis' };
  if (isInstant && !holdsNanos && numericType === 'date_nanos')
    return { ...numberSort('date_nanos'), derived: 'nanos' };
  return sort;
}

function numberSort(kind: FieldKind): NumberSort {
  const { sort } = fieldType(kind);
  assert(sort.column === 'numbers', `[${kind}] does not sort by numbers`);
  return sort;
}

/** Key of a field that has one value in all documents of the index: that of a value in the place of none. */
function constantKey(field: SortField, value: string): SortKey['bind'] {
  return keywordKey({ ...field, missing: value });
}

/** Key of a field that no mapping declares, whose values are texts. */
function keywordKey(field: SortField): SortKey['bind'] {
  const { sort } = fieldType('keyword');
  assert(sort.column === 'terms', 'keywords do not sort by terms');
  return (view) => stringKey(field, sort, view);
}

function checkSortable(mapping: FieldMapping, name: string): void {
  const { hasColumn, sort } = fieldType(mapping.kind);
  if (sort.column === 'none' && sort.refusal !== undefined) throw illegalArgument(sort.refusal);
  if (hasColumn && sort.column === 'none') {
    throw illegalArgument(`sorting on [${name}] of type [${mapping.kind}] is not supported`);
  }
  checkColumn(mapping);
}

/** Type of an index that lacks the field: `unmapped_type` of the request. */
function unmappedKind(ctx: CompileContext, { field, unmappedType }: SortField): FieldKind {
  if (unmappedType === null) throw queryShardError(ctx.shard, `No mapping found for [${field}] in order to sort on`);
  const type = isFieldKind(unmappedType) ? fieldType(unmappedType) : null;
  if (!isFieldKind(unmappedType) || type?.hasColumn !== true || type.sort.column === 'none') {
    throw illegalArgument(`No mapper found for type [${unmappedType}]`);
  }
  return unmappedType;
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

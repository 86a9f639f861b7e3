/**
 * The field that hits are collapsed by: which group a document is in, within its segment and over all of them.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import type { CollapseRequest } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { fieldType } from '../../field-types/field-types.ts';
import { isMetadataField } from '../../format/metadata-fields.ts';
import type { NumericColumn, OrdinalColumn, SegmentView } from '../../format/reader/segment-reader.ts';
import { type CompileContext, utf8Bytes } from '../../match/context/compile-context.ts';

/** What tells groups apart within one segment; null: the documents without a value. */
export type SegmentGroup = number | bigint | null;

export interface SegmentGroups {
  group(doc: number): SegmentGroup;
  /** The value itself, the same in all segments and shards; null for the group without one. */
  value(group: SegmentGroup): Uint8Array | null;
}

export type BindGroups = (view: SegmentView) => SegmentGroups;

/** @throws ShoalError when the field has no single values to collapse by */
export function groupKey(ctx: CompileContext, { field, innerHits }: CollapseRequest): BindGroups {
  const mapping = ctx.mapping.field(field);
  if (isMetadataField(field)) throw notGrouped(field);
  if (mapping === null) throw illegalArgument(`no mapping found for \`${field}\` in order to collapse on`);
  checkField(mapping, innerHits.length > 0);
  const isByTerm = fieldType(mapping.kind).collapse === 'terms';
  return ({ segment, docBase }) =>
    isByTerm
      ? ordinalGroups(segment.ordinalColumn(mapping.path), docBase)
      : numericGroups(segment.numericColumn(mapping.path), docBase);
}

function notGrouped(field: string): Error {
  return illegalArgument(`unknown type for collapse field \`${field}\`, only keywords and numbers are accepted`);
}

function checkField({ path, kind, hasDocValues, isIndexed }: FieldMapping, hasInnerHits: boolean): void {
  if (fieldType(kind).collapse === 'none') throw notGrouped(path);
  if (!hasDocValues) throw illegalArgument(`cannot collapse on field \`${path}\` without \`doc_values\``);
  if (!isIndexed && hasInnerHits) {
    throw illegalArgument(
      `cannot expand \`inner_hits\` for collapse field \`${path}\`, only indexed field can retrieve \`inner_hits\``,
    );
  }
}

function ordinalGroups(column: OrdinalColumn | null, docBase: number): SegmentGroups {
  return {
    group(doc) {
      const at = column === null ? -1 : onlyValue(column, doc, docBase);
      return column === null || at < 0 ? null : column.ordinal(at);
    },
    // A copy: the column's bytes are a view that its next call overwrites.
    value: (group) => (column === null || group === null ? null : column.value(Number(group)).slice()),
  };
}

function numericGroups(column: NumericColumn | null, docBase: number): SegmentGroups {
  return {
    group(doc) {
      const at = column === null ? -1 : onlyValue(column, doc, docBase);
      if (column === null || at < 0) return null;
      return column.isWide ? column.bigValue(at) : column.value(at);
    },
    value: (group) => (group === null ? null : utf8Bytes(String(group))),
  };
}

/** Where the document's value stands; -1 without one. */
function onlyValue(column: { start(doc: number): number }, doc: number, docBase: number): number {
  const from = column.start(doc);
  const count = column.start(doc + 1) - from;
  if (count > 1) {
    const reason = `failed to collapse ${docBase + doc}, the collapse field must be single valued`;
    throw new ShoalError('illegal_state_exception', 500, reason);
  }
  return count === 0 ? -1 : from;
}

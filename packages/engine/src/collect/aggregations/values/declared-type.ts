/**
 * Values of a field as the `value_type` of a request names them: numbers can be texts, texts cannot be numbers.
 */
import { declaredKind, type ValuesSource } from '@shoal/aggregations';
import { DoubleNumber, ShoalError } from '@shoal/core';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import type { AggregationContext } from '../collector/aggregation-context.ts';
import { isTextKind, type ResolvedSource, resolveSource } from './field-values.ts';
import { checkKeyed } from './numeric-source.ts';
import { type DocumentValues, ScriptedValues, ScriptTexts } from './scripted-values.ts';

/** Source whose values are keys, of the type that the request names. @throws ShoalError for a field that has no such values */
export function declaredSource(
  ctx: AggregationContext,
  source: ValuesSource,
  type: string,
  timeZone = 'UTC',
): ResolvedSource {
  const declared = declaredKind(source.valueType);
  const isOfField = source.script === null && ctx.mapping.field(source.field) !== null;
  const wantsTexts = isOfField && isTextKind(declared);
  // What stands for none is a text then, which numbers could not read.
  const own = resolveSource(ctx, wantsTexts ? { ...source, missing: null } : source, timeZone);
  checkKeyed(own, type);
  if (wantsTexts) return own.keyKind === 'text' ? resolveSource(ctx, source, timeZone) : asTexts(own, source);
  return own;
}

/** Numbers as Java prints them. */
function asTexts(own: ResolvedSource, { missing, format }: ValuesSource): ResolvedSource {
  if (own.format.kind !== 'plain' || format !== null || own.derived !== undefined) {
    // Bytes of a text are no date, and no boolean.
    throw new ShoalError('unsupported_operation_exception', 500, 'null');
  }
  const texts = new ScriptTexts();
  const bind = (view: SegmentView): DocumentValues => textsOfNumbers(view, own);
  const scripted = new ScriptedValues(bind, (text) => texts.of(String(text)));
  return {
    ...own,
    kind: 'keyword',
    keyKind: 'text',
    missing: missing === null ? null : String(missing),
    scripted,
    texts,
  };
}

function textsOfNumbers({ segment }: SegmentView, { field, keyKind }: ResolvedSource): DocumentValues {
  const column = segment.numericColumn(field);
  if (column === null) return () => [];
  const text = (at: number): string => {
    if (column.isWide) return String(column.bigValue(at));
    return String(keyKind === 'double' ? new DoubleNumber(column.value(at)) : column.value(at));
  };
  return (doc) => {
    const start = column.start(doc);
    return Array.from({ length: column.start(doc + 1) - start }, (_, i) => text(start + i));
  };
}

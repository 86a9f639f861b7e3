/**
 * Words of the texts of documents as the values of a source: each word of a document once.
 */
import { PLAIN_FORMAT, type SignificantText } from '@shoal/aggregations';
import { ANY_TOKENS, illegalArgument, parseJson } from '@shoal/core';
import type { FieldMapping } from '@shoal/schema';
import { valuesAtPath } from '@shoal/shard-api';
import { fieldType } from '../../../field-types/field-types.ts';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { fieldAnalyzer } from '../../../match/compile/field-analyzer.ts';
import type { AggregationContext } from '../collector/aggregation-context.ts';
import type { ResolvedSource } from '../values/field-values.ts';
import { type DocumentValues, ScriptedValues, ScriptTexts } from '../values/scripted-values.ts';
import { DuplicateSpotter } from './duplicate-spotter.ts';

/** @throws ShoalError for a field that holds no texts */
export function textSource(ctx: AggregationContext, name: string, text: SignificantText): ResolvedSource {
  const field = ctx.mapping.field(name);
  const texts = new ScriptTexts();
  const own = { field: field?.path ?? name, format: PLAIN_FORMAT, keyKind: 'text', missing: null, texts } as const;
  const numberOf = (word: unknown): number => texts.of(String(word));
  if (field === null) return { ...own, kind: null, scripted: new ScriptedValues(() => () => [], numberOf) };
  if (fieldType(field.kind).textQueries === 'none' || !field.isIndexed) {
    throw illegalArgument(`Field [${field.path}] has no analyzer, but SignificantText requires an analyzed field`);
  }
  return { ...own, kind: field.kind, scripted: new ScriptedValues(wordsOf(ctx, field, text), numberOf) };
}

function wordsOf(
  ctx: AggregationContext,
  field: FieldMapping,
  { paths, skipsDuplicates }: SignificantText,
): (view: SegmentView) => DocumentValues {
  const analyzer = fieldAnalyzer(ctx, field);
  const spotter = skipsDuplicates ? new DuplicateSpotter() : null;
  return ({ segment }) =>
    (doc) => {
      const source = segment.source(doc).slice();
      if (source.length === 0) return [];
      const json = parseJson(source, ANY_TOKENS);
      const words = new Set<string>();
      for (const value of paths.flatMap((path) => valuesAtPath(json, path))) {
        if (value === null || typeof value === 'object') continue;
        const tokens: string[] = [];
        analyzer.analyze(String(value), (token) => tokens.push(token));
        for (const token of spotter?.newTokens(tokens) ?? tokens) words.add(token);
      }
      return [...words];
    };
}

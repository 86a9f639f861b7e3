/**
 * Requests of `significant_text`: significant terms among the words of texts, which are read from the source of the documents.
 */
import { illegalArgument, type JsonNode } from '@shoal/core';
import { readString } from '@shoal/query';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import type { OptionReader } from '../../request/option-reader.ts';
import { initializationError } from '../../request/request-errors.ts';
import type { ValuesSource } from '../../request/values-source.ts';
import { parseSignificanceLimits, type SignificantTermsAggregation } from './significant-terms-request.ts';

/** Most paths of one request. */
const PATHS_MAX = 1_000;

export const parseSignificantText: AggregationParser<SignificantTermsAggregation> = (named, options) => {
  if (named.children.length + named.pipelines.length > 0) {
    throw initializationError(`Aggregator [${named.name}] of type [significant_text] cannot accept sub-aggregations`);
  }
  const field = options.text('field');
  if (field === null) throw illegalArgument('Required [field]');
  const source: ValuesSource = { field, missing: null, format: null, valueType: null, script: null };
  const text = {
    paths: parsePaths(options) ?? [field],
    skipsDuplicates: options.boolean('filter_duplicate_text', false),
  };
  return {
    ...named,
    kind: 'significantTerms',
    source,
    ...parseSignificanceLimits(options, named.name),
    executionHint: null,
    text,
  };
};

function parsePaths(options: OptionReader): readonly string[] | null {
  const node = options.ofKind('source_fields', ['array', 'string']);
  if (node === null) return null;
  const items: readonly JsonNode[] = node.kind === 'array' ? node.items : [node];
  if (items.length > PATHS_MAX) throw illegalArgument(`[source_fields] has more than [${PATHS_MAX}] items`);
  return items.map((item) => readString(item, 'source_fields'));
}

/**
 * Answers of aggregations over documents that are spread over shards and segments, as users see them.
 */
import {
  BucketBudget,
  finishAggregations,
  parseAggregations,
  readPartials,
  renderAggregations,
} from '@shoal/aggregations';
import { type JsonObjectNode, parseJsonTree, writeJsonText } from '@shoal/core';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

/** JSON of an answer. */
export interface Answer {
  readonly [name: string]: Answer;
}

/** @param docs of one shard each; every shard has them in two segments */
export async function answerOf(
  mapping: Readonly<Record<string, unknown>>,
  shards: readonly (readonly object[])[],
  aggs: object,
  query: object = { match_all: {} },
): Promise<Answer> {
  const tree = parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
  const partials = [];
  for (const docs of shards) {
    const sources = docs.map((doc, id) => ({ id: String(id), source: JSON.stringify(doc) }));
    const half = Math.ceil(sources.length / 2);
    const segments = [sources.slice(0, half), sources.slice(half)].filter(({ length }) => length > 0);
    const { aggregations } = await runQuery(memoryContext(mapping, segments), { size: 0, query, aggs }, { topN: 0 });
    if (aggregations !== null) partials.push(readPartials(aggregations));
  }
  const finished = finishAggregations(tree, partials, new BucketBudget(10_000));
  return JSON.parse(writeJsonText(renderAggregations(tree, finished, { typedKeys: false })));
}

/** Buckets of a result; none where it has no list of them. */
export function bucketsIn(result: Answer | undefined): readonly Answer[] {
  const buckets: unknown = result?.buckets;
  return Array.isArray(buckets) ? buckets : [];
}

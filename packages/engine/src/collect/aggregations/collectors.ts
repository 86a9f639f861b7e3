/**
 * Collectors of a request's aggregations over one shard.
 */
import { type Aggregation, type AggregationNode, isAggregation } from '@shoal/aggregations';
import { assert } from '@shoal/core';
import { type HashSecret, OPEN_SECRET } from '../../bytes/hash-secret.ts';
import { FlatSegment } from '../../format/flat-segment.ts';
import type { Searcher } from '../../format/reader/segment-reader.ts';
import { allDocsWeight } from '../../match/bits/constant-weight.ts';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { memoryOf } from '../../match/kernel-plan/kernel-segment.ts';
import type { AggregationProfile } from './collector/aggregation-profile.ts';
import { type BucketCollector, ChildBatch } from './collector/bucket-collector.ts';
import type { CollectorContext, CollectorKind } from './collector/collector-kind.ts';
import type { ShownDocuments } from './collector/shown-documents.ts';
import * as registry from './registry.ts';

/** A kind without a collector does not compile here. */
const COLLECTORS: { readonly [A in Aggregation as A['kind']]: CollectorKind<A> } = registry;

function kindOf(aggregation: AggregationNode): CollectorKind<AggregationNode> {
  assert(isAggregation(aggregation), `no aggregation is of kind ${aggregation.kind}`);
  return COLLECTORS[aggregation.kind];
}

/** The aggregation is over all documents, whatever the query matches. */
export function ignoresQuery(aggregation: AggregationNode): boolean {
  return kindOf(aggregation).ignoresQuery(aggregation);
}

function secretOf({ views: [first] }: Searcher): HashSecret {
  return first?.segment instanceof FlatSegment ? first.segment.hashSecret : OPEN_SECRET;
}

/** The search around aggregations. */
export interface Around extends Pick<CollectorContext, 'documents' | 'query'> {
  readonly profile: AggregationProfile | null;
}

/** @throws ShoalError for what the shard's fields do not allow */
export function buildCollectors(
  compile: CompileContext,
  aggregations: readonly AggregationNode[],
  isTop: boolean,
  around: Around,
): BucketCollector[] {
  const { profile } = around;
  const kernels = memoryOf(compile.searcher.views)?.aggregations ?? null;
  return aggregations.map((aggregation) => {
    const make = (): BucketCollector => {
      const within = kindOf(aggregation).innerContext?.(compile, aggregation) ?? compile;
      const isScored = !ignoresQuery(aggregation) && kindOf(aggregation).handsOnOthers !== true;
      const documents = isScored ? around.documents : unscored(around.documents);
      const inner = buildCollectors(within, aggregation.children, false, { documents, profile, query: null });
      const children = new ChildBatch(inner, secretOf(compile.searcher));
      const { documents: shown, query } = around;
      const context = { compile: { ...compile, documents: shown }, isTop, kernels, documents: shown, query };
      return kindOf(aggregation).collector(context, aggregation, children);
    };
    return profile === null ? make() : profile.around(aggregation, make);
  });
}

/** Over all documents none matches better than another. */
function unscored(documents: ShownDocuments | null): ShownDocuments | null {
  return documents && { ...documents, weight: () => allDocsWeight(1) };
}

/**
 * Searches that use runtime fields: their values are made before the query runs, for the documents that it may match alone.
 *
 * Fields of the query are made for the documents that its other clauses leave, all other fields for the matches of the query.
 */
import { assert } from '@shoal/core';
import { MATCH_ALL, type QueryNode } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import type { QueryShardRequest } from '@shoal/shard-api';
import { MatchWalk } from '../../collect/walk/match-walk.ts';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { asQueryShardError, type CompileContext } from '../../match/context/compile-context.ts';
import { compileQuery } from '../../match/registry/compile-query.ts';
import { OverlaySegment } from '../../match/runtime/runtime-overlay.ts';
import { booleanWeight } from '../../match/scorers/boolean-weight.ts';
import { checkRuntimeScript } from '../../match/scripts/runtime-values.ts';
import type { Weight } from '../../match/weight/weight.ts';
import type { BreakerAccount } from '../../memory/request-breaker.ts';
import type { WorkPacer } from '../../pacing/work-pacer.ts';
import { fieldsNamed, fieldsOfQuery, hasKind, withoutRuntimeFields } from './runtime-use.ts';

/** Aggregations that look at documents beside the matches of the query. */
const KINDS_BEYOND_MATCHES: ReadonlySet<string> = new Set(['global', 'join', 'significantTerms']);
const NO_LIMITS = { minScore: null, terminateAfter: 0, isScored: false };
const UNSCORED = { boost: 1, isScored: false };

export interface RuntimeWork {
  readonly pacer: WorkPacer;
  /** Memory of the values, which live as long as the search; null: nothing is counted. */
  readonly held: BreakerAccount | null;
}

/**
 * The context with segments that have the runtime fields of the request; the same where it uses none.
 *
 * @throws ShoalError `script_exception` (400) where a script does not compile or fails
 */
export async function withRuntimeValues(
  ctx: CompileContext,
  request: QueryShardRequest,
  work: RuntimeWork,
): Promise<CompileContext> {
  const { runtime } = ctx.mapping;
  if (runtime.size === 0) return ctx;
  const { request: search, aggregations } = request.search;
  if (search.runtimeMappings !== null) for (const field of runtime.values()) checkRuntimeScript(field);
  const queries = [search.query, search.postFilter, request.aliasFilter].flatMap((query) => query ?? []);
  const ofQueries = asQueryShardError(
    ctx.shard,
    () => new Set(queries.flatMap((query) => [...fieldsOfQuery(ctx, query)])),
  );
  const { sort, collapse, rescore } = search;
  const others = fieldsNamed(ctx.mapping, [sort, collapse, rescore, aggregations]);
  if (ofQueries.size === 0 && others.length === 0) return ctx;
  // Their documents may be any.
  const isBeyond = hasKind(aggregations, KINDS_BEYOND_MATCHES);
  const overlaid = await overlaidViews(ctx, isBeyond ? [] : queriesOf(request), work);
  const found = { ...ctx, searcher: { ...ctx.searcher, views: overlaid.views } };
  const fields = [...runtime.values()].filter(({ path }) => ofQueries.has(path));
  await prepareFields(overlaid.segments, fields, work);
  if (!isBeyond && ofQueries.size > 0 && others.length > 0) {
    const weight = matchesAll(found, queriesOf(request));
    await found.prepared?.prepare(overlaid.views, work.pacer);
    for (const [i, view] of overlaid.views.entries()) {
      overlaid.segments[i]?.narrow(await docsOf(view, weight, work.pacer));
    }
  }
  await prepareFields(overlaid.segments, others, work);
  return found;
}

/** Queries that every document must match which hits or aggregations have. */
function queriesOf({ search, aliasFilter }: QueryShardRequest): readonly QueryNode[] {
  return aliasFilter === null ? [search.request.query] : [search.request.query, aliasFilter];
}

interface Overlaid {
  readonly views: readonly SegmentView[];
  readonly segments: readonly OverlaySegment[];
}

async function overlaidViews(
  ctx: CompileContext,
  queries: readonly QueryNode[],
  { pacer }: RuntimeWork,
): Promise<Overlaid> {
  const others = queries.map((query) => withoutRuntimeFields(ctx, query));
  const weight = matchesAll(ctx, others.length === 0 ? [MATCH_ALL] : others);
  await ctx.prepared?.prepare(ctx.searcher.views, pacer);
  const segments: OverlaySegment[] = [];
  for (const view of ctx.searcher.views) {
    segments.push(new OverlaySegment(ctx, view, await docsOf(view, weight, pacer)));
  }
  assert(segments.length === ctx.searcher.views.length, `${segments.length} of ${ctx.searcher.views.length} segments`);
  const views = ctx.searcher.views.map((view, i) => ({ ...view, segment: segments[i] ?? view.segment }));
  return { views, segments };
}

function matchesAll(ctx: CompileContext, queries: readonly QueryNode[]): Weight {
  const { profile: _profile, ...plain } = ctx;
  const filter = asQueryShardError(ctx.shard, () => queries.map((query) => compileQuery(plain, query, UNSCORED)));
  return booleanWeight({ must: [], filter, should: [], mustNot: [], minimumShouldMatch: 0 });
}

/** Live documents that match. */
async function docsOf(view: SegmentView, weight: Weight, pacer: WorkPacer): Promise<Uint32Array> {
  const batches: Uint32Array[] = [];
  const walk = new MatchWalk(pacer, NO_LIMITS);
  await walk.run(view, weight.scorer(view), {
    collect: (docs, _scores, count) => void batches.push(docs.slice(0, count)),
  });
  const all = new Uint32Array(batches.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const batch of batches) {
    all.set(batch, at);
    at += batch.length;
  }
  assert(at === all.length && at <= view.segment.docCount, `${at} matches of ${view.segment.docCount} documents`);
  return all;
}

async function prepareFields(
  segments: readonly OverlaySegment[],
  fields: readonly FieldMapping[],
  { pacer, held }: RuntimeWork,
): Promise<void> {
  const count = (): void => held?.set(segments.reduce((sum, { madeBytes }) => sum + madeBytes, 0));
  for (const segment of segments) {
    for (const field of fields) {
      for (const _ of segment.prepare(field, () => pacer.isOver)) {
        count();
        const pause = pacer.checkpoint();
        if (pause !== null) await pause;
      }
      count();
    }
  }
}

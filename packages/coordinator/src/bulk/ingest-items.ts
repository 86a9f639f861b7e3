/**
 * Sends the documents of a bulk through their pipelines, before anything else is done with them: a pipeline may change index and
 * id of a document, or drop it.
 */
import { jsonText } from '@shoal/agent-event';
import type { ClusterState } from '@shoal/cluster-state';
import { illegalArgument, isShoalError, type ShoalError, type Steps } from '@shoal/core';
import {
  type DocumentMap,
  type FailureOrigin,
  PipelineRunner,
  type PipelineSource,
  type RunOutcome,
} from '@shoal/ingest';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { EnrichLookups } from '../enrich/enrich-lookups.ts';
import { type IndexPipelines, NO_PIPELINE, pipelinesOfIndex } from '../ingest/index-pipelines.ts';
import { fieldsOf, ingestDocumentOf, sourceFields, sourceOf, writeOf } from '../ingest/ingested-document.ts';
import { type PipelineRoute, runRoute } from '../ingest/pipeline-route.ts';
import { BULK_ACTIONS, type BulkItem, BulkItems, DELETE_ACTION, UPDATE_ACTION } from './bulk-items.ts';

/** Why an item is not written. */
export type SettledItem =
  | { readonly kind: 'dropped'; readonly index: string }
  | {
      readonly kind: 'failed';
      readonly index: string;
      readonly error: ShoalError;
      /** null: no processor failed, but the way through the pipelines. */
      readonly origin: FailureOrigin | null;
    };

export interface IngestedItems {
  readonly items: BulkItems;
  /** Items that are not written, by their position. */
  readonly settled: ReadonlyMap<number, SettledItem>;
  /** Duration; null when no document went through a pipeline. */
  readonly tookMs: number | null;
}

/** Pipelines of the indices, by number of the target. */
type OwnPipelines = readonly (IndexPipelines | null)[];

const NOTHING_SETTLED: ReadonlyMap<number, SettledItem> = new Map();
const UPSERT = Buffer.from('upsert');

export async function ingestItems(
  context: CoordinatorContext,
  items: BulkItems,
  nowMs: number,
): Promise<IngestedItems> {
  const state = context.cluster.state();
  const own = items.targets.map(({ name }) => pipelinesOfIndex(state, name, nowMs));
  if (!goAnywhere(items, own)) return { items, settled: NOTHING_SETTLED, tookMs: null };
  const { clock } = context.runtime;
  const startedMs = clock.monotonicMs();
  const pipelines = await context.ingest.source(state.metadata);
  const lookups = new EnrichLookups(context, state);
  const run = new ItemsRun(context, items, { state, pipelines, own, nowMs, lookups });
  while (!(await context.turns.run(run.round(), null))) await lookups.fetch(null);
  const ingested = run.outcome();
  return { ...ingested, tookMs: ingested.items === items ? null : Math.round(clock.monotonicMs() - startedMs) };
}

/** Whether any item goes through a pipeline: what makes them is not loaded for others. */
function goAnywhere(items: BulkItems, own: OwnPipelines): boolean {
  if (items.isPlain && own.every((pipelines) => pipelines === null)) return false;
  for (let at = 0; at < items.length; at++) if (routeOf(items, own, at) !== null) return true;
  return false;
}

/** null: the item goes through no pipeline. */
function routeOf(items: BulkItems, own: OwnPipelines, at: number): PipelineRoute | null {
  const action = items.action(at);
  if (action === DELETE_ACTION) return null;
  const ofIndex = own[items.target(at)] ?? null;
  const named = items.isPlain ? null : items.extras(at).pipeline;
  if (ofIndex === null && (named === null || named === NO_PIPELINE)) return null;
  // An update goes through them with the document that it may insert, and with no other.
  if (action === UPDATE_ACTION && !Buffer.from(items.source(at)).includes(UPSERT)) return null;
  const first = named ?? ofIndex?.usual ?? NO_PIPELINE;
  const route = { usual: first === NO_PIPELINE ? null : first, final: ofIndex?.final ?? null };
  return route.usual === null && route.final === null ? null : route;
}

interface RunFacts {
  readonly state: ClusterState;
  readonly pipelines: PipelineSource;
  readonly own: OwnPipelines;
  readonly nowMs: number;
  readonly lookups: EnrichLookups;
}

/** The run of the pipeline that a document went into last; null: there is none of that name. */
interface LastRun {
  runner: PipelineRunner | null;
}

/** What a document came to. */
type Ingested = { readonly kind: 'written'; readonly item: BulkItem } | SettledItem;

class ItemsRun {
  readonly #context: CoordinatorContext;
  readonly #items: BulkItems;
  readonly #facts: RunFacts;
  readonly #ingested = new Map<number, Ingested>();
  /** Documents that wait for lookups, by their positions; null before the first round. */
  #waiting: Map<number, Steps<Ingested>> | null = null;

  constructor(context: CoordinatorContext, items: BulkItems, facts: RunFacts) {
    this.#context = context;
    this.#items = items;
    this.#facts = facts;
  }

  /** Every document goes as far as it can. @returns true when none waits for lookups */
  *round(): Steps<boolean> {
    const waiting = new Map<number, Steps<Ingested>>();
    for (const [at, document] of this.#waiting ?? this.#begun()) {
      yield;
      const isDone = yield* this.#facts.lookups.advance(document, (result) => this.#ingested.set(at, result));
      if (!isDone) waiting.set(at, document);
    }
    this.#waiting = waiting;
    return waiting.size === 0;
  }

  /** Documents that go through pipelines, one begun after the other. */
  *#begun(): Generator<readonly [number, Steps<Ingested>]> {
    for (let at = 0; at < this.#items.length; at++) {
      const route = routeOf(this.#items, this.#facts.own, at);
      if (route !== null) yield [at, this.#ingest(at, route)];
    }
  }

  /** What the documents came to, once none waits. */
  outcome(): Omit<IngestedItems, 'tookMs'> {
    const items = this.#items;
    if (this.#ingested.size === 0) return { items, settled: NOTHING_SETTLED };
    const settled = [...this.#ingested].flatMap(([at, result]) =>
      result.kind === 'written' ? [] : [[at, result] as const],
    );
    return { items: this.#rewritten(), settled: new Map(settled) };
  }

  *#ingest(at: number, route: PipelineRoute): Steps<Ingested> {
    const items = this.#items;
    const { total } = this.#context.ingest;
    const { clock } = this.#context.runtime;
    const startedMs = clock.monotonicMs();
    let isFailed = true;
    const last: LastRun = { runner: null };
    total.begin();
    try {
      const item = itemAt(items, at);
      const ingested =
        item.action === 'update'
          ? yield* this.#ingestUpsert(item, route, last)
          : yield* this.#ingestWrite(item, route, last);
      isFailed = false;
      return ingested;
    } catch (error) {
      if (!isShoalError(error)) throw error;
      return { kind: 'failed', index: items.indexName(at), error, origin: last.runner?.failureOrigin() ?? null };
    } finally {
      total.end(clock.monotonicMs() - startedMs, isFailed);
    }
  }

  *#ingestWrite(item: BulkItem, route: PipelineRoute, last: LastRun): Steps<Ingested> {
    const document = ingestDocumentOf(sourceFields(item.source ?? new Uint8Array(0)), item, this.#facts.nowMs);
    const { state, nowMs } = this.#facts;
    const run = (id: string): Steps<RunOutcome> => this.#run(id, document, last);
    const pipelinesAt = (index: string): IndexPipelines | null => pipelinesOfIndex(state, index, nowMs);
    const dropped = yield* runRoute({ document, index: item.index, route, run, pipelinesAt });
    if (dropped !== null) return { kind: 'dropped', index: dropped };
    return { kind: 'written', item: { ...item, ...writeOf(document), source: sourceOf(document) } };
  }

  /** The document that an update inserts where there is none; what a pipeline does to its metadata is without effect. */
  *#ingestUpsert(item: BulkItem, route: PipelineRoute, last: LastRun): Steps<Ingested> {
    const body = sourceFields(item.source ?? new Uint8Array(0));
    const part = body.get('doc_as_upsert') === true ? 'doc' : 'upsert';
    const fields = body.get(part);
    if (!(fields instanceof Map)) return { kind: 'written', item };
    const document = ingestDocumentOf(fields, item, this.#facts.nowMs);
    for (const id of [route.usual, route.final]) {
      if (id !== null && (yield* this.#run(id, document, last)) === 'dropped')
        return { kind: 'dropped', index: item.index };
    }
    const changed: DocumentMap = new Map(body);
    changed.set(part, fieldsOf(document));
    return { kind: 'written', item: { ...item, source: Buffer.from(jsonText(changed), 'utf8') } };
  }

  #run(id: string, document: ReturnType<typeof ingestDocumentOf>, last: LastRun): Steps<RunOutcome> {
    const { pipelines, lookups } = this.#facts;
    last.runner = null;
    const pipeline = pipelines(id);
    if (pipeline === undefined) throw illegalArgument(`pipeline with id [${id}] does not exist`);
    const { clock } = this.#context.runtime;
    last.runner = new PipelineRunner({ pipelines, clock, watcher: null, enrich: lookups });
    return last.runner.run(pipeline, document);
  }

  /** The same items at the same positions, with what became of them; the body is left to the documents that no pipeline changed. */
  #rewritten(): BulkItems {
    const items = this.#items;
    const list: BulkItem[] = [];
    for (let at = 0; at < items.length; at++) {
      const ingested = this.#ingested.get(at);
      list.push(ingested?.kind === 'written' ? ingested.item : itemAt(items, at));
    }
    const isWritten = (at: number): boolean => (this.#ingested.get(at)?.kind ?? 'written') === 'written';
    const rewritten = BulkItems.ofAll(list, list[0] ?? items.extras(0), isWritten);
    items.body.leave();
    return rewritten;
  }
}

function itemAt(items: BulkItems, at: number): BulkItem {
  const action = BULK_ACTIONS[items.action(at)] ?? 'index';
  const source = items.action(at) === DELETE_ACTION ? null : items.source(at);
  return { ...items.extras(at), action, index: items.indexName(at), id: items.ownId(at), source };
}

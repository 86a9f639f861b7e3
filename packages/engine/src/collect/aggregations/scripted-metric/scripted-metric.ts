/**
 * Collector of `scripted_metric`: a state for each bucket, which scripts fill and change.
 */
import type { PartialResult, ScriptedMetricAggregation } from '@shoal/aggregations';
import { assert, illegalArgument, type StepMeter, type Steps } from '@shoal/core';
import {
  AGGREGATION_COMBINE_CONTEXT,
  AGGREGATION_INIT_CONTEXT,
  AGGREGATION_MAP_CONTEXT,
  type BoundProgram,
  JavaMap,
  paramsOf,
  programOf,
  type ScriptContext,
  type ScriptProgram,
  type ScriptRequest,
  scriptValueBytes,
} from '@shoal/script';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { storedScriptMissing } from '../../../match/scripts/document-script.ts';
import type { AggregationContext } from '../collector/aggregation-context.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { type SeenDocument, seenDocuments } from '../values/source-script.ts';

export const scriptedMetric: CollectorKind<ScriptedMetricAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile }, request) => new ScriptedMetricCollector(compile, request),
};

interface BucketState {
  readonly params: JavaMap;
  readonly state: JavaMap;
}

/** Positions of variables of the map script. */
const PARAMS_POSITION = 0;
const STATE_POSITION = 1;
const SCORE_POSITION = 3;
/** Runs of scripts between two counts of what the states hold, at least. */
const RUNS_PER_COUNT = 1_000;
/** Bytes of states that are counted as fast as one script runs, about. */
const BYTES_PER_RUN = 256;
/** Microseconds that a script costs, about. */
const SCRIPT_UNITS = 5;

class ScriptedMetricCollector implements BucketCollector {
  readonly #request: ScriptedMetricAggregation;
  readonly #init: ScriptProgram | null;
  readonly #map: ScriptProgram;
  readonly #combine: ScriptProgram;
  readonly #combineScript: ScriptRequest;
  readonly #seen: (view: SegmentView) => SeenDocument;
  readonly #states = new Map<number, BucketState>();
  #segment: { readonly document: SeenDocument; readonly run: BoundProgram } | null = null;
  #bytes = 0;
  #runs = 0;
  #nextCount = RUNS_PER_COUNT;

  constructor(ctx: AggregationContext, request: ScriptedMetricAggregation) {
    const { name, init, map, combine, reduce } = request;
    if (combine === null) throw illegalArgument(`[combineScript] must not be null: [${name}]`);
    if (reduce === null) throw illegalArgument(`[reduceScript] must not be null: [${name}]`);
    if (reduce.source === null) throw storedScriptMissing(reduce);
    this.#request = request;
    this.#init = init && compiled(init, AGGREGATION_INIT_CONTEXT);
    this.#map = compiled(map, AGGREGATION_MAP_CONTEXT);
    this.#combine = compiled(combine, AGGREGATION_COMBINE_CONTEXT);
    this.#combineScript = combine;
    this.#seen = seenDocuments(ctx, map);
  }

  get memoryBytes(): number {
    if (this.#runs >= this.#nextCount) this.#countStates();
    return this.#bytes;
  }

  /** The next count comes when as much was done as it cost. */
  #countStates(): void {
    let bytes = 0;
    for (const { state } of this.#states.values()) bytes += scriptValueBytes(state);
    this.#bytes = bytes;
    this.#nextCount = this.#runs + RUNS_PER_COUNT + Math.ceil(bytes / BYTES_PER_RUN);
  }

  enter(view: SegmentView): void {
    const document = this.#seen(view);
    this.#segment = { document, run: this.#map.bind([null, null, document.fields, 0]) };
  }

  collect({ docs, count }: DocBatch, buckets: Uint32Array): void {
    assert(this.#segment !== null, `${count} documents of no segment for [${this.#request.name}]`);
    const { document, run } = this.#segment;
    for (let i = 0; i < count; i++) {
      const { params, state } = this.#stateOf(buckets[i] as number);
      document.see(docs[i] as number);
      run.set(PARAMS_POSITION, params);
      run.set(STATE_POSITION, state);
      run.set(SCORE_POSITION, document.score);
      run.run();
    }
    this.#runs += count;
  }

  #stateOf(bucket: number): BucketState {
    let known = this.#states.get(bucket);
    if (known === undefined) {
      known = { params: paramsOf(this.#request.map), state: new JavaMap() };
      const { init } = this.#request;
      if (this.#init !== null && init !== null) this.#init.run([paramsOf(init), known.state]);
      this.#states.set(bucket, known);
    }
    return known;
  }

  leave(): null {
    return null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) {
      const { state } = this.#stateOf(buckets[i] as number);
      const made = this.#combine.run([paramsOf(this.#combineScript), state]);
      partials.push({ kind: 'scriptedMetric', states: [made] });
      if (meter.isDue(SCRIPT_UNITS)) yield;
    }
    return partials;
  }
}

/** @throws ShoalError where the script does not compile, or is not stored */
function compiled(script: ScriptRequest, context: ScriptContext): ScriptProgram {
  if (script.source === null) throw storedScriptMissing(script);
  return programOf(script, context);
}

/**
 * What each kind of pipeline brings: its parser, the reader of its request in a message, and its computation.
 *
 * The functions are methods, so that kinds can stand in one list. The lookup by kind guarantees that each is given only its own
 * requests.
 */
import type { StepMeter, Steps, ValueReader } from '@shoal/core';
import type { OptionReader } from '../request/option-reader.ts';
import type { AggregationNode } from '../tree/aggregation-node.ts';
import type { FinishedBucket, PipelineValue } from '../tree/finished-level.ts';
import type { PipelineNode } from '../tree/pipeline-node.ts';

export type PipelineNames = Pick<PipelineNode, 'name' | 'meta'>;
export type PipelineParser<P extends PipelineNode> = (named: PipelineNames, options: OptionReader) => P;

/** Parts of a pipeline that do not depend on its kind. */
export type PipelineParts = Omit<PipelineNode, 'kind'>;

interface KindParts<P extends PipelineNode> {
  readonly kind: P['kind'];
  /** The caller refuses options that were not read. */
  parse(named: PipelineNames, options: OptionReader): P;
  /** Reads a request that another node sent. @throws ShoalError for what the parser does not give */
  read(r: ValueReader, parts: PipelineParts): P;
}

/** The value that a sibling pipeline took from one bucket. */
export interface TakenValue {
  readonly value: number;
  /** Key of the bucket as text. */
  keyText(): string;
}

/** Stands beside the aggregation whose buckets it looks at: one value of many. */
export interface SiblingKind<P extends PipelineNode> extends KindParts<P> {
  readonly family: 'sibling';
  combine(pipeline: P, taken: readonly TakenValue[]): PipelineValue;
}

/** Stands within the aggregation whose buckets it looks at: adds a value to each, or sorts and cuts them. */
export interface ParentKind<P extends PipelineNode> extends KindParts<P> {
  readonly family: 'parent';
  /** Buckets that it works on: any, or such that follow each other at intervals. */
  readonly needs: 'buckets' | 'sequence';
  /** Runs after all pipelines of its level that do not. */
  readonly isLast: boolean;
  paths(pipeline: P): readonly (readonly string[])[];
  /** What is wrong with the request wherever it stands; null or left out: nothing. */
  problem?(pipeline: P): string | null;
  run(
    pipeline: P,
    parent: AggregationNode,
    buckets: readonly FinishedBucket[],
    meter: StepMeter,
  ): Steps<readonly FinishedBucket[]>;
}

export type PipelineKind = SiblingKind<PipelineNode> | ParentKind<PipelineNode>;

/**
 * Results after the final reduce, with the values that pipelines added.
 */
import type { Bucket, PartialNode } from './partial-node.ts';

/** What one pipeline computed. */
export interface PipelineValue {
  /** Type of the result, which `typed_keys` puts before its name. */
  readonly typeName: string;
  /** The number that a path names; null: there are several and one must be named. */
  number(metric: string | undefined): number | null;
  /** Members of the result in the answer. */
  members(): Readonly<Record<string, unknown>>;
}

/** Values of pipelines by name. */
export type PipelineValues = ReadonlyMap<string, PipelineValue>;

export const NO_VALUES: PipelineValues = new Map();

export interface FinishedBucket extends Bucket<unknown> {
  readonly values?: PipelineValues;
}

/** Results of one level: one an aggregation, and the values of its pipelines. */
export interface FinishedLevel {
  readonly partials: readonly PartialNode[];
  readonly values: PipelineValues;
}

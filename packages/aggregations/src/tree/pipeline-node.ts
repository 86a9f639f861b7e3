/**
 * Pipeline aggregations of a request: computed by the coordinator from the results of others, without reading documents.
 */

/** What a bucket without a value, or without documents, stands for. */
export type GapPolicy = 'skip' | 'insert_zeros' | 'keep_values';

/** What all pipelines have; each kind adds its own options. */
export interface PipelineNode {
  /** Type in a request, such as `avg_bucket`. */
  readonly kind: string;
  readonly name: string;
  /** JSON text of an object that the answer shows as it came; null when not given. */
  readonly meta: string | null;
  /** Path to the values: names of aggregations, then a metric or a key of a bucket. */
  readonly path: readonly string[];
  readonly gapPolicy: GapPolicy;
  /** Pattern of Java's DecimalFormat; null: numbers alone. */
  readonly format: string | null;
}

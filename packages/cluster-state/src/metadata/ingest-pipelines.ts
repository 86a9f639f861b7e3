/**
 * Ingest pipelines in the cluster state, on the wire and on disk: an id, and what the user put under it.
 */
import { assert, type ItemReader, ValueReader } from '@shoal/core';
import { sortedMap } from './sorted-map.ts';

export interface IngestPipeline {
  readonly id: string;
  /** JSON object as the user sent it, without its white space; numbers keep the kind in which they were written. */
  readonly config: string;
}

export const NO_INGEST_PIPELINES: ReadonlyMap<string, IngestPipeline> = new Map();
/** Most pipelines of a cluster. */
export const INGEST_PIPELINES_MAX = 5_000;
/** Characters of the configuration of one pipeline: all pipelines are a part of every whole cluster state. */
export const INGEST_PIPELINE_CHARS_MAX: number = 1024 * 1024;

export function writeIngestPipelines(
  pipelines: ReadonlyMap<string, IngestPipeline>,
): readonly Record<string, unknown>[] {
  assert(pipelines.size <= INGEST_PIPELINES_MAX, `${pipelines.size} ingest pipelines are more than can be read`);
  return [...pipelines.values()].map(({ id, config }) => ({ id, config }));
}

/** All ingest pipelines of a state, by id. */
export const readIngestPipelines: ItemReader<ReadonlyMap<string, IngestPipeline>> = (value, field) => {
  const pipelines = new ValueReader({ pipelines: value }, field).list(
    'pipelines',
    readIngestPipeline,
    INGEST_PIPELINES_MAX,
  );
  return sortedMap(pipelines.map((pipeline) => [pipeline.id, pipeline]));
};

const readIngestPipeline: ItemReader<IngestPipeline> = (value, field) => {
  const r = ValueReader.of(value, field);
  return { id: r.string('id'), config: r.string('config') };
};

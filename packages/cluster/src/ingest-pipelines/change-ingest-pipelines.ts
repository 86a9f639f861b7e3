/**
 * Puts and deletes ingest pipelines in the cluster state. Whether a pipeline can be made of a configuration is checked by the
 * node that was asked: here it is text.
 */

import {
  type ClusterState,
  INGEST_PIPELINE_CHARS_MAX,
  INGEST_PIPELINES_MAX,
  type IngestPipeline,
  withEntries,
} from '@shoal/cluster-state';
import { illegalArgument, matchesAny, ShoalError } from '@shoal/core';

/** @throws illegal_argument_exception for what is too large, or one too many */
export function putIngestPipeline(state: ClusterState, { id, config }: IngestPipeline): ClusterState {
  const { ingestPipelines } = state.metadata;
  const known = ingestPipelines.get(id);
  if (known?.config === config) return state;
  if (config.length > INGEST_PIPELINE_CHARS_MAX) {
    throw illegalArgument(`pipeline [${id}] is longer than [${INGEST_PIPELINE_CHARS_MAX}] characters`);
  }
  if (known === undefined && ingestPipelines.size >= INGEST_PIPELINES_MAX) {
    throw illegalArgument(`too many ingest pipelines: there may be [${INGEST_PIPELINES_MAX}]`);
  }
  return withPipelines(state, withEntries(ingestPipelines, [[id, { id, config }]]));
}

/** @throws resource_not_found_exception (404) when no pipeline has the id, unless every id is meant */
export function deleteIngestPipelines(state: ClusterState, pattern: string): ClusterState {
  const { ingestPipelines } = state.metadata;
  const found = [...ingestPipelines.keys()].filter((id) => matchesAny([pattern], id));
  if (found.length === 0 && pattern !== '*') {
    throw new ShoalError('resource_not_found_exception', 404, `pipeline [${pattern}] is missing`);
  }
  if (found.length === 0) return state;
  return withPipelines(
    state,
    withEntries(
      ingestPipelines,
      found.map((id) => [id, null]),
    ),
  );
}

function withPipelines(state: ClusterState, ingestPipelines: ReadonlyMap<string, IngestPipeline>): ClusterState {
  return { ...state, metadata: { ...state.metadata, ingestPipelines } };
}

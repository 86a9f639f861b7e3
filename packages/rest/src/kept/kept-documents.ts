/**
 * The index in which pipelines of Logstash are kept for those agents that fetch them: a document a pipeline, under its id.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { isShoalError } from '@shoal/core';

export const LOGSTASH_INDEX = '.logstash';

const TIMEOUT_MS = 30_000;
/** Parts of a pipeline that are shown as they came and never searched. */
const UNINDEXED = { type: 'object', enabled: false };
const SHOWN_TEXT = { type: 'text', index: false };

const MAPPINGS = {
  dynamic: 'strict',
  properties: {
    description: { type: 'text' },
    last_modified: { type: 'date' },
    pipeline_metadata: UNINDEXED,
    pipeline: SHOWN_TEXT,
    pipeline_settings: UNINDEXED,
    username: { type: 'keyword' },
  },
};

export async function createLogstashIndex(context: CoordinatorContext): Promise<void> {
  const { cluster } = context;
  if (cluster.state().metadata.indices.has(LOGSTASH_INDEX)) return;
  try {
    await cluster.admin.createIndex({
      index: LOGSTASH_INDEX,
      settings: {
        'index.number_of_shards': '1',
        'index.auto_expand_replicas': '0-1',
        'index.hidden': 'true',
        'index.codec': 'best_compression',
      },
      mappings: MAPPINGS,
      aliases: {},
      waitForActiveShards: 1,
      masterTimeoutMs: TIMEOUT_MS,
      timeoutMs: TIMEOUT_MS,
    });
  } catch (error) {
    // Another node was asked for the first pipeline at the same time.
    if (!isShoalError(error) || error.type !== 'resource_already_exists_exception') throw error;
  }
  // The cluster manager applied it; this node may be a moment behind.
  await cluster.waitForState((state) => state.metadata.indices.has(LOGSTASH_INDEX), TIMEOUT_MS);
}

import { describe, expect, test } from 'vitest';
import { emptyClusterState } from '../value/cluster-value-model.ts';
import { deleteIngestPipelines, putIngestPipeline } from './change-ingest-pipelines.ts';

const state = ['b', 'a1', 'a2'].reduce(
  (made, id) => putIngestPipeline(made, { id, config: '{"processors":[]}' }),
  emptyClusterState('c'),
);
const ids = (changed: typeof state): readonly string[] => [...changed.metadata.ingestPipelines.keys()];

describe('ingest pipelines of the cluster state', () => {
  test('are kept by id, and one that is put again as it is changes nothing', () => {
    expect(ids(state)).toEqual(['a1', 'a2', 'b']);
    expect(putIngestPipeline(state, { id: 'b', config: '{"processors":[]}' })).toBe(state);
    const changed = putIngestPipeline(state, { id: 'b', config: '{"version":2,"processors":[]}' });
    expect(changed.metadata.ingestPipelines.get('b')?.config).toContain('2');
  });

  test('are deleted by id and by pattern; one that is not there is missing, unless all are meant', () => {
    expect(ids(deleteIngestPipelines(state, 'a*'))).toEqual(['b']);
    expect(ids(deleteIngestPipelines(state, 'b'))).toEqual(['a1', 'a2']);
    expect(() => deleteIngestPipelines(state, 'c*')).toThrow('pipeline [c*] is missing');
    expect(deleteIngestPipelines(emptyClusterState('c'), '*').metadata.ingestPipelines.size).toBe(0);
  });

  test('have a limit of characters', () => {
    expect(() => putIngestPipeline(state, { id: 'c', config: 'x'.repeat(1024 * 1024 + 1) })).toThrow('is longer than');
  });
});

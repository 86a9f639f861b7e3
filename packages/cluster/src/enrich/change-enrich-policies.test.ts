import type { EnrichPolicy } from '@shoal/cluster-state';
import { describe, expect, test } from 'vitest';
import { putIngestPipeline } from '../ingest-pipelines/change-ingest-pipelines.ts';
import { emptyClusterState } from '../value/cluster-value-model.ts';
import { deleteEnrichPolicy, putEnrichPolicy } from './change-enrich-policies.ts';

const policy: EnrichPolicy = {
  ...{ name: 'p', type: 'match', indices: ['users'], matchField: 'email' },
  ...{ enrichFields: ['city'], query: null },
};
const state = putEnrichPolicy(emptyClusterState('c'), policy);

describe('enrich policies of the cluster state', () => {
  test('are kept by name, and cannot be changed', () => {
    expect(state.metadata.enrichPolicies.get('p')).toEqual(policy);
    expect(() => putEnrichPolicy(state, { ...policy, matchField: 'id' })).toThrow('policy [p] already exists');
  });

  test('are deleted by name', () => {
    expect(deleteEnrichPolicy(state, 'p').metadata.enrichPolicies.size).toBe(0);
    expect(() => deleteEnrichPolicy(state, 'q')).toThrow('policy [q] not found');
  });

  test.each([
    [{ processors: [{ enrich: { policy_name: 'p' } }] }],
    [{ processors: [{ foreach: { field: 'x', processor: { enrich: { policy_name: 'p' } } } }] }],
    [{ processors: [], on_failure: [{ enrich: { policy_name: 'p' } }] }],
  ])('are not deleted while a pipeline uses them: %j', (pipeline) => {
    const used = putIngestPipeline(state, { id: 'users', config: JSON.stringify(pipeline) });
    expect(() => deleteEnrichPolicy(used, 'p')).toThrow('a pipeline is referencing it [users]');
    const other = putIngestPipeline(state, { id: 'o', config: JSON.stringify(pipeline).replace('"p"', '"other"') });
    expect(deleteEnrichPolicy(other, 'p').metadata.enrichPolicies.size).toBe(0);
  });

  test('have limits of characters and of names', () => {
    const long = { ...policy, name: 'long', query: 'x'.repeat(64 * 1024) };
    expect(() => putEnrichPolicy(state, long)).toThrow('is longer than');
    const wide = { ...policy, name: 'wide', indices: Array.from({ length: 1_001 }, () => 'i') };
    expect(() => putEnrichPolicy(state, wide)).toThrow('names more than');
  });
});

/** Blocks of indices and of the cluster, against every change that a cluster manager makes. Texts as a real server gives them. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ClusterService } from '../service/cluster-service.ts';
import { emptyIndex, newMachine, type RunningNode, startNode, TIMEOUTS } from './cluster-nodes.test-support.ts';

type Admin = ClusterService['admin'];

const FLOOD = 'TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block';
const READ_ONLY = 'FORBIDDEN/5/index read-only (api)';
const METADATA = 'FORBIDDEN/9/index metadata (api)';
const CLUSTER = 'FORBIDDEN/6/cluster read-only (api)';
const CLUSTER_ALLOW_DELETE = 'FORBIDDEN/13/cluster read-only / allow delete (api)';

const add = { kind: 'add', filter: null, indexRouting: null, searchRouting: null, isWriteIndex: null, isHidden: null };

/** Changes of the index `i` other than those of its settings. */
const INDEX_CHANGES: Readonly<Record<string, (admin: Admin) => Promise<unknown>>> = {
  mapping: (admin) =>
    admin.putMapping({ ...TIMEOUTS, indices: ['i'], mapping: { properties: { x: { type: 'long' } } } }),
  alias: (admin) => admin.updateAliases({ ...TIMEOUTS, actions: [{ ...add, kind: 'add', index: 'i', alias: 'y' }] }),
  'removal by an alias action': (admin) =>
    admin.updateAliases({ ...TIMEOUTS, actions: [{ kind: 'remove_index', index: 'i' }] }),
  close: (admin) => admin.setIndexState({ ...TIMEOUTS, indices: ['i'], state: 'close' }),
  open: (admin) => admin.setIndexState({ ...TIMEOUTS, indices: ['i'], state: 'open' }),
};

/** Changes of the cluster that are no change of one index. */
const CLUSTER_CHANGES: Readonly<Record<string, (admin: Admin) => Promise<unknown>>> = {
  settings: (admin) => clusterSettings(admin, { 'cluster.routing.allocation.enable': 'all' }),
  'added exclusion': (admin) => admin.addVotingConfigExclusions({ ...TIMEOUTS, nodeIds: [], nodeNames: ['zz'] }),
  'cleared exclusions': (admin) => admin.clearVotingConfigExclusions({ ...TIMEOUTS, waitForRemoval: false }),
};

function indexSettings(admin: Admin, settings: Readonly<Record<string, unknown>>): Promise<unknown> {
  return admin.updateIndexSettings({ ...TIMEOUTS, indices: ['i'], settings, preserveExisting: false });
}

function clusterSettings(admin: Admin, persistent: Readonly<Record<string, unknown>>): Promise<unknown> {
  return admin.updateClusterSettings({ ...TIMEOUTS, persistent, transient: {} });
}

function deletion(admin: Admin): Promise<unknown> {
  return admin.deleteIndices({ ...TIMEOUTS, indices: ['i'] });
}

/** Error of one block: 429 when it is the block of a full disk alone. */
function blocked(reason: string): object {
  const status = reason.includes('FORBIDDEN') ? 403 : 429;
  return { type: 'cluster_block_exception', status, reason };
}

let node: RunningNode;
let admin: Admin;

beforeEach(async () => {
  node = await startNode('solo', newMachine(), { discoveryType: 'single-node' });
  admin = node.service.admin;
  await admin.createIndex(emptyIndex('i', 1));
});

afterEach(async () => {
  await node.service.close();
  expect(node.fatal).toEqual([]);
});

describe('an index', () => {
  test.each([
    ['read_only', READ_ONLY],
    ['metadata', METADATA],
    ['read_only_allow_delete', FLOOD],
  ])('with blocks.%s takes no change but the one that lifts the block', async (name, text) => {
    const error = blocked(`index [i] blocked by: [${text}];`);
    const setting = `index.blocks.${name}`;
    await indexSettings(admin, { [setting]: true });
    const before = node.service.state().metadata;
    for (const change of Object.values(INDEX_CHANGES)) await expect(change(admin)).rejects.toMatchObject(error);
    await expect(indexSettings(admin, { number_of_replicas: 1 })).rejects.toMatchObject(error);
    await expect(indexSettings(admin, { [setting]: null, number_of_replicas: 1 })).rejects.toMatchObject(error);
    if (name !== 'read_only_allow_delete') await expect(deletion(admin)).rejects.toMatchObject(error);
    expect(node.service.state().metadata).toEqual(before);
    await indexSettings(admin, { index: { blocks: { [name]: false } } });
    for (const change of Object.values(CLUSTER_CHANGES)) await change(admin);
    await INDEX_CHANGES.mapping?.(admin);
    await deletion(admin);
  });

  test('with blocks.read_only_allow_delete is deleted', async () => {
    await indexSettings(admin, { 'index.blocks.read_only_allow_delete': true });
    await expect(deletion(admin)).resolves.toEqual({ acknowledged: true });
  });

  test.each(['read', 'write'])('with blocks.%s takes every change of its metadata', async (name) => {
    await indexSettings(admin, { [`index.blocks.${name}`]: true });
    await indexSettings(admin, { number_of_replicas: 1 });
    for (const kind of ['mapping', 'alias', 'close', 'open']) await INDEX_CHANGES[kind]?.(admin);
    await deletion(admin);
  });

  test('with several blocks lists them in one error, which is lasting', async () => {
    await indexSettings(admin, { 'index.blocks.read_only': true, 'index.blocks.read_only_allow_delete': true });
    await expect(INDEX_CHANGES.mapping?.(admin)).rejects.toMatchObject(
      blocked(`index [i] blocked by: [${READ_ONLY}, ${FLOOD}];`),
    );
    await expect(deletion(admin)).rejects.toMatchObject(blocked(`index [i] blocked by: [${READ_ONLY}];`));
  });
});

describe('a cluster', () => {
  test.each([
    ['read_only', CLUSTER],
    ['read_only_allow_delete', CLUSTER_ALLOW_DELETE],
  ])('with blocks.%s takes no change but the one that lifts the block', async (name, text) => {
    const setting = `cluster.blocks.${name}`;
    await clusterSettings(admin, { [setting]: true });
    const before = node.service.state().metadata;
    const ofIndex = blocked(`index [i] blocked by: [${text}];`);
    const ofCluster = blocked(`blocked by: [${text}];`);
    for (const change of Object.values(INDEX_CHANGES)) await expect(change(admin)).rejects.toMatchObject(ofIndex);
    for (const change of Object.values(CLUSTER_CHANGES)) await expect(change(admin)).rejects.toMatchObject(ofCluster);
    await expect(admin.createIndex(emptyIndex('new', 1))).rejects.toMatchObject(
      blocked(`index [new] blocked by: [${text}];`),
    );
    await expect(indexSettings(admin, { 'index.blocks.read_only': false })).rejects.toMatchObject(ofCluster);
    await expect(clusterSettings(admin, { 'cluster.blocks.*': null })).rejects.toMatchObject(ofCluster);
    await expect(
      clusterSettings(admin, { [setting]: null, 'cluster.routing.allocation.enable': 'all' }),
    ).rejects.toMatchObject(ofCluster);
    if (name === 'read_only') await expect(deletion(admin)).rejects.toMatchObject(ofIndex);
    expect(node.service.state().metadata).toEqual(before);
    await clusterSettings(admin, { cluster: { blocks: { [name]: null } } });
    await deletion(admin);
  });

  test('with blocks.read_only_allow_delete lets an index be deleted', async () => {
    await clusterSettings(admin, { 'cluster.blocks.read_only_allow_delete': true });
    await expect(deletion(admin)).resolves.toEqual({ acknowledged: true });
  });
});

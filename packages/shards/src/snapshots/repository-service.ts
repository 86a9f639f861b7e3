/**
 * Repositories on the elected cluster manager: registered, forgotten, checked on every node, swept.
 */
import { checkBlock, deleteRepositories, putRepository, repositoryException } from '@shoal/cluster';
import type { DiscoveryNode, RepositoryMetadata } from '@shoal/cluster-state';
import { asShoalError, isAssertionFailure, randomUuid, ShoalError } from '@shoal/core';
import { writeFile } from '@shoal/engine';
import {
  CHECK_REPOSITORY,
  CLEANUP_REPOSITORY,
  type CleanupResult,
  DELETE_REPOSITORIES,
  PUT_REPOSITORY,
  type PutRepositoryMessage,
  VERIFY_REPOSITORY,
  type VerifiedNodes,
} from '@shoal/protocol';
import { handleWith } from '@shoal/transport';
import { RepositorySweep } from '../repository/repository-sweep.ts';
import {
  type OpenRepository,
  openedRepository,
  openRepository,
  requireManager,
  type SnapshotContext,
} from './snapshot-context.ts';

const TOKEN_BYTES = 16;
const CHECK_TIMEOUT_MS = 30_000;
const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function registerRepositoryHandlers(context: SnapshotContext): void {
  const { cluster } = context;
  handleWith(cluster.transport, PUT_REPOSITORY, (message) => put(context, message));
  handleWith(cluster.transport, DELETE_REPOSITORIES, async (message) => {
    requireManager(context);
    checkBlock(cluster.state(), 'metadata_write', []);
    return cluster.changeAsManager({
      ...message,
      source: `delete_repository [${message.names.slice(0, 5).join(', ')}]`,
      update: (state) => deleteRepositories(state, message.names),
    });
  });
  handleWith(cluster.transport, VERIFY_REPOSITORY, async ({ repository }) => {
    requireManager(context);
    return verify(context, openRepository(context, repository));
  });
  handleWith(cluster.transport, CLEANUP_REPOSITORY, async ({ repository }) => {
    requireManager(context);
    return cleanUp(context, openRepository(context, repository));
  });
  handleWith(cluster.transport, CHECK_REPOSITORY, async ({ repository, token }) => {
    await checkHere(context, repository, token);
    return null;
  });
}

async function put(
  context: SnapshotContext,
  message: PutRepositoryMessage,
): Promise<{ readonly acknowledged: boolean }> {
  requireManager(context);
  const { cluster } = context;
  checkBlock(cluster.state(), 'metadata_write', []);
  const { name, type, settings, verifies } = message;
  const metadata: RepositoryMetadata = { name, type, settings };
  const repository = openedRepository(context, metadata);
  const answer = await cluster.changeAsManager({
    ...message,
    source: `put_repository [${name}]`,
    update: (state) => putRepository(state, metadata),
  });
  if (verifies && answer.acknowledged) await verify(context, repository);
  return answer;
}

/** Every node that may read or write a repository reaches the same folder: each reads what was written here, and writes beside it. */
async function verify(context: SnapshotContext, repository: OpenRepository): Promise<VerifiedNodes> {
  const { runtime, cluster } = context;
  const { folder, name, isReadOnly } = repository;
  if (isReadOnly) {
    await folder.readIndex();
    return { nodes: [] };
  }
  const token = randomUuid(runtime.random.bytes(TOKEN_BYTES));
  const tests = `${folder.path}/tests-${token}`;
  try {
    await runtime.disk.mkdir(tests);
    await writeFile(runtime.disk, `${tests}/master.dat`, encoder.encode(token));
  } catch (error) {
    throw unverified(name, 'path  is not accessible on master node', asShoalError(error));
  }
  try {
    const nodes = [...cluster.state().nodes.values()].filter(
      ({ roles }) => roles.includes('data') || roles.includes('cluster_manager'),
    );
    const metadata = cluster.state().metadata.repositories.get(name);
    const failures = await Promise.all(nodes.map((node) => checkOn(context, node, metadata, token)));
    const failed = failures.filter((failure) => failure !== null);
    if (failed.length > 0) throw unverified(name, `[${failed.join(', ')}]`);
    return { nodes: nodes.map((node) => ({ id: node.id, name: node.name })) };
  } finally {
    await runtime.disk.removeTree(tests);
  }
}

/** What went wrong on the node; null: nothing. */
async function checkOn(
  { cluster }: SnapshotContext,
  node: DiscoveryNode,
  repository: RepositoryMetadata | undefined,
  token: string,
): Promise<string | null> {
  if (repository === undefined) return null;
  try {
    const options = { channel: 'reg', timeoutMs: CHECK_TIMEOUT_MS } as const;
    await cluster.send(node.id, CHECK_REPOSITORY, { repository, token }, options);
    return null;
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    return `[${node.id}, '${asShoalError(error).message}']`;
  }
}

async function checkHere(context: SnapshotContext, metadata: RepositoryMetadata, token: string): Promise<void> {
  const { runtime, cluster } = context;
  // It comes from another node and becomes part of a path.
  if (!TOKEN.test(token)) throw repositoryException(metadata.name, 'is checked with a token that is none');
  const { folder, name } = openedRepository(context, metadata);
  const tests = `${folder.path}/tests-${token}`;
  let found: string;
  try {
    found = decoder.decode(await runtime.disk.readFile(`${tests}/master.dat`));
  } catch (error) {
    throw unverified(
      name,
      `a file written by master to the store [${folder.path}] cannot be accessed on the node [${cluster.localNode.name}]. This might indicate that the store [${folder.path}] is not shared between this node and the master node or that permissions on the store don't allow reading files written by the master node`,
      asShoalError(error),
    );
  }
  if (found !== token) throw unverified(name, `token [${token}] is not what was read: another folder lies there`);
  try {
    await writeFile(runtime.disk, `${tests}/data-${cluster.localNode.id}.dat`, encoder.encode(token));
  } catch (error) {
    throw unverified(
      name,
      `store location [${folder.path}] is not accessible on the node [${cluster.localNode.name}]`,
      asShoalError(error),
    );
  }
}

function cleanUp({ locks }: SnapshotContext, repository: OpenRepository): Promise<CleanupResult> {
  const { folder, name, isReadOnly } = repository;
  if (isReadOnly) throw repositoryException(name, 'cannot run cleanup on readonly repository');
  return locks.removing(name, async () => {
    const { count, bytes } = await new RepositorySweep(folder, await folder.readIndex()).all();
    return { deletedBytes: bytes, deletedBlobs: count };
  });
}

function unverified(repository: string, why: string, causedBy?: ShoalError): ShoalError {
  return new ShoalError(
    'repository_verification_exception',
    500,
    `[${repository}] ${why}`,
    causedBy === undefined ? {} : { causedBy },
  );
}

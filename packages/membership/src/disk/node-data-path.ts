/**
 * The data path of a node: who it is (`_state/node-id`), and that no other process uses it (`node.lock`).
 */
import { crc32 } from 'node:zlib';
import { randomUuid, ShoalError } from '@shoal/core';
import { type Disk, DiskError, type DiskLock, finalSync, finalSyncDir, type Runtime } from '@shoal/runtime';
import { makeRoomForStart } from './space-reserve.ts';

const NODE_ID = /^[A-Za-z0-9_-]{22}$/;
const UUID_BYTES = 16;

export interface NodeDataPath {
  /** Survives restarts; another data path is another node. */
  readonly nodeId: string;
  /** Folder of the coordination log and the node id. */
  readonly stateFolder: string;
  release(): Promise<void>;
}

/** Locks the path and reads the node's id, or gives it one. Throws `illegal_state_exception` when another node has it. */
export async function openDataPath(runtime: Runtime, path: string): Promise<NodeDataPath> {
  const { disk } = runtime;
  const stateFolder = `${path}/_state`;
  await disk.mkdir(stateFolder);
  const lock = await takeLock(runtime, path).catch(async (error: unknown) => {
    if (!(error instanceof DiskError) || error.kind !== 'full') throw error;
    // The lock is a file too.
    await makeRoomForStart(disk, stateFolder, runtime.log);
    return takeLock(runtime, path);
  });
  try {
    await makeRoomForStart(disk, stateFolder, runtime.log);
    const nodeId = await readOrMakeNodeId(runtime, stateFolder);
    return { nodeId, stateFolder, release: () => lock.release() };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function takeLock(runtime: Runtime, path: string): Promise<DiskLock> {
  try {
    return await runtime.disk.lock(`${path}/node.lock`);
  } catch (error) {
    if (!(error instanceof DiskError) || error.kind !== 'locked') throw error;
    throw new ShoalError(
      'illegal_state_exception',
      500,
      `failed to obtain node locks, tried [${path}]; maybe these locations are not writable or another node is using it`,
      { causedBy: new ShoalError('lock_obtain_failed_exception', 500, error.message) },
    );
  }
}

async function readOrMakeNodeId(runtime: Runtime, folder: string): Promise<string> {
  const { disk, random } = runtime;
  const path = `${folder}/node-id`;
  if (await disk.exists(path)) {
    const text = new TextDecoder().decode(await disk.readFile(path));
    const plain = text.trim();
    // Earlier versions wrote no checksum.
    if (!NODE_ID.test(plain)) return checkedNodeId(path, text);
    await writeNodeId(disk, folder, plain);
    return plain;
  }
  const nodeId = randomUuid(random.bytes(UUID_BYTES));
  await writeNodeId(disk, folder, nodeId);
  return nodeId;
}

function nodeIdText(nodeId: string): string {
  return `${nodeId} ${crc32(nodeId).toString(16).padStart(8, '0')}\n`;
}

/** A flipped bit would make this another node, whose shards nobody knows. */
function checkedNodeId(path: string, text: string): string {
  const nodeId = text.slice(0, text.indexOf(' '));
  if (NODE_ID.test(nodeId) && text === nodeIdText(nodeId)) return nodeId;
  throw new ShoalError(
    'illegal_state_exception',
    500,
    `[${path}] holds no node id, or is damaged: its checksum does not match`,
  );
}

async function writeNodeId(disk: Disk, folder: string, nodeId: string): Promise<void> {
  const path = `${folder}/node-id`;
  const file = await disk.open(`${path}.tmp`, 'create');
  try {
    await file.write(new TextEncoder().encode(nodeIdText(nodeId)), 0);
    await finalSync(file, path);
  } finally {
    await file.close();
  }
  await disk.rename(`${path}.tmp`, path);
  await finalSyncDir(disk, folder);
}

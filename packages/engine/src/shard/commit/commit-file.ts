/**
 * Commits: which segments, with which deletes, hold every operation up to a sequence number, and some above it.
 *
 * A commit is `segments_N`, renamed into place after all files that it names are durable. The newest one counts; older
 * ones and files that it does not name are removed after it.
 */
import { assert, ByteSink } from '@shoal/core';
import type { Disk } from '@shoal/runtime';
import { openContent, openVersioned, replaceFile, sealContent } from './durable-file.ts';

const MAGIC = 'SHOALCOMMIT';
/** Version 2 says up to which operation nothing is missing; a commit of version 1 has every operation up to its highest. */
const VERSION = 2;
const LIVE_MAGIC = 'SHOALLIVE';
const LIVE_VERSION = 1;

export interface CommittedSegment {
  readonly name: string;
  readonly docCount: number;
  /** Name of the live-docs file; null when no document is deleted. */
  readonly liveFile: string | null;
}

export interface Commit {
  readonly generation: number;
  /** Highest operation that is in the segments; -1 when none. */
  readonly maxSeqNo: number;
  /** Every operation up to here is in the segments; those up to `maxSeqNo` may be. */
  readonly localCheckpoint: number;
  /** First translog generation that may hold operations above `localCheckpoint`. */
  readonly translogGeneration: number;
  /** Number of the next segment's name. */
  readonly nextSegment: number;
  readonly segments: readonly CommittedSegment[];
  /** Marker of the synced flush that wrote it; null for any other. */
  readonly syncId: string | null;
}

export function segmentFileName(name: string): string {
  return `${name}.seg`;
}

/** Its stored documents. */
export function storedFileName(name: string): string {
  return `${name}.docs`;
}

export function commitFileName(generation: number): string {
  return `segments_${generation}`;
}

/** The newest commit; null when there is none. */
export async function readCommit(disk: Disk, folder: string): Promise<Commit | null> {
  const generations = (await disk.list(folder)).flatMap((name) => {
    const match = /^segments_(\d+)$/.exec(name);
    return match === null ? [] : [Number(match[1])];
  });
  if (generations.length === 0) return null;
  const generation = Math.max(...generations);
  const path = `${folder}/${commitFileName(generation)}`;
  const { version, content: source } = openVersioned(MAGIC, VERSION, path, await disk.readFile(path));
  const maxSeqNo = source.f64();
  const head = {
    generation,
    maxSeqNo,
    localCheckpoint: version === 1 ? maxSeqNo : source.f64(),
    translogGeneration: source.f64(),
    nextSegment: source.u32(),
  };
  const count = source.u32();
  const segments: CommittedSegment[] = [];
  for (let i = 0; i < count; i++) {
    const name = source.text();
    const docCount = source.u32();
    const liveFile = source.text();
    segments.push({ name, docCount, liveFile: liveFile === '' ? null : liveFile });
  }
  // A commit written before there were markers ends here.
  const syncId = source.at < source.bytes.length ? source.text() : null;
  return { ...head, segments, syncId };
}

/** The files that it names are durable already. */
export async function writeCommit(disk: Disk, folder: string, commit: Commit): Promise<void> {
  assert(commit.generation > 0, `commit of generation ${commit.generation}`);
  const { localCheckpoint, maxSeqNo } = commit;
  assert(localCheckpoint >= -1 && maxSeqNo >= localCheckpoint, `commit of ${localCheckpoint} up to ${maxSeqNo}`);
  assert(
    commit.segments.every(({ docCount }) => docCount > 0),
    `commit ${commit.generation} names a segment without documents`,
  );
  assert(commit.syncId !== '', `commit ${commit.generation} has an empty marker`);
  const sink = new ByteSink();
  sink.f64(maxSeqNo);
  sink.f64(localCheckpoint);
  sink.f64(commit.translogGeneration);
  sink.u32(commit.nextSegment);
  sink.u32(commit.segments.length);
  for (const segment of commit.segments) {
    sink.text(segment.name);
    sink.u32(segment.docCount);
    sink.text(segment.liveFile ?? '');
  }
  if (commit.syncId !== null) sink.text(commit.syncId);
  await replaceFile(disk, folder, commitFileName(commit.generation), sealContent(MAGIC, VERSION, sink.written()));
}

/** Its own file and those that it names. */
export function filesOfCommit(commit: Commit): readonly string[] {
  const names = commit.segments.flatMap(({ name, liveFile }) => [
    segmentFileName(name),
    storedFileName(name),
    ...(liveFile === null ? [] : [liveFile]),
  ]);
  return [...names, commitFileName(commit.generation)];
}

/** Removes what the commit does not name, nor is in use: a merge's stored documents are written before any commit has them. */
export async function removeUnreferenced(
  disk: Disk,
  folder: string,
  commit: Commit,
  inUse: { has(name: string): boolean },
): Promise<void> {
  const kept = new Set(filesOfCommit(commit));
  for (const name of await disk.list(folder)) {
    if (!kept.has(name) && !inUse.has(name)) await disk.unlink(`${folder}/${name}`);
  }
}

export function encodeLiveDocs(live: Uint8Array): Uint8Array {
  return sealContent(LIVE_MAGIC, LIVE_VERSION, live);
}

export function decodeLiveDocs(path: string, bytes: Uint8Array): Uint8Array {
  return openContent(LIVE_MAGIC, LIVE_VERSION, path, bytes).bytes.slice();
}

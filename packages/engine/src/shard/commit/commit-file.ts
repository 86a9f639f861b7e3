/**
 * Commits: which segments, with which deletes, hold every operation up to a sequence number, and some above it.
 *
 * A commit is `segments_N`, renamed into place after all files that it names are durable. The newest one is opened. The newest of
 * those that hold nothing but what every copy has is kept too, with what came behind it: from there a copy can begin again.
 */
import { assert, ByteSink, type ByteSource } from '@shoal/core';
import type { Disk } from '@shoal/runtime';
import type { GenerationTrim } from '../history/generation-trims.ts';
import type { EndedGeneration } from '../history/history-retention.ts';
import { decodeLeases, encodeLeases, type HistoryState } from '../history/history-state.ts';
import { openContent, openVersioned, replaceFile, sealContent } from './durable-file.ts';

const MAGIC = 'SHOALCOMMIT';
/**
 * Version 2 says up to which operation nothing is missing; a commit of version 1 has every operation up to its highest. Version 3
 * also says what other copies were known to have, where the translog begins, and which documents were deleted lately. Version 4 has
 * leases, and what the files of the translog have that was dropped.
 */
const VERSION = 4;
const LIVE_MAGIC = 'SHOALLIVE';
const LIVE_VERSION = 1;
/** Files of one commit: two or three a segment, and its own. */
export const COMMIT_FILES_MAX = 100_000;
const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.]{0,99}$/;
const COMMIT_NAME = /^segments_(\d+)$/;

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
  /** Every copy that may lead the shard was known to have the operations up to here; -1: nothing was known. */
  readonly globalCheckpoint: number;
  /** First translog generation that may hold operations above `localCheckpoint`. */
  readonly translogGeneration: number;
  /** Generations of the translog that had ended, ascending; later commits may have removed some of them. */
  readonly generations: readonly Omit<EndedGeneration, 'endedMs'>[];
  /** Every operation above it is in the translog. */
  readonly trimmedSeqNo: number;
  /** Number of the next segment's name. */
  readonly nextSegment: number;
  readonly segments: readonly CommittedSegment[];
  /** Marker of the synced flush that wrote it; null for any other. */
  readonly syncId: string | null;
  /** Documents that were deleted lately: no segment knows their versions. */
  readonly deletes: readonly CommittedDelete[];
  readonly leases: HistoryState['leases'];
  /** Generation of the commit that it has the segments of, after all later ones were given up; null: it stands for itself. */
  readonly restartedFrom: number | null;
  /** What the files of the translog have and the shard has not. */
  readonly trims: readonly GenerationTrim[];
}

export interface CommittedDelete {
  readonly id: string;
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  /** Wall clock, milliseconds since 1970. */
  readonly deletedMs: number;
}

export function segmentFileName(name: string): string {
  return `${name}.seg`;
}

/** Its stored documents. */
export function storedFileName(name: string): string {
  return `${name}.docs`;
}

/** What waits on its way to the segment while that is merged; no commit names it. */
export function spillFileName(name: string): string {
  return `${name}.spill`;
}

export function commitFileName(generation: number): string {
  return `segments_${generation}`;
}

/** Whether a name that came from elsewhere may become one of a file beside the commits. */
export function isCommitFileName(name: string): boolean {
  return FILE_NAME.test(name);
}

/** Generation of the commit whose file has this name; null for other files. */
export function generationOfCommit(name: string): number | null {
  const match = COMMIT_NAME.exec(name);
  return match === null ? null : Number(match[1]);
}

/** The newest commit; null when there is none. */
export async function readCommit(disk: Disk, folder: string): Promise<Commit | null> {
  const newest = generationsOfCommits(await disk.list(folder)).at(-1);
  return newest === undefined ? null : readCommitOf(disk, folder, newest);
}

/** All commits of the folder, ascending. @param names files in it */
export async function readCommits(disk: Disk, folder: string, names: readonly string[]): Promise<readonly Commit[]> {
  const commits: Commit[] = [];
  for (const generation of generationsOfCommits(names)) commits.push(await readCommitOf(disk, folder, generation));
  return commits;
}

/** Generations of the commits among files, ascending. */
function generationsOfCommits(names: readonly string[]): readonly number[] {
  return names.flatMap((name) => generationOfCommit(name) ?? []).sort((a, b) => a - b);
}

/** The commit of a generation, in the folder that has its file. */
export async function readCommitOf(disk: Disk, folder: string, generation: number): Promise<Commit> {
  const path = `${folder}/${commitFileName(generation)}`;
  const { version, content: source } = openVersioned(MAGIC, VERSION, path, await disk.readFile(path));
  const maxSeqNo = source.f64();
  const head = {
    generation,
    maxSeqNo,
    localCheckpoint: version === 1 ? maxSeqNo : source.f64(),
    globalCheckpoint: version < 3 ? -1 : source.f64(),
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
  const syncId = source.at < source.bytes.length ? source.text() : '';
  const history = version < 3 ? { ...NO_HISTORY, trimmedSeqNo: head.localCheckpoint } : readRest(source, version);
  return { ...head, segments, syncId: syncId === '' ? null : syncId, ...history };
}

/** Commits that know of no other copies. */
const NO_HISTORY = { generations: [], deletes: [], leases: new Map<string, never>(), trims: [], restartedFrom: null };

function readRest(
  source: ByteSource,
  version: number,
): Pick<Commit, 'generations' | 'trimmedSeqNo' | 'deletes' | 'leases' | 'restartedFrom' | 'trims'> {
  const trimmedSeqNo = source.f64();
  const generations = Array.from({ length: source.u32() }, () => {
    return { generation: source.f64(), maxSeqNo: source.f64(), sizeBytes: source.f64() };
  });
  const deletes = Array.from({ length: source.u32() }, () => readDelete(source));
  if (version === 3) return { ...NO_HISTORY, trimmedSeqNo, generations, deletes };
  const leases = decodeLeases(source);
  const trims = Array.from({ length: source.u32() }, () => {
    return { generation: source.f64(), above: source.f64(), belowTerm: source.f64() };
  });
  const restartedFrom = source.f64();
  return { trimmedSeqNo, generations, deletes, leases, trims, restartedFrom: restartedFrom < 0 ? null : restartedFrom };
}

function readDelete(source: ByteSource): CommittedDelete {
  const [id, version, seqNo] = [source.text(), source.f64(), source.f64()];
  return { id, version, seqNo, primaryTerm: source.f64(), deletedMs: source.f64() };
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
  sink.f64(commit.globalCheckpoint);
  sink.f64(commit.translogGeneration);
  sink.u32(commit.nextSegment);
  sink.u32(commit.segments.length);
  for (const segment of commit.segments) {
    sink.text(segment.name);
    sink.u32(segment.docCount);
    sink.text(segment.liveFile ?? '');
  }
  sink.text(commit.syncId ?? '');
  sink.f64(commit.trimmedSeqNo);
  sink.u32(commit.generations.length);
  for (const { generation, maxSeqNo: max, sizeBytes } of commit.generations) {
    for (const number of [generation, max, sizeBytes]) sink.f64(number);
  }
  sink.u32(commit.deletes.length);
  for (const { id, version, seqNo, primaryTerm, deletedMs } of commit.deletes) {
    sink.text(id);
    for (const number of [version, seqNo, primaryTerm, deletedMs]) sink.f64(number);
  }
  encodeLeases(sink, commit.leases);
  sink.u32(commit.trims.length);
  for (const { generation, above, belowTerm } of commit.trims) {
    for (const number of [generation, above, belowTerm]) sink.f64(number);
  }
  sink.f64(commit.restartedFrom ?? -1);
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

/**
 * Removes of these files of the folder what none of the commits names, nor is in use: a merge's stored documents are written before any commit has
 * them.
 */
export async function removeUnreferenced(
  disk: Disk,
  folder: string,
  names: readonly string[],
  { commits, inUse }: { readonly commits: readonly Commit[]; readonly inUse: { has(name: string): boolean } },
): Promise<void> {
  const kept = new Set(commits.flatMap(filesOfCommit));
  for (const name of names) {
    if (!kept.has(name) && !inUse.has(name)) await disk.unlink(`${folder}/${name}`);
  }
}

export function encodeLiveDocs(live: Uint8Array): Uint8Array {
  return sealContent(LIVE_MAGIC, LIVE_VERSION, live);
}

export function decodeLiveDocs(path: string, bytes: Uint8Array): Uint8Array {
  return openContent(LIVE_MAGIC, LIVE_VERSION, path, bytes).bytes.slice();
}

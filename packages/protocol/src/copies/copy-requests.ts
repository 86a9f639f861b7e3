/**
 * Requests between the copies of a shard, and their answers, as a small message and raw sections: written by the thread of one copy and
 * read by that of the other.
 *
 * What comes from another node is believed only as far as it was checked: every number has its range, every list its limit, and
 * operations are as `unpackHistory` accepts them, by ascending sequence number.
 */
import { assert, type ItemReader, unreachable, ValueReader } from '@shoal/core';
import type { CommitFile, CopyRequest, CopyResponse, RetentionLease, SafeCommit } from '@shoal/replication';
import { type HistoryOperation, packHistory, unpackHistory } from '@shoal/shard-api';
import type { WireBody } from '@shoal/transport';
import { SectionReader } from '../sections/section-reader.ts';

/** A request with the bytes that belong to it. */
export interface CopyCall {
  readonly request: CopyRequest<HistoryOperation>;
  /** Bytes of a `recoveryChunk`; null for all other requests. */
  readonly chunk: Uint8Array | null;
}

type Request<Kind> = Extract<CopyRequest<HistoryOperation>, { readonly kind: Kind }>;

const NUMBER_MAX = Number.MAX_SAFE_INTEGER;
/** Files of one commit. */
const COMMIT_FILES_MAX = 100_000;
/** Longest text that checks the content of a file. */
const CHECKSUM_CHARS_MAX = 256;
/** Nodes that a shard keeps history for. */
const LEASES_MAX = 10_000;
/** Names of recent writes that come with a commit: more than twice what an engine keeps. */
const RECENT_WRITES_BYTES_MAX = 2 * 1024 * 1024;
/** Bytes of one chunk of a file. */
const CHUNK_BYTES_MAX = 1024 * 1024;
const FILE_NAME = /^[A-Za-z0-9_.]{1,100}$/;

const REQUEST_KINDS = [
  'replicate',
  'startRecovery',
  'recoveryChunk',
  'installFiles',
  'finalizeRecovery',
  'endRecovery',
] as const;
const RESPONSE_KINDS = ['copied', 'taken', 'delayed', 'installed', 'refused'] as const;

export function writeCopyCall({ request, chunk }: CopyCall): WireBody {
  assert((chunk !== null) === (request.kind === 'recoveryChunk'), `a ${request.kind} with bytes of a file or without`);
  assert(Number.isSafeInteger(request.term) && request.term >= 0, `a ${request.kind} under term ${request.term}`);
  switch (request.kind) {
    case 'replicate': {
      assert(request.globalCheckpoint >= -1, `global checkpoint ${request.globalCheckpoint}`);
      const { operations, leases, ...rest } = request;
      const message = { ...rest, leases: leases === null ? null : leasesMessage(leases) };
      return { message, sections: [packHistory(operations)] };
    }
    case 'recoveryChunk':
      assert(chunk !== null && chunk.byteLength <= CHUNK_BYTES_MAX, `a chunk of ${chunk?.byteLength} bytes`);
      return { message: { ...request }, sections: [chunk] };
    case 'startRecovery':
      return { message: { ...request, files: request.files.map((file) => ({ ...file })) } };
    case 'installFiles':
      return { message: { ...request, commit: commitMessage(request.commit) } };
    case 'finalizeRecovery':
    case 'endRecovery':
      return { message: { ...request } };
    default:
      return unreachable(request);
  }
}

/** @throws malformed_message_exception */
export function readCopyCall(body: WireBody): CopyCall {
  const r = ValueReader.of(body.message);
  const sections = new SectionReader(body.sections);
  const call = readCall(r, sections);
  sections.end();
  return call;
}

function readCall(r: ValueReader, sections: SectionReader): CopyCall {
  const kind = r.oneOf('kind', REQUEST_KINDS);
  const term = r.integer('term', 0, NUMBER_MAX);
  switch (kind) {
    case 'replicate':
      return { request: readReplicate(r, term, sections), chunk: null };
    case 'startRecovery':
      return { request: readStart(r, term), chunk: null };
    case 'recoveryChunk': {
      const request = { kind, term, file: r.item('file', fileName), chunk: r.integer('chunk', 0, NUMBER_MAX) } as const;
      const chunk = sections.bytes('chunk');
      if (chunk.byteLength > CHUNK_BYTES_MAX) r.refuse('chunk', `at most ${CHUNK_BYTES_MAX} bytes`);
      return { request, chunk };
    }
    case 'installFiles': {
      const commit = r.item('commit', readCommit);
      return { request: { kind, term, commit, historyUuid: r.string('historyUuid') }, chunk: null };
    }
    case 'finalizeRecovery':
      return { request: { kind, term, globalCheckpoint: checkpoint(r, 'globalCheckpoint') }, chunk: null };
    case 'endRecovery':
      return { request: { kind, term }, chunk: null };
    default:
      return unreachable(kind);
  }
}

function readReplicate(r: ValueReader, term: number, sections: SectionReader): Request<'replicate'> {
  const operations = unpackHistory(sections.bytes('operations'));
  for (let at = 0; at < operations.length; at++) {
    const { seqNo, primaryTerm } = operations[at] as HistoryOperation;
    const before = operations[at - 1]?.seqNo ?? -1;
    if (seqNo <= before || primaryTerm > term)
      r.refuse('operations', 'ascending, and of no newer term than the request');
  }
  return {
    kind: 'replicate',
    term,
    globalCheckpoint: checkpoint(r, 'globalCheckpoint'),
    operations,
    trimAbove: r.optionalInteger('trimAbove', -1, NUMBER_MAX),
    leases: r.optional('leases', readLeases),
    waitsForSync: r.boolean('waitsForSync'),
  };
}

function readStart(r: ValueReader, term: number): Request<'startRecovery'> {
  return {
    kind: 'startRecovery',
    term,
    target: r.string('target'),
    historyUuid: r.optionalString('historyUuid'),
    startingSeqNo: r.optionalInteger('startingSeqNo', 0, NUMBER_MAX),
    files: r.list('files', readFile, COMMIT_FILES_MAX),
  };
}

export function writeCopyResponse(response: CopyResponse): WireBody {
  return { message: { ...response } };
}

/** @throws malformed_message_exception */
export function readCopyResponse(body: WireBody): CopyResponse {
  const r = ValueReader.of(body.message);
  const kind = r.oneOf('kind', RESPONSE_KINDS);
  switch (kind) {
    case 'copied':
      return {
        kind,
        localCheckpoint: checkpoint(r, 'localCheckpoint'),
        globalCheckpoint: checkpoint(r, 'globalCheckpoint'),
      };
    case 'taken':
    case 'delayed':
      return { kind };
    case 'installed':
      return { kind, isSound: r.boolean('isSound') };
    case 'refused':
      return {
        kind,
        reason: r.oneOf('reason', ['termTooOld', 'notHere'] as const),
        term: r.integer('term', 0, NUMBER_MAX),
      };
    default:
      return unreachable(kind);
  }
}

function leasesMessage(leases: ReadonlyMap<string, RetentionLease>): unknown {
  return [...leases].map(([node, lease]) => ({ node, ...lease }));
}

const readLeases: ItemReader<ReadonlyMap<string, RetentionLease>> = (value, field) =>
  new Map(ValueReader.listOf(value, field, readLease, LEASES_MAX));

const readLease: ItemReader<readonly [string, RetentionLease]> = (value, field) => {
  const r = ValueReader.of(value, field);
  const lease = {
    retaining: r.integer('retaining', 0, NUMBER_MAX),
    awaySinceMs: r.optional('awaySinceMs', ValueReader.asNumber),
  };
  return [r.string('node'), lease];
};

/** Recent writes are a member of the message, which older versions pass by; they refuse a section that they do not know. */
function commitMessage({ through, files, recentWrites }: SafeCommit): unknown {
  assert(files.length <= COMMIT_FILES_MAX, `a commit of ${files.length} files`);
  const bytes = recentWrites?.byteLength ?? 0;
  assert(bytes <= RECENT_WRITES_BYTES_MAX, `recent writes of ${bytes} bytes`);
  return { through, files: files.map((file) => ({ ...file })), recentWrites };
}

const readCommit: ItemReader<SafeCommit> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    through: checkpoint(r, 'through'),
    files: r.list('files', readFile, COMMIT_FILES_MAX),
    recentWrites: r.optional('recentWrites', readRecentWrites),
  };
};

const readRecentWrites: ItemReader<Uint8Array> = (value, field) => {
  const bytes = new ValueReader({ bytes: value }, field).bytes('bytes');
  if (bytes.byteLength <= RECENT_WRITES_BYTES_MAX) return bytes;
  return new ValueReader({ bytes: value }, field).refuse('bytes', `at most ${RECENT_WRITES_BYTES_MAX} bytes`);
};

const readFile: ItemReader<CommitFile> = (value, field) => {
  const r = ValueReader.of(value, field);
  const checksum = r.string('checksum');
  if (checksum.length > CHECKSUM_CHARS_MAX) r.refuse('checksum', `at most ${CHECKSUM_CHARS_MAX} characters`);
  return {
    name: r.item('name', fileName),
    bytes: r.integer('bytes', 0, NUMBER_MAX),
    chunks: r.integer('chunks', 1, NUMBER_MAX),
    checksum,
  };
};

/** Names become paths below the folder of a shard. */
const fileName: ItemReader<string> = (value, field) => {
  const name = ValueReader.asString(value, field);
  if (!FILE_NAME.test(name)) new ValueReader({ name: value }, field).refuse('name', `a name of a file, ${FILE_NAME}`);
  return name;
};

/** -1: no operation. */
function checkpoint(r: ValueReader, field: string): number {
  return r.integer(field, -1, NUMBER_MAX);
}

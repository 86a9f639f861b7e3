/**
 * Results of write operations as columns: words in a list of bytes, numbers in typed arrays, errors sparse.
 */
import { fromWireError, toWireError } from '@shoal/core';
import type { WriteResult } from '@shoal/query';
import type { ValueReader } from '@shoal/transport';
import { malformedSection, type SectionReader } from '../sections/section-reader.ts';
import type { SectionWriter } from '../sections/section-writer.ts';
import { OPERATIONS_MAX, readSparse } from './write-operations.ts';

const WORDS = ['created', 'updated', 'deleted', 'not_found', 'noop'] as const;
const FAILED = 255;
/** A sequence number of nothing written, as Elasticsearch's UNASSIGNED_SEQ_NO. */
const SEQ_NO_MIN = -2;
const VERSION_MIN = -4;

export function writeResults(
  results: readonly WriteResult[],
  sections: SectionWriter,
): Readonly<Record<string, unknown>> {
  const errors: unknown[] = [];
  for (const [at, result] of results.entries()) {
    if (result.kind === 'failed') errors.push({ at, error: toWireError(result.error) });
  }
  const numbers = (of: (done: Extract<WriteResult, { kind: 'done' }>) => number): readonly number[] =>
    results.map((result) => (result.kind === 'done' ? of(result) : 0));
  sections.add(Uint8Array.from(results, (result) => (result.kind === 'done' ? WORDS.indexOf(result.result) : FAILED)));
  sections.addNumbers(numbers((done) => done.version));
  sections.addNumbers(numbers((done) => done.seqNo));
  sections.addNumbers(numbers((done) => done.primaryTerm));
  sections.addByteStrings(results.map((result) => (result.kind === 'done' ? result.source : null)));
  return { count: results.length, errors };
}

export function readResults(r: ValueReader, sections: SectionReader): readonly WriteResult[] {
  const count = r.integer('count', 0, OPERATIONS_MAX);
  const errors = readSparse(r, 'errors', count, (item) => fromWireError(item.raw('error')));
  const words = sections.flags('words', count);
  const versions = sections.integers('versions', count, VERSION_MIN, Number.MAX_SAFE_INTEGER);
  const seqNos = sections.integers('seqNos', count, SEQ_NO_MIN, Number.MAX_SAFE_INTEGER);
  const terms = sections.integers('primaryTerms', count, 0, Number.MAX_SAFE_INTEGER);
  const sources = sections.byteStrings('sources', count);
  const results: WriteResult[] = [];
  for (let at = 0; at < count; at++) {
    const error = errors.get(at);
    if (error !== undefined) {
      results.push({ kind: 'failed', error });
      continue;
    }
    const result = WORDS[words[at] ?? FAILED];
    if (result === undefined) throw malformedSection('words', `holds the unknown result ${words[at]}`);
    results.push({
      kind: 'done',
      result,
      version: versions[at] ?? 0,
      seqNo: seqNos[at] ?? 0,
      primaryTerm: terms[at] ?? 0,
      source: sources[at] ?? null,
    });
  }
  return results;
}

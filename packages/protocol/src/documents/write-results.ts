/**
 * Results of write operations as columns: words and numbers in typed arrays, errors and documents sparse. An error that many of
 * them have is sent once.
 */
import { assert, fromWireError, type ShoalError, toWireError, ValueReader, type WireError } from '@shoal/core';
import { FAILED_WORD, PackedResults, RESULT_WORDS } from '@shoal/shard-api';
import { malformedSection, type SectionReader } from '../sections/section-reader.ts';
import type { SectionWriter } from '../sections/section-writer.ts';
import { readSparse } from '../sections/sparse-column.ts';

/** Results of one shard request. */
const RESULTS_MAX = 1_000_000;
/** A sequence number of nothing written, as Elasticsearch's UNASSIGNED_SEQ_NO. */
const SEQ_NO_MIN = -2;
const VERSION_MIN = -4;

export function writeResults(results: PackedResults, sections: SectionWriter): Readonly<Record<string, unknown>> {
  const { words, versions, seqNos, primaryTerms } = results.columns();
  const count = results.length;
  assert(count <= RESULTS_MAX, `${count} results in one answer, at most ${RESULTS_MAX}`);
  assert(words.length === count, `${words.length} words of ${count} results`);
  assert(versions.length === count && seqNos.length === count, `${versions.length} versions of ${count} results`);
  assert(primaryTerms.length === count, `${primaryTerms.length} primary terms of ${count} results`);
  assert(results.errors.size <= count, `${results.errors.size} errors of ${count} results`);
  for (const column of [words, versions, seqNos, primaryTerms]) sections.add(column);
  sections.addByteStrings([...results.sources.values()]);
  return { count, ...writeErrors(results.errors), sources: [...results.sources.keys()] };
}

/** Errors by the number of their reason among the different ones. */
function writeErrors(errors: ReadonlyMap<number, ShoalError>): {
  readonly reasons: readonly WireError[];
  readonly errors: readonly { readonly at: number; readonly reason: number }[];
} {
  const reasons: WireError[] = [];
  const byText = new Map<string, number>();
  const byError = new Map<ShoalError, number>();
  const numberOf = (error: ShoalError): number => {
    const known = byError.get(error);
    if (known !== undefined) return known;
    const reason = toWireError(error);
    const text = JSON.stringify(reason);
    const number = byText.get(text) ?? reasons.push(reason) - 1;
    byText.set(text, number);
    byError.set(error, number);
    return number;
  };
  return { errors: [...errors].map(([at, error]) => ({ at, reason: numberOf(error) })), reasons };
}

export function readResults(r: ValueReader, sections: SectionReader): PackedResults {
  const count = r.integer('count', 0, RESULTS_MAX);
  const reasons = r.list('reasons', (value) => fromWireError(value), count);
  const errors = readSparse(r, 'errors', count, (item) => {
    // The reader bounds the number; of no reasons at all there is none to name.
    const reason = reasons[item.integer('reason', 0, Math.max(reasons.length - 1, 0))];
    if (reason === undefined) throw malformedSection('errors', 'names a reason, and there are none');
    return reason;
  });
  const words = sections.flags('words', count);
  const versions = sections.integers('versions', count, VERSION_MIN, Number.MAX_SAFE_INTEGER);
  const seqNos = sections.integers('seqNos', count, SEQ_NO_MIN, Number.MAX_SAFE_INTEGER);
  const primaryTerms = sections.integers('primaryTerms', count, 0, Number.MAX_SAFE_INTEGER);
  let failures = 0;
  for (let at = 0; at < count; at++) {
    const word = words[at] as number;
    if (word < RESULT_WORDS.length) continue;
    if (word !== FAILED_WORD || !errors.has(at)) {
      throw malformedSection('words', `holds the result ${word}, without an error`);
    }
    failures++;
  }
  if (failures !== errors.size) throw malformedSection('words', `holds ${failures} failures of ${errors.size} errors`);
  const sources = readSources(r, sections, count);
  return new PackedResults({ words, versions, seqNos, primaryTerms }, count, errors, sources);
}

function readSources(r: ValueReader, sections: SectionReader, count: number): ReadonlyMap<number, Uint8Array> {
  const positions = r.list('sources', ValueReader.asNumber, count);
  const sources = new Map<number, Uint8Array>();
  for (const [i, source] of sections.byteStrings('sources', positions.length).entries()) {
    const at = positions[i] ?? -1;
    if (!Number.isInteger(at) || at < 0 || at >= count || source === null) {
      throw malformedSection('sources', `names the result ${at} of ${count}`);
    }
    sources.set(at, source);
  }
  return sources;
}

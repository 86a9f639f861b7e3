/**
 * Documents as they leave a shard, as columns: ids in a list, numbers in typed arrays, sources in one raw section.
 */

import { assert, ValueReader } from '@shoal/core';
import type { FetchedHit, HitExplanation } from '@shoal/shard-api';
import { malformedSection, type SectionReader } from '../sections/section-reader.ts';
import type { SectionWriter } from '../sections/section-writer.ts';
import { readSparse } from '../sections/sparse-column.ts';

/** Most documents of one answer; their bytes are bounded by the frame. */
export const HITS_MAX = 1_000_000;
const SEQ_NO_MIN = -2;
const VERSION_MIN = -4;

/** null stands for a document that is not there. */
export function writeHits(
  hits: readonly (FetchedHit | null)[],
  sections: SectionWriter,
): Readonly<Record<string, unknown>> {
  assert(hits.length <= HITS_MAX, `${hits.length} documents in one answer, at most ${HITS_MAX}`);
  const routings = writeNumbers(hits, sections);
  sections.addByteStrings(hits.map((hit) => hit?.source ?? null));
  const hasStoredApart = hits.some((hit) => hit !== null && hit.storedApart !== null);
  if (hasStoredApart) sections.addByteStrings(hits.map((hit) => hit?.storedApart ?? null));
  const hasFields = hits.some((hit) => hit !== null && hit.fields !== null);
  const hasHighlights = hits.some((hit) => hit !== null && hit.highlight !== null);
  if (hasFields) sections.addByteStrings(hits.map((hit) => hit?.fields ?? null));
  if (hasHighlights) sections.addByteStrings(hits.map((hit) => hit?.highlight ?? null));
  const hasIgnored = hits.some((hit) => hit !== null && (hit.ignored !== null || hit.ignoredValues !== null));
  if (hasIgnored) {
    sections.addByteStrings(hits.map((hit) => hit?.ignored ?? null));
    sections.addByteStrings(hits.map((hit) => hit?.ignoredValues ?? null));
  }
  const hasMatched = hits.some((hit) => hit !== null && hit.matchedQueries !== null);
  const hasExplanations = hits.some((hit) => hit !== null && hit.explanation !== null);
  const hasInnerHits = hits.some((hit) => hit !== null && hit.innerHits !== null);
  if (hasMatched) sections.addByteStrings(hits.map((hit) => hit?.matchedQueries ?? null));
  if (hasInnerHits) sections.addByteStrings(hits.map((hit) => hit?.innerHits ?? null));
  if (hasExplanations) {
    sections.add(Uint8Array.from(hits, (hit) => (hit?.explanation?.isMatch === true ? 1 : 0)));
    sections.addByteStrings(hits.map((hit) => hit?.explanation?.tree ?? null));
  }
  const has = { hasStoredApart, hasFields, hasHighlights, hasIgnored, hasMatched, hasInnerHits, hasExplanations };
  return { ids: hits.map((hit) => hit?.id ?? ''), routings, ...has };
}

/** Which documents are there, and their numbers, in one piece of memory; returns the routings of those that have one. */
function writeNumbers(hits: readonly (FetchedHit | null)[], sections: SectionWriter): readonly unknown[] {
  const count = hits.length;
  const found = new Uint8Array(count);
  const numbers = new Float64Array(3 * count);
  const routings: unknown[] = [];
  for (let at = 0; at < count; at++) {
    const hit = hits[at] ?? null;
    if (hit === null) continue;
    found[at] = 1;
    numbers[at] = hit.version;
    numbers[count + at] = hit.seqNo;
    numbers[2 * count + at] = hit.primaryTerm;
    if (hit.routing !== null) routings.push({ at, routing: hit.routing });
  }
  sections.add(found);
  for (let column = 0; column < 3; column++) sections.add(numbers.subarray(column * count, (column + 1) * count));
  return routings;
}

export function readHits(r: ValueReader, sections: SectionReader): readonly (FetchedHit | null)[] {
  const ids = r.list('ids', ValueReader.asString, HITS_MAX);
  const count = ids.length;
  const routings = readSparse(r, 'routings', count, (item) => item.string('routing'));
  const found = sections.flags('found', count);
  const versions = sections.integers('versions', count, VERSION_MIN, Number.MAX_SAFE_INTEGER);
  const seqNos = sections.integers('seqNos', count, SEQ_NO_MIN, Number.MAX_SAFE_INTEGER);
  const terms = sections.integers('primaryTerms', count, 0, Number.MAX_SAFE_INTEGER);
  const sources = sections.byteStrings('sources', count);
  const storedApart = r.boolean('hasStoredApart') ? sections.byteStrings('storedApart', count) : [];
  const fields = r.boolean('hasFields') ? sections.byteStrings('fields', count) : [];
  const highlights = r.boolean('hasHighlights') ? sections.byteStrings('highlights', count) : [];
  const hasIgnored = r.boolean('hasIgnored');
  const ignored = hasIgnored ? sections.byteStrings('ignored', count) : [];
  const ignoredValues = hasIgnored ? sections.byteStrings('ignoredValues', count) : [];
  const matched = r.boolean('hasMatched') ? sections.byteStrings('matchedQueries', count) : [];
  const innerHits = r.boolean('hasInnerHits') ? sections.byteStrings('innerHits', count) : [];
  const hasExplanations = r.boolean('hasExplanations');
  const areMatches = hasExplanations ? sections.flags('areMatches', count) : null;
  const trees = hasExplanations ? sections.byteStrings('explanations', count) : [];
  const explanationAt = (at: number): HitExplanation | null => {
    const tree = trees[at] ?? null;
    return tree === null ? null : { isMatch: areMatches?.[at] === 1, tree };
  };
  return ids.map((id, at) =>
    found[at] === 1
      ? {
          id,
          routing: routings.get(at) ?? null,
          version: versions[at] ?? 0,
          seqNo: seqNos[at] ?? 0,
          primaryTerm: terms[at] ?? 0,
          source: sources[at] ?? null,
          storedApart: storedApart[at] ?? null,
          ignored: ignored[at] ?? null,
          fields: fields[at] ?? null,
          ignoredValues: ignoredValues[at] ?? null,
          highlight: highlights[at] ?? null,
          matchedQueries: matched[at] ?? null,
          innerHits: innerHits[at] ?? null,
          explanation: explanationAt(at),
        }
      : null,
  );
}

/** Reader of answers in which every document must be there. */
export function readPresentHits(r: ValueReader, sections: SectionReader): readonly FetchedHit[] {
  return readHits(r, sections).map((hit, at) => {
    if (hit === null) throw malformedSection('found', `has no document at ${at}`);
    return hit;
  });
}

/**
 * Live documents of the inputs of a merge in the order in which the merged segment has them, those together that follow each other
 * in their input too.
 */
import { assert } from '@shoal/core';
import type { DocMap, DocSources } from '../stored/doc-map.ts';

/** Documents of a run: what is copied of them takes a millisecond or less. */
const RUN_MAX = 16_384;

export interface DocRun {
  /** Number of the input. */
  readonly input: number;
  /** Documents from..to - 1 of the input. */
  readonly from: number;
  readonly to: number;
  /** Number of the first of them in the merged segment. */
  readonly number: number;
}

/** Each run is valid until the next one is asked for. */
export function* docRuns(docMaps: readonly DocMap[], sources: DocSources | null): Generator<DocRun, void> {
  if (sources !== null) yield* reorderedRuns(sources);
  else for (const [input, map] of docMaps.entries()) yield* runsOf(input, map);
}

function* runsOf(input: number, { length, base, numbers }: DocMap): Generator<DocRun, void> {
  const run = { input, from: 0, to: 0, number: base };
  for (let doc = 0; doc < length; ) {
    while (numbers !== null && doc < length && (numbers[doc] as number) < 0) doc++;
    if (doc === length) return;
    const end = Math.min(doc + RUN_MAX, length);
    run.from = doc;
    run.number = numbers === null ? base + doc : (numbers[doc] as number);
    if (numbers === null) doc = end;
    else while (doc < end && (numbers[doc] as number) >= 0) doc++;
    run.to = doc;
    yield run;
  }
}

function* reorderedRuns({ owners, docs }: DocSources): Generator<DocRun, void> {
  const run = { input: 0, from: 0, to: 0, number: 0 };
  for (let number = 0; number < docs.length; ) {
    const input = owners[number] as number;
    const from = docs[number] as number;
    run.input = input;
    run.from = from;
    run.number = number;
    const end = Math.min(number + RUN_MAX, docs.length);
    do number++;
    while (number < end && owners[number] === input && docs[number] === from + number - run.number);
    run.to = from + number - run.number;
    assert(run.to > from, `a run of documents ${from} to ${run.to}`);
    yield run;
  }
}

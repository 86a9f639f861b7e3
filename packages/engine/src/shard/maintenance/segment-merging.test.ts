import { createMemoryDisk, type Scheduler, ThreadTurns } from '@shoal/runtime';
import { parseMapping } from '@shoal/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DocumentParser } from '../../document/document-parser.ts';
import { isLive } from '../../format/flat-segment.ts';
import type { Searcher } from '../../format/reader/segment-reader.ts';
import { SegmentBuffer } from '../../write/buffer/segment-buffer.ts';
import { SegmentSet, SegmentState } from '../commit/segment-set.ts';
import { EAGER, mergeFilesOn } from './merge-files.test-support.ts';
import { SegmentMerging } from './segment-merging.ts';

const parser = new DocumentParser(parseMapping({ properties: { n: { type: 'long' } } }));

function addSegment(segments: SegmentSet, number: number): void {
  const buffer = new SegmentBuffer(() => {
    throw new Error('no text here');
  });
  for (let i = 0; i < 20; i++) {
    const source = Buffer.from(`{"n":${i}}`);
    const id = `${number}-${i}`;
    buffer.add(id, null, source, { version: 1, seqNo: 0, primaryTerm: 1 }, parser.parse(id, source).document);
  }
  segments.add(new SegmentState(buffer.seal(`_${number}`), null));
}

/** Ids that a search sees, or those that are live for the writer. */
const seen = (searcher: Searcher): string[] =>
  searcher.views
    .flatMap(({ segment, liveDocs }) =>
      Array.from({ length: segment.docCount }, (_, doc) =>
        liveDocs === null || isLive(liveDocs, doc) ? segment.id(doc) : '',
      ),
    )
    .filter((id) => id !== '')
    .sort();
const alive = (segments: SegmentSet): string[] =>
  segments.states
    .flatMap((state) =>
      Array.from({ length: state.segment.docCount }, (_, doc) => (state.isLive(doc) ? state.segment.id(doc) : '')),
    )
    .filter((id) => id !== '')
    .sort();

describe('a merge', () => {
  test('neither hides nor shows what deletes and refreshes during it did not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ segment: fc.nat(9), doc: fc.nat(19), publish: fc.boolean() }), { maxLength: 40 }),
        fc.boolean(),
        async (deletes, isPublished) => {
          const disk = createMemoryDisk();
          const segments = new SegmentSet();
          for (let i = 0; i < 10; i++) addSegment(segments, i);
          if (isPublished) segments.publish();
          const dead = new Set<string>();
          const shown = { ids: seen(segments.searcher) };
          const queue = [...deletes];
          let nowMs = 0;
          const next = (): void => {
            const step = queue.shift();
            if (step === undefined) return;
            const id = `${step.segment}-${step.doc}`;
            const found = segments.find(Buffer.from(id));
            expect(found === null).toBe(dead.has(id));
            found?.state.kill(found.doc);
            dead.add(id);
            if (step.publish) {
              segments.publish();
              shown.ids = alive(segments);
            }
          };
          const sched: Scheduler = {
            after: () => () => {},
            soon: (fn) => {
              next();
              void Promise.resolve().then(fn);
            },
          };
          const merging = new SegmentMerging({
            // Each look at the clock takes longer than a slice: the merge pauses after every step.
            runtime: { clock: { monotonicMs: () => (nowMs += 100), wallMs: () => 0 }, sched },
            turns: new ThreadTurns(sched),
            segments,
            takeName: () => '_merged',
            settings: () => EAGER,
            files: mergeFilesOn(disk, next),
          });
          await merging.run();
          expect(merging.stats().mergeTotal).toBeGreaterThan(0);
          expect(seen(segments.searcher)).toEqual(shown.ids);
          const all = Array.from({ length: 200 }, (_, i) => `${Math.floor(i / 20)}-${i % 20}`);
          expect(alive(segments)).toEqual(all.filter((id) => !dead.has(id)).sort());
        },
      ),
      { numRuns: 60 },
    );
  });
});

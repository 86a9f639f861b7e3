import { parseMapping } from '@shoal/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DocumentParser } from '../../document/document-parser.ts';
import { FlatSegment, isLive } from '../../format/flat-segment.ts';
import { StoredBytes } from '../../format/stored/stored-bytes.ts';
import { PLAIN_MEMORY, type SegmentMemory } from '../../memory/segment-memory.ts';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { mergeInMemory } from '../../write/merge/merge-in-memory.test-support.ts';
import { RecentWrites } from '../commit/recent-writes.ts';
import { SegmentSet, SegmentState } from '../commit/segment-set.ts';
import { LocalCheckpoint } from '../history/local-checkpoint.ts';
import { ShardWriter } from './shard-writer.ts';

const parser = new DocumentParser(
  parseMapping({ properties: { n: { type: 'long' }, parts: { type: 'nested', properties: { m: { type: 'long' } } } } }),
);

type Step =
  | { readonly kind: 'index'; readonly id: string; readonly nested: number }
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'seal' | 'merge' | 'reopen' | 'publish' };

/** Few, so that they come again, of all lengths, some of them a start of others. */
const id = fc.oneof(
  fc.constantFrom('a', 'ab', 'abcd', 'abcde', 'é', '😀', '\u{10ffff}', 'x'.repeat(512)),
  fc.nat(30).map((n) => `doc-${n}`),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('index' as const), id, nested: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), id }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'seal' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('merge' as const, 'reopen' as const, 'publish' as const) }),
  },
);

class Shard {
  readonly segments: SegmentSet;
  readonly writer: ShardWriter;
  private readonly memory: SegmentMemory;
  private nextSeqNo = 0;

  constructor(memory: SegmentMemory) {
    this.memory = memory;
    this.segments = new SegmentSet(memory);
    this.writer = new ShardWriter({
      clock: { monotonicMs: () => 0, wallMs: () => 0 },
      segments: this.segments,
      analyzers: () => expect.unreachable('no text here'),
      parser,
      codec: 'lz4',
      processed: new LocalCheckpoint(-1),
      nextSegment: 0,
      recentWrites: new RecentWrites(),
      record: () => {},
    });
  }

  run(step: Step): void {
    if (step.kind === 'index') this.index(step.id, step.nested);
    else if (step.kind === 'delete')
      this.writer.putDelete(this.operation('delete', step.id), this.writer.find(step.id));
    else if (step.kind === 'seal') this.writer.seal();
    else if (step.kind === 'merge') this.merge();
    else if (step.kind === 'reopen') this.reopen();
    else this.segments.publish();
  }

  private operation<Kind extends string>(kind: Kind, id: string) {
    return { kind, id, seqNo: this.nextSeqNo++, primaryTerm: 1, version: 1, origin: null } as const;
  }

  private index(id: string, nested: number): void {
    const source = Buffer.from(JSON.stringify({ n: 1, parts: Array.from({ length: nested }, (_, m) => ({ m })) }));
    const { document } = parser.parse(id, source);
    this.writer.put({ ...this.operation('index', id), routing: null, source }, document, this.writer.find(id));
  }

  private merge(): void {
    const { states } = this.segments;
    if (states.length === 0) return;
    const inputs = states.map(({ segment, live }) => ({ segment, live }));
    const merged = mergeInMemory(`_m${this.nextSeqNo}`, inputs, this.memory)?.segment ?? null;
    this.segments.replace(states, merged === null ? null : new SegmentState(merged, null));
  }

  /** Every segment from its bytes, as another process reads them. */
  private reopen(): void {
    for (const state of this.segments.states) {
      const { segment, live } = state;
      const documents = segment.stored.bytes;
      const stored = StoredBytes.ofMemory(`${segment.name}.docs`, documents.read(0, documents.length).slice());
      const options = { stored, isTrusted: false };
      const again = FlatSegment.open(segment.bytes.slice(), segment.name, this.memory, options);
      this.segments.replace([state], new SegmentState(again, live?.slice() ?? null));
    }
  }

  /** What `SegmentSet.find` answers, found by reading every document. */
  scan(id: string): { readonly segment: string; readonly doc: number } | null {
    for (const { segment, live, roots } of this.segments.states) {
      for (let doc = 0; doc < segment.docCount; doc++) {
        const isFound = (live === null || isLive(live, doc)) && (roots === null || isLive(roots, doc));
        if (isFound && segment.id(doc) === id) return { segment: segment.name, doc };
      }
    }
    return null;
  }

  find(id: string): { readonly segment: string; readonly doc: number } | null {
    const found = this.segments.find(Buffer.from(id));
    return found === null ? null : { segment: found.state.segment.name, doc: found.doc };
  }
}

describe.each([
  ['without kernels', PLAIN_MEMORY],
  ['with kernels', createSegmentMemory({ bytesMax: 2 ** 28 })],
])('a document is found by its id %s', (_name, memory) => {
  test('wherever it is, whatever was written, deleted, merged and opened again', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.array(id, { maxLength: 20 }), (steps, others) => {
        const shard = new Shard(memory);
        const written = new Set<string>();
        const expected = new Map<string, number>();
        steps.forEach((one) => {
          const seqNo = shard.writer.maxSeqNo + 1;
          shard.run(one);
          if (one.kind !== 'index' && one.kind !== 'delete') return;
          written.add(one.id);
          if (one.kind === 'index') expected.set(one.id, seqNo);
          else expected.delete(one.id);
        });
        for (const name of new Set([...written, ...others])) {
          const known = shard.writer.find(name);
          expect(known?.location == null ? null : known.seqNo, name).toBe(expected.get(name) ?? null);
          expect(shard.find(name), name).toEqual(shard.scan(name));
        }
        shard.writer.close();
        shard.segments.close();
      }),
      { numRuns: 150 },
    );
  });
});

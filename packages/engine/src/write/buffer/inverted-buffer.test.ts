import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PostingsShape } from '../../format/postings/written-postings.ts';
import { createIndexingMemory } from '../../memory/indexing-memory.ts';
import { writeInverted } from '../seal/write-inverted.ts';
import { type InvertedBuffer, PlainInvertedBuffer } from './inverted-buffer.ts';
import { KernelInvertedBuffer } from './kernel-inverted-buffer.ts';

const memory = createIndexingMemory();
const SHAPES: readonly PostingsShape[] = [
  { hasFreqs: true, hasPositions: true, hasPostings: true },
  { hasFreqs: true, hasPositions: false, hasPostings: true },
  { hasFreqs: false, hasPositions: false, hasPostings: true },
  { hasFreqs: false, hasPositions: false, hasPostings: false },
];

interface Step {
  readonly kind: 'text' | 'term' | 'again';
  readonly text: string;
  /** Documents further than the step before, and positions. */
  readonly docs: number;
  readonly gap: number;
}

const piece = fc.constantFrom(
  'Word',
  'a',
  '3.14',
  "it's",
  '_x',
  '___',
  'a:b',
  '1,2',
  ' ',
  '.',
  '"',
  '-',
  'longerword',
  '\0',
  'É',
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 30 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary-ascii', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('text', 'term', 'again'),
  text,
  docs: fc.constantFrom(0, 0, 1, 1, 7),
  gap: fc.constantFrom(0, 0, 1, 100),
});

/** Runs `steps`, and tells all that the buffer answered and holds at the end. */
function run(buffer: InvertedBuffer, steps: readonly Step[], maxTokenLength: number): unknown {
  const told: unknown[] = [];
  const known: number[] = [];
  let doc = 0;
  let position = 0;
  for (const { kind, text, docs, gap } of steps) {
    doc += docs;
    position = docs > 0 ? 0 : position + gap;
    if (kind === 'text') {
      const words = buffer.addAsciiText(doc, text, { maxTokenLength, lowercases: text.length % 2 === 0 }, position);
      told.push(words);
      position += Math.max(words, 0);
    } else if (kind === 'term' || known.length === 0) {
      told.push(buffer.lastDocOf(text));
      known.push(buffer.add(doc, text, position++));
      told.push(known.at(-1), buffer.lastDocOf(text));
    } else buffer.addKnown(doc, known[text.length % known.length] ?? 0, position++);
  }
  if (steps.length > 3 && known.length > 0) {
    buffer.add(doc, 'told', position);
    buffer.setLastDoc('told', -1);
    told.push(buffer.lastDocOf('told'));
  }
  const seal = finish(buffer, doc + 1);
  told.push(seal);
  buffer.release();
  return told;
}

function end<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function finish(buffer: InvertedBuffer, docCount: number): unknown {
  const seal = end(buffer.seal());
  const { terms, order, docStarts, docs, freqs, positionStarts, positions } = seal.field;
  return {
    terms: Array.from(order, (id) =>
      Buffer.from(terms.bytes.subarray(terms.start(id), terms.end(id))).toString('latin1'),
    ),
    numbers: [docStarts, docs, freqs, positionStarts, positions].map((list) => list && Array.from(list)),
    docCount: seal.docCount,
    ordinals: seal.ordinals(docCount),
    written: end(writeInverted(seal.field, null)).termCount,
  };
}

describe.runIf(memory !== null)('the kernels that invert', () => {
  test.each(['utf8', 'latin1'] as const)('find and keep what the plain form does, of %s', (encoding) => {
    if (memory === null) return;
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.constantFrom(...SHAPES),
        fc.constantFrom(255, 5, 1),
        (steps, shape, max) => {
          const before = memory.usedBytes;
          const kernel = run(new KernelInvertedBuffer(encoding, shape, memory), steps, max);
          expect(kernel).toEqual(run(new PlainInvertedBuffer(encoding, shape), steps, max));
          expect(memory.usedBytes - before).toBeLessThan(64 * 1024);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('put many terms in order, whatever they begin with and end in', () => {
    if (memory === null) return;
    const part = fc.constantFrom('', 'a', 'b', '\0', 'prefix-of-all-', '\u{1f600}', '\xff');
    const terms = fc.array(fc.tuple(part, part, part, fc.nat(3_000)), { minLength: 1, maxLength: 800, size: 'max' });
    fc.assert(
      fc.property(terms, (list) => {
        const shape = { hasFreqs: false, hasPositions: false, hasPostings: true };
        const kernel = new KernelInvertedBuffer('utf8', shape, memory);
        const plain = new PlainInvertedBuffer('utf8', shape);
        for (const [i, [a, b, c, number]] of list.entries()) {
          const term = `${a}${b}${number > 1_500 ? number : ''}${c}`;
          kernel.add(i, term, 0);
          plain.add(i, term, 0);
        }
        const order = (buffer: InvertedBuffer): number[] => [...end(buffer.seal()).field.order];
        expect(order(kernel)).toEqual(order(plain));
        kernel.release();
      }),
      { numRuns: 100 },
    );
  });

  test('give all memory back', () => {
    if (memory === null) return;
    const build = (isSealed: boolean): void => {
      const buffer = new KernelInvertedBuffer('utf8', SHAPES[0] as PostingsShape, memory);
      for (let doc = 0; doc < 2_000; doc++)
        buffer.addAsciiText(doc, `word${doc} and${doc % 7}`, { maxTokenLength: 255, lowercases: true }, 0);
      if (isSealed) finish(buffer, 2_000);
      buffer.release();
      buffer.release();
    };
    build(true);
    const { usedBytes } = memory;
    for (let i = 0; i < 5; i++) build(i % 2 === 0);
    expect(memory.usedBytes).toBe(usedBytes);
  });
});

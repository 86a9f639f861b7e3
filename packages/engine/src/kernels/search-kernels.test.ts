import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packBlock, sumDeltas, unpackBlock } from '../format/postings/packed-block.ts';
import { type Kernels, loadKernels } from './search-kernels.ts';

const loaded = loadKernels();
const BLOCK_BYTES = 512;

test('the committed kernels are those of their sources', () => {
  const script = fileURLToPath(new URL('../../../../scripts/make-kernels.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

test('every kernel that the engine names is there', () => {
  const names: readonly (keyof Kernels)[] = [
    'areaBytes',
    'termsMax',
    'clausesMax',
    'clearArea',
    'beginQuery',
    'beginSegment',
    'setSections',
    'setLongTerm',
    'setShortTerm',
    'setOneDocument',
    'setScoring',
    'makeColumn',
    'setColumn',
    'addTerm',
    'setPlace',
    'beginClauses',
    'setClause',
    'setClauseTerm',
    'rankTerm',
    'rankAccepted',
    'rankOr',
    'rankAnd',
    'rankAcceptedClauses',
    'rankClauses',
    'rankClausesByBlocks',
    'matchPhrase',
    'countWindows',
    'countCommon',
    'nextOfTerm',
    'nextOfAny',
    'nextOfAll',
    'narrowScores',
    'batchDocs',
    'batchScores',
    'hitsOf',
    'finishHits',
    'maxScoreOf',
    'unpackDocs',
    'unpackFreqs',
  ];
  for (const name of names) expect(typeof loaded?.kernels[name], name).toBe('function');
});

test('blocks of every width are unpacked as in plain form', () => {
  if (loaded === null) return;
  const { kernels, memory } = loaded;
  const source = 65_536;
  const into = source + BLOCK_BYTES;
  const block = fc.integer({ min: 0, max: 32 }).chain((bits) =>
    fc.record({
      bits: fc.constant(bits),
      values: fc.array(fc.integer({ min: 0, max: 2 ** bits - 1 }), { minLength: 128, maxLength: 128 }),
    }),
  );
  fc.assert(
    fc.property(block, fc.integer({ min: -1, max: 1_000_000 }), ({ bits, values }, base) => {
      const words = new Uint32Array(4 * bits);
      packBlock(Uint32Array.from(values), bits, words, 0);
      new Uint32Array(memory.buffer, source, words.length).set(words);
      const plain = new Uint32Array(128);
      unpackBlock(words, 0, bits, plain);
      kernels.unpackFreqs(bits, source, into);
      expect(new Uint32Array(memory.buffer, into, 128).slice()).toEqual(plain);
      sumDeltas(plain, base);
      kernels.unpackDocs(bits, source, into, base);
      expect(new Uint32Array(memory.buffer, into, 128).slice()).toEqual(plain);
    }),
    { numRuns: 500 },
  );
});

import { expect, test } from 'vitest';
import { createSegmentMemory } from '../memory/thread-memory.ts';
import type { PostingsKernels } from './postings-kernels.ts';

test('every kernel that writing postings names is there', () => {
  const { kernels } = createSegmentMemory({ bytesMax: 2 ** 20 });
  if (kernels === null) return;
  const names: Record<keyof PostingsKernels, true> = {
    batchJobBytes: true,
    mergeJobBytes: true,
    beginJob: true,
    setStream: true,
    setPending: true,
    streamLength: true,
    emptyStreams: true,
    wantedPositions: true,
    wantedTermBytes: true,
    termCountOf: true,
    termLengthOf: true,
    sumDocFreqOf: true,
    sumTotalFreqOf: true,
    normMinOf: true,
    normMaxOf: true,
    setBatch: true,
    encodeBatch: true,
    setMerge: true,
    setInputTerms: true,
    setInputSections: true,
    setInputMaps: true,
    beginMerge: true,
    mergeSome: true,
    starvedInput: true,
  };
  for (const name of Object.keys(names)) {
    expect(typeof Reflect.get(kernels.postings ?? {}, name), name).toBe('function');
  }
});

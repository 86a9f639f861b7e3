import { expect, test } from 'vitest';
import { PeerProgress } from './peer-progress.ts';

const recovering = (step: 'asking' | 'files' | 'operations') =>
  ({ phase: 'recovering', target: { step, startingSeqNo: null } }) as const;
const commit = [{ name: 'f', bytes: 30, chunks: 2, checksum: 'c' }];

test('a copy that gets files counts them as they come, and knows how many there are in the end', () => {
  let nowMs = 1_000;
  const progress = new PeerProgress(() => nowMs);
  expect(progress.view(recovering('asking')).stage).toBe('INIT');
  progress.bytesCame('f', 10);
  progress.bytesCame('f', 20);
  nowMs = 1_500;
  expect(progress.view(recovering('files'))).toMatchObject({
    stage: 'INDEX',
    stopMs: null,
    recovery: { fileCount: 0, copiedFileCount: 1, copiedFileBytes: 30, indexTimeMs: 500 },
  });
  progress.installed(commit);
  progress.applied(7);
  nowMs = 1_700;
  progress.ended();
  // What is written later is no recovery.
  progress.applied(3);
  nowMs = 9_000;
  expect(progress.view({ phase: 'replica', target: null })).toMatchObject({
    stage: 'DONE',
    stopMs: 1_700,
    recovery: { fileCount: 1, fileBytes: 30, indexTimeMs: 500, translogOperations: 7, translogTimeMs: 200 },
  });
});

test('a copy that gets operations alone has no stage of files', () => {
  const progress = new PeerProgress(() => 0);
  progress.applied(1);
  expect(progress.view(recovering('asking')).stage).toBe('TRANSLOG');
});

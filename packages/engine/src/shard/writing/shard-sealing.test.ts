import { createMemoryDisk, type Runtime } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { createTestRuntime, index, openTestShard, remove, sourceOf } from '../lifecycle/shard-fixture.test-support.ts';

const DOCS = 600;
const WORDS = Array.from({ length: 200 }, (_, i) => `word${i}`);

/** A loop whose turns can be watched, and a clock of which each look takes a millisecond. */
function busyRuntime(): { readonly runtime: Runtime; readonly onTurn: (watch: () => void) => void } {
  const plain = createTestRuntime(createMemoryDisk());
  let nowMs = 0;
  let watch = (): void => {};
  const runtime: Runtime = {
    ...plain,
    clock: { monotonicMs: () => nowMs++, wallMs: () => nowMs },
    sched: {
      after: () => () => {},
      soon: (fn) => {
        watch();
        plain.sched.soon(fn);
      },
    },
  };
  return {
    runtime,
    onTurn: (next) => {
      watch = next;
    },
  };
}

async function fullShard(runtime: Runtime) {
  const shard = await openTestShard(runtime);
  const title = (i: number): string => `${WORDS.slice(i % 50).join(' ')} own${i}`;
  await shard.write(Array.from({ length: DOCS }, (_, i) => index(String(i), { title: title(i), n: i })));
  return shard;
}

test('while a segment is finished others have their turns, and documents are read', async () => {
  const seen: (readonly [number, boolean, boolean])[] = [];
  const { runtime, onTurn } = busyRuntime();
  const shard = await fullShard(runtime);
  const last = String(DOCS - 1);
  onTurn(() => {
    const texts = [sourceOf(shard, '7') ?? '', sourceOf(shard, last) ?? ''];
    seen.push([shard.stats().docCount, texts[0]?.includes('own7') === true, texts[1]?.includes(`own${last}`) === true]);
  });
  await shard.refresh();
  onTurn(() => {});
  expect(seen.length).toBeGreaterThan(3);
  expect(seen).toEqual(seen.map(() => [0, true, true]));
  expect(shard.stats()).toMatchObject({ docCount: DOCS, segmentCount: 1 });
  await shard.close();
});

test('what is written meanwhile is neither lost nor seen too early, whoever asks for a refresh or a flush', async () => {
  const { runtime } = busyRuntime();
  const shard = await fullShard(runtime);
  const refreshed = shard.refresh();
  const written = shard.write([index('late', { n: 1 }), remove('3'), index('4', { n: 4_444 })]);
  const flushed = shard.flush(false);
  const again = shard.refresh();
  const { results } = await written;
  expect(results.map((result) => (result.kind === 'done' ? result.result : result.error.type))).toEqual([
    'created',
    'deleted',
    'updated',
  ]);
  await Promise.all([refreshed, flushed, again]);
  await shard.refresh();
  expect(shard.stats()).toMatchObject({ docCount: DOCS });
  expect([sourceOf(shard, '3', false), sourceOf(shard, '4', false)]).toEqual([null, '{"n":4444}']);
  await shard.close();
});

test('a shard that is closed meanwhile is closed at its end, and holds everything', async () => {
  const disk = createMemoryDisk();
  const { runtime } = busyRuntime();
  const shard = await fullShard({ ...runtime, disk });
  const refreshed = shard.refresh();
  await shard.close();
  await refreshed;
  const opened = await openTestShard({ ...runtime, disk }, { bootstrap: 'existing' });
  expect(opened.stats()).toMatchObject({ docCount: DOCS });
  await opened.close();
});

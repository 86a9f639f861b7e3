import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { SeatCells } from '../messages/seat-cells.ts';
import type { FromWorker } from '../messages/worker-messages.ts';
import { PipelineWorker } from './pipeline-worker.ts';
import { PluginTimeline } from './plugin-timeline.ts';

test('the seat of a worker is free when its answer comes: it can be revoked then', async () => {
  const cells = new SeatCells();
  const answered = new Promise<readonly [FromWorker['kind'], boolean]>((resolve) => {
    const worker = new PipelineWorker({
      post: ({ kind }) => resolve([kind, cells.revoke()]),
      runtime: createNodeRuntime({ log: createSilentLog() }),
      cells,
      thread: { threadId: null, timeline: new PluginTimeline(), heapNow: () => null },
      firstPlugin: 0,
    });
    worker.receive({ kind: 'stop' });
  });
  expect(await answered).toEqual(['stopped', true]);
});

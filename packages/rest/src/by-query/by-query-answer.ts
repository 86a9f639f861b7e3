/**
 * The answer to documents by query: the status of the task as it ended, and what failed.
 */
import { type ByQueryOutcome, renderByQueryStatus } from '@shoal/coordinator';
import { renderCause } from '@shoal/core';
import { durationText } from '../bodies/unit-text.ts';
import type { WorkAnswer } from '../tasks/detached-task.ts';

const OK = 200;
const REQUEST_TIMEOUT = 408;

export function byQueryAnswer(outcome: ByQueryOutcome): WorkAnswer {
  const { tookMs, timedOut, status, writeFailures, searchFailures } = outcome;
  const failures = [
    ...writeFailures.map(({ index, id, error }) => ({ index, id, cause: renderCause(error), status: error.status })),
    ...searchFailures.map(({ index, shard, nodeId, error }) => ({
      index: index ?? undefined,
      shard: shard ?? undefined,
      node: nodeId ?? undefined,
      status: error.status,
      reason: renderCause(error),
    })),
  ];
  const worst = failures.reduce((most, failure) => Math.max(most, failure.status), timedOut ? REQUEST_TIMEOUT : OK);
  return {
    status: worst,
    body: (isHuman) => ({
      took: tookMs,
      timed_out: timedOut,
      ...renderByQueryStatus(status, { showsAllCounts: false, durationText: isHuman ? shownDuration : null }),
      failures,
    }),
  };
}

function shownDuration(ms: number): string {
  return ms === 0 ? '0s' : durationText(ms);
}

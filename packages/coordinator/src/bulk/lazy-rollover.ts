/**
 * Rollovers that were put off until a stream is written to: the write that finds one does it first.
 */
import { planRollover, rollsOverBeforeWrite } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import { isShoalError, type ShoalError } from '@shoal/core';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import type { SelectedName } from '../indices/component-selector.ts';
import { resolveDateMathName } from '../indices/date-math-name.ts';

/** How long the state that another write brought about may take to come here. */
const OTHERS_MS = 1_000;
const NO_PARTS = { settings: {}, mappings: {}, aliases: {} } as const;

/** Nothing for streams that wait for no rollover. @returns why the stream could not be rolled over */
export async function rollOverBeforeWrite(
  context: CoordinatorContext,
  { name: target, component }: SelectedName,
  nowMs: number,
  timeoutMs: number,
): Promise<ShoalError | null> {
  const { cluster } = context;
  const isDone = ({ metadata }: ClusterState): boolean => {
    const stream = metadata.dataStreams.get(target);
    return stream === undefined || !rollsOverBeforeWrite(stream, component);
  };
  if (isDone(cluster.state())) return null;
  try {
    const resolveName = (name: string): string => resolveDateMathName(name, nowMs);
    const plan = planRollover(cluster.state(), { target, component, newIndex: null, nowMs, resolveName });
    await cluster.admin.rollover({
      ...{ target, component, source: plan.source?.name ?? null, newIndex: plan.newIndex },
      ...{ providedName: plan.providedName, ...NO_PARTS },
      ...{ waitForActiveShards: null, masterTimeoutMs: timeoutMs, timeoutMs },
    });
  } catch (error) {
    // Another write may have been first: then its index is as good.
    if (!isShoalError(error)) throw error;
    return (await cluster.waitForState(isDone, OTHERS_MS)) === null ? error : null;
  }
  // The manager applied it; this node may be a moment behind.
  await cluster.waitForState(isDone, timeoutMs);
  return null;
}

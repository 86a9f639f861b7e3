/**
 * Runs the filters of a pipeline over a batch: one filter after the other, all events of the batch through each.
 *
 * Order is kept: what a filter makes stands behind the event it was made of, and the two ways of an `if` join again in the order in
 * which they parted. Cancelled events keep their position, so that this stays simple, and no filter sees them.
 */
import type { Condition, PlannedFilter } from '@shoal/agent-config';
import type { LogEvent } from '@shoal/agent-event';
import type { Filter, FilterOutcome } from '@shoal/agent-plugin-kit';
import type { RunningStep } from './running-steps.ts';

/** A filter that runs, with its index among all filters and outputs of the pipeline. */
export interface RunningFilter {
  readonly plan: PlannedFilter;
  readonly filter: Filter;
  readonly index: number;
}

export type FilterStep = RunningStep<RunningFilter>;

export interface FilterFailure {
  readonly running: RunningFilter;
  /** The event in the state in which the filter left it. */
  readonly event: LogEvent;
  /** Copy from before the filter; null unless the listener wants originals. */
  readonly original: LogEvent | null;
  readonly error: unknown;
}

/** What the stage tells its worker. */
export interface StageListener {
  nowMs(): number;
  entering(pluginIndex: number): void;
  counted(
    pluginIndex: number,
    counts: { readonly in: number; readonly out: number; readonly durationMs: number },
  ): void;
  created(count: number): void;
  dropped(pluginId: string): void;
  /** `filterFailed` wants the event as it came to the filter: it is copied before every filter. */
  readonly wantsOriginals: boolean;
  /** A filter threw on this event, which goes on with a tag unless it is cancelled when the promise resolves. */
  filterFailed(failure: FilterFailure): Promise<void>;
  /** A condition or an output threw on this event. It is cancelled when the promise resolves. */
  failed(
    event: LogEvent,
    failure: { readonly pluginType: string; readonly pluginId: string; readonly error: unknown },
  ): Promise<void>;
}

export async function runFilters(
  steps: readonly FilterStep[],
  events: readonly LogEvent[],
  listener: StageListener,
): Promise<readonly LogEvent[]> {
  let current = events;
  for (const step of steps) {
    if (step.kind === 'plugin') current = await runFilter(step.running, current, listener);
    else current = await runBranch(step, current, listener);
  }
  return current;
}

/** Asks every filter for what it holds back; its events pass the filters behind it only. */
export async function flushFilters(
  steps: readonly FilterStep[],
  isFinal: boolean,
  listener: StageListener,
): Promise<readonly LogEvent[]> {
  let current: readonly LogEvent[] = [];
  for (const step of steps) {
    if (step.kind === 'branch') {
      const passed = current.length === 0 ? current : await runBranch(step, current, listener);
      const then = await flushFilters(step.whenTrue, isFinal, listener);
      const otherwise = await flushFilters(step.whenFalse, isFinal, listener);
      current = [...passed, ...then, ...otherwise];
      continue;
    }
    if (current.length > 0) current = await runFilter(step.running, current, listener);
    const { plan, filter } = step.running;
    const flushed = filter.flush?.({ isFinal }) ?? [];
    if (flushed.length === 0) continue;
    if (filter.decoratesNewEvents !== false) for (const event of flushed) plan.decorate?.(event);
    listener.created(flushed.length);
    listener.counted(step.running.index, { in: 0, out: flushed.length, durationMs: 0 });
    current = [...current, ...flushed];
  }
  return current;
}

/** Any filter that may hold events back. */
export function canFlush(steps: readonly FilterStep[]): boolean {
  return steps.some((step) =>
    step.kind === 'plugin'
      ? step.running.filter.flush !== undefined
      : canFlush(step.whenTrue) || canFlush(step.whenFalse),
  );
}

async function runFilter(
  running: RunningFilter,
  events: readonly LogEvent[],
  listener: StageListener,
): Promise<readonly LogEvent[]> {
  const { plan, filter, index } = running;
  const startMs = listener.nowMs();
  listener.entering(index);
  filter.beforeBatch?.(events);
  let inCount = 0;
  let droppedCount = 0;
  let createdCount = 0;
  let result: LogEvent[] | null = null;
  let emitted: LogEvent[] = [];
  const emit = (event: LogEvent): void => void emitted.push(event);
  let i = -1;
  for (const event of events) {
    i++;
    if (event.isCancelled) {
      result?.push(event);
      continue;
    }
    inCount++;
    const original = listener.wantsOriginals ? event.clone() : null;
    try {
      const outcome = filter.filter(event, emit);
      const settled: FilterOutcome = typeof outcome === 'string' ? outcome : await outcome;
      if (settled === 'matched' && plan.decorate !== null) {
        plan.decorate(event);
        if (filter.decoratesNewEvents !== false) for (const made of emitted) plan.decorate(made);
      }
      if (event.isCancelled) {
        droppedCount++;
        listener.dropped(plan.id);
      }
    } catch (error) {
      await listener.filterFailed({ running, event, original, error });
      if (event.isCancelled) droppedCount++;
    }
    if (emitted.length > 0) {
      createdCount += emitted.length;
      result ??= events.slice(0, i);
      result.push(event);
      // One by one: an event may have become more than a call has arguments.
      for (const made of emitted) result.push(made);
      emitted = [];
    } else {
      result?.push(event);
    }
  }
  if (createdCount > 0) listener.created(createdCount);
  const durationMs = listener.nowMs() - startMs;
  listener.counted(index, { in: inCount, out: inCount - droppedCount + createdCount, durationMs });
  return result ?? events;
}

async function runBranch(
  step: Extract<FilterStep, { readonly kind: 'branch' }>,
  events: readonly LogEvent[],
  listener: StageListener,
): Promise<readonly LogEvent[]> {
  const then: LogEvent[] = [];
  const otherwise: LogEvent[] = [];
  for (const event of events) {
    if (event.isCancelled) otherwise.push(event);
    else {
      const verdict = await decide(step.condition, event, listener);
      (verdict ? then : otherwise).push(event);
    }
  }
  const thenResult = then.length === 0 ? then : await runFilters(step.whenTrue, then, listener);
  const elseResult = otherwise.length === 0 ? otherwise : await runFilters(step.whenFalse, otherwise, listener);
  if (then.length === 0) return elseResult;
  if (otherwise.length === 0) return thenResult;
  if (thenResult.length === then.length && elseResult.length === otherwise.length) return events;
  return merged(events, [followersOf(then, thenResult), followersOf(otherwise, elseResult)]);
}

/** The verdict of a condition; an event on which it fails takes no further part. */
async function decide(condition: Condition, event: LogEvent, listener: StageListener): Promise<boolean> {
  try {
    return condition.test(event);
  } catch (error) {
    const { file, line, column } = condition.position;
    await listener.failed(event, { pluginType: 'if', pluginId: `if ${file}:${line}:${column}`, error });
    return false;
  }
}

/** For each event that entered a way, what was made behind it there. */
function followersOf(entered: readonly LogEvent[], left: readonly LogEvent[]): ReadonlyMap<LogEvent, LogEvent[]> {
  const originals = new Set(entered);
  const followers = new Map<LogEvent, LogEvent[]>();
  let own: LogEvent[] = [];
  for (const event of left) {
    if (originals.has(event)) {
      own = [];
      followers.set(event, own);
    } else own.push(event);
  }
  return followers;
}

function merged(
  events: readonly LogEvent[],
  ways: readonly ReadonlyMap<LogEvent, readonly LogEvent[]>[],
): readonly LogEvent[] {
  const result: LogEvent[] = [];
  for (const event of events) {
    result.push(event);
    for (const way of ways) for (const follower of way.get(event) ?? []) result.push(follower);
  }
  return result;
}

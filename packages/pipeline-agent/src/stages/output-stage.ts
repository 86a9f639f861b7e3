/**
 * Gives the events of batches to the outputs whose conditions hold: each output gets its events of a batch in one call, and those of
 * all batches when it joins batches.
 *
 * Outputs work side by side; the stage is over when all are. One that throws has given up the events of the call: they go to the dead
 * letter queue or are dropped and counted, and the others still get theirs.
 */
import type { PlannedOutput } from '@shoal/agent-config';
import type { LogEvent } from '@shoal/agent-event';
import type { Output } from '@shoal/agent-plugin-kit';
import type { StageListener } from './filter-stage.ts';
import type { RunningStep } from './running-steps.ts';

export interface RunningOutput {
  readonly plan: PlannedOutput;
  readonly output: Output;
  readonly index: number;
}

export type OutputStep = RunningStep<RunningOutput>;

/** Events are none that were cancelled; one whose condition throws is cancelled here, by `failed`. */
export async function runOutputs(
  steps: readonly OutputStep[],
  batches: readonly (readonly LogEvent[])[],
  listener: StageListener,
): Promise<void> {
  /** Events of each batch, by the output that gets them. */
  const deliveries = new Map<RunningOutput, (readonly LogEvent[])[]>();
  const deliver = (running: RunningOutput, events: readonly LogEvent[]): void => {
    const lists = deliveries.get(running);
    if (lists === undefined) deliveries.set(running, [events]);
    else lists.push(events);
  };
  for (const events of batches) await route(steps, events, { listener, deliver });
  await Promise.all([...deliveries].map(([running, lists]) => deliverAll(running, lists, listener)));
}

interface Routing {
  readonly listener: StageListener;
  readonly deliver: (running: RunningOutput, events: readonly LogEvent[]) => void;
}

async function route(steps: readonly OutputStep[], events: readonly LogEvent[], routing: Routing): Promise<void> {
  for (const step of steps) {
    const present = events.some((event) => event.isCancelled) ? events.filter((e) => !e.isCancelled) : events;
    if (present.length === 0) return;
    if (step.kind === 'plugin') {
      routing.deliver(step.running, present);
      continue;
    }
    const then: LogEvent[] = [];
    const otherwise: LogEvent[] = [];
    for (const event of present) {
      try {
        (step.condition.test(event) ? then : otherwise).push(event);
      } catch (error) {
        const { file, line, column } = step.condition.position;
        await routing.listener.failed(event, { pluginType: 'if', pluginId: `if ${file}:${line}:${column}`, error });
      }
    }
    await route(step.whenTrue, then, routing);
    await route(step.whenFalse, otherwise, routing);
  }
}

async function deliverAll(
  running: RunningOutput,
  lists: readonly (readonly LogEvent[])[],
  listener: StageListener,
): Promise<void> {
  const calls =
    running.plan.definition.joinsBatches === true && lists.length > 1 ? [([] as LogEvent[]).concat(...lists)] : lists;
  for (const events of calls) await deliver(running, events, listener);
}

async function deliver(running: RunningOutput, events: readonly LogEvent[], listener: StageListener): Promise<void> {
  const { plan, output, index } = running;
  const startMs = listener.nowMs();
  listener.entering(index);
  let outCount = events.length;
  try {
    await output.receive(events);
  } catch (error) {
    outCount = 0;
    for (const event of events) await listener.failed(event, { pluginType: plan.name, pluginId: plan.id, error });
  }
  listener.counted(index, { in: events.length, out: outCount, durationMs: listener.nowMs() - startMs });
}

/**
 * Gives the events of a batch to the outputs whose conditions hold, each output once with all of its events.
 *
 * Outputs work side by side; the stage is over when all are. One that throws has given up its events: they go to the dead
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
  events: readonly LogEvent[],
  listener: StageListener,
): Promise<void> {
  const deliveries: { readonly running: RunningOutput; readonly events: readonly LogEvent[] }[] = [];
  await route(steps, events, { listener, deliver: (running, list) => deliveries.push({ running, events: list }) });
  await Promise.all(deliveries.map((delivery) => deliver(delivery.running, delivery.events, listener)));
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

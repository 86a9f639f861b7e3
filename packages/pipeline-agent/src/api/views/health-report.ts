/**
 * `/_health_report`: one indicator a pipeline, and the worst of them over all. The words are those that tools look for.
 */
import type { InputTrouble } from '../../inputs/input-runner.ts';
import type { PipelineState } from '../../pipeline/pipeline.ts';
import type { View } from '../format/view.ts';
import type { FlowMetric } from '../stats/flow-windows.ts';

export type HealthStatus = 'green' | 'unknown' | 'yellow' | 'red';

/** Worst last. */
const BADNESS: readonly HealthStatus[] = ['green', 'unknown', 'yellow', 'red'];
const BUSY_PERCENT = 95;
/** Measured times never add up to the whole. */
const BLOCKED_PERCENT = 99.9;

export interface PipelineHealth {
  readonly id: string;
  /** A pipeline that could not be started is `terminated`. */
  readonly state: PipelineState;
  readonly utilization: FlowMetric;
  readonly inputCount: number;
  readonly inputTroubles: readonly InputTrouble[];
  /** Why the queue takes nothing although it has room by its settings; null while that is not so. */
  readonly queueTrouble: string | null;
}

/** One thing that is not as it should be. */
interface Finding {
  readonly status: HealthStatus;
  readonly symptom: string;
  readonly diagnosis: View;
  readonly impact: View;
}

export function healthStatus(pipelines: readonly PipelineHealth[]): HealthStatus {
  if (pipelines.length === 0) return 'unknown';
  return worst(pipelines.flatMap((pipeline) => findingsOf(pipeline).map(({ status }) => status)));
}

/** Whether the one is as good as the other, or better. */
export function isAtLeast(status: HealthStatus, wanted: HealthStatus): boolean {
  return BADNESS.indexOf(status) <= BADNESS.indexOf(wanted);
}

export function healthReport(pipelines: readonly PipelineHealth[]): View {
  const status = healthStatus(pipelines);
  const views = pipelines.map((pipeline) => [pipeline.id, indicator(pipeline)] as const);
  const concerning = pipelines.filter((pipeline) => findingsOf(pipeline).length > 0).map(({ id }) => `\`${id}\``);
  const symptom =
    concerning.length === 0
      ? `${pipelines.length} ${pipelines.length === 1 ? 'pipeline is' : 'pipelines are'} healthy`
      : `${counted(concerning.length)} concerning (${concerning.join(', ')})`;
  return {
    status,
    symptom: status === 'green' ? 'All indicators are healthy' : `${counted(1)} concerning (\`pipelines\`)`,
    indicators: { pipelines: { status, symptom, indicators: Object.fromEntries(views) } },
  };
}

function counted(count: number): string {
  return count === 1 ? '1 indicator is' : `${count} indicators are`;
}

function worst(all: readonly HealthStatus[]): HealthStatus {
  return BADNESS[Math.max(0, ...all.map((status) => BADNESS.indexOf(status)))] ?? 'unknown';
}

function indicator(pipeline: PipelineHealth): View {
  const findings = findingsOf(pipeline);
  const { last_1_minute, last_5_minutes } = pipeline.utilization;
  const utilization = {
    ...(last_1_minute === undefined ? {} : { last_1_minute }),
    ...(last_5_minutes === undefined ? {} : { last_5_minutes }),
  };
  const details = {
    status: { state: pipeline.state.toUpperCase() },
    flow: { worker_utilization: utilization },
  };
  if (findings.length === 0) return { status: 'green', symptom: 'The pipeline is healthy', details };
  return {
    status: worst(findings.map(({ status }) => status)),
    symptom: `The pipeline is concerning: ${findings.map(({ symptom }) => symptom).join('; ')}`,
    details,
    diagnosis: findings.map(({ diagnosis }) => diagnosis),
    impacts: findings.map(({ impact }) => impact),
  };
}

function findingsOf(pipeline: PipelineHealth): readonly Finding[] {
  const found = [
    stateFinding(pipeline.state),
    inputFinding(pipeline),
    queueFinding(pipeline),
    busyFinding(pipeline.utilization),
  ];
  return found.filter((finding) => finding !== null);
}

/** Red when no input runs: nothing comes in then. */
function inputFinding({ state, inputCount, inputTroubles }: PipelineHealth): Finding | null {
  if (state !== 'running' || inputTroubles.length === 0) return null;
  const downCount = inputTroubles.filter(({ isDown }) => isDown).length;
  const told = inputTroubles.map(({ name, id, reason }) => `${name} [${id}]: ${reason}`).join('; ');
  return {
    status: downCount === inputCount ? 'red' : 'yellow',
    symptom: downCount === 0 ? 'an input has difficulties' : `${downCount} of ${inputCount} inputs do not run`,
    diagnosis: diagnosis('inputs', downCount === 0 ? 'troubled' : 'failing', {
      cause: told,
      action: 'remove the cause; an input that failed is started again by itself after a pause of up to a minute',
    }),
    impact: impact('inputs:impact:not_reading', downCount === inputCount ? 1 : 2, 'events of these inputs do not come'),
  };
}

function stateFinding(state: PipelineState): Finding | null {
  switch (state) {
    case 'running':
      return null;
    case 'loading':
      return {
        status: 'yellow',
        symptom: 'it is being started',
        diagnosis: diagnosis('status', 'loading', {
          cause: 'the pipeline is being started',
          action: 'wait; when it takes long, the log says what it waits for',
        }),
        impact: impact('status:impact:loading', 1, 'the pipeline does not take events yet'),
      };
    case 'finished':
      return {
        status: 'yellow',
        symptom: 'it has finished',
        diagnosis: diagnosis('status', 'finished', {
          cause: 'all inputs of the pipeline have ended by themselves',
          action: 'nothing, if its inputs were meant to end; else look at what they read',
        }),
        impact: impact('status:impact:not_processing', 10, 'the pipeline takes no more events'),
      };
    case 'terminated':
      return {
        status: 'red',
        symptom: 'it does not run',
        diagnosis: diagnosis('status', 'terminated', {
          cause: 'the pipeline could not be started, or was given up after an error',
          action: 'look at `reloads.last_error` of its stats and at the log',
        }),
        impact: impact('status:impact:not_processing', 10, 'the pipeline takes no events'),
      };
  }
}

function queueFinding({ queueTrouble }: PipelineHealth): Finding | null {
  if (queueTrouble === null) return null;
  return {
    status: 'red',
    symptom: 'its queue cannot be written',
    diagnosis: diagnosis('queue', 'not-writable', {
      cause: queueTrouble,
      action: 'make room on the disk of `path.queue`: the queue goes on by itself',
    }),
    impact: impact('queue:impact:blocked_inputs', 1, 'the inputs wait, and so do those who send to them'),
  };
}

function busyFinding({ last_1_minute: minute, last_5_minutes: five }: FlowMetric): Finding | null {
  const isOver = (rate: FlowMetric[string] | undefined, percent: number): boolean =>
    rate === 'Infinity' || (typeof rate === 'number' && rate >= percent);
  const make = (status: HealthStatus, name: string, symptom: string): Finding => ({
    status,
    symptom,
    diagnosis: diagnosis('flow:worker_utilization', name, {
      cause: 'filters and outputs take as long as the workers have time',
      action: 'look at the hot threads and at the durations of the plugins; add workers if a processor is free',
    }),
    impact: impact(
      'flow:impact:blocked_processing',
      2,
      'events wait in the queue, and the inputs take them more slowly',
    ),
  });
  if (isOver(five, BLOCKED_PERCENT)) return make('red', '5m-blocked', 'its workers had no pause for five minutes');
  if (isOver(five, BUSY_PERCENT)) return make('yellow', '5m-nearly-blocked', 'its workers hardly had a pause');
  if (isOver(minute, BLOCKED_PERCENT)) return make('yellow', '1m-blocked', 'its workers had no pause for a minute');
  if (isOver(minute, BUSY_PERCENT)) return make('yellow', '1m-nearly-blocked', 'its workers hardly had a pause');
  return null;
}

function diagnosis(probe: string, name: string, texts: { readonly cause: string; readonly action: string }): View {
  return { id: `logstash:health:pipeline:${probe}:diagnosis:${name}`, ...texts };
}

function impact(name: string, severity: number, description: string): View {
  return { id: `logstash:health:pipeline:${name}`, severity, description, impact_areas: ['pipeline_execution'] };
}

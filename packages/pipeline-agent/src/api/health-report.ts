/**
 * `/_health_report`: one indicator a pipeline, and the worst of them over all.
 */
import type { PipelineState } from '../pipeline/pipeline.ts';
import type { FlowMetric } from './flow-history.ts';
import type { View } from './pipeline-view.ts';

export type HealthStatus = 'green' | 'unknown' | 'yellow' | 'red';

/** Worst last. */
const BADNESS: readonly HealthStatus[] = ['green', 'unknown', 'yellow', 'red'];
const STATES: Readonly<Record<PipelineState, readonly [HealthStatus, string]>> = {
  loading: ['yellow', 'The pipeline is being started'],
  running: ['green', 'The pipeline is running'],
  finished: ['yellow', 'The pipeline has finished: its inputs have ended'],
  terminated: ['red', 'The pipeline is not running, its configuration or its last error says why'],
};
const BUSY_PERCENT = 95;

export interface PipelineHealth {
  readonly id: string;
  readonly state: PipelineState;
  readonly utilization: FlowMetric;
}

export function healthStatus(pipelines: readonly PipelineHealth[]): HealthStatus {
  if (pipelines.length === 0) return 'unknown';
  return worst(pipelines.map((pipeline) => indicatorOf(pipeline).status));
}

export function healthReport(pipelines: readonly PipelineHealth[]): View {
  const status = healthStatus(pipelines);
  const indicators: Record<string, View> = {};
  let concerning = 0;
  for (const pipeline of pipelines) {
    const indicator = indicatorOf(pipeline);
    if (indicator.status !== 'green') concerning++;
    indicators[pipeline.id] = indicator.view;
  }
  const inner =
    concerning === 0
      ? `${pipelines.length} pipelines are healthy`
      : `${concerning} of ${pipelines.length} pipelines need attention`;
  return {
    status,
    symptom: status === 'green' ? 'All indicators are healthy' : '1 indicator is concerning (`pipelines`)',
    indicators: { pipelines: { status, symptom: inner, indicators } },
  };
}

function worst(all: readonly HealthStatus[]): HealthStatus {
  return BADNESS[Math.max(0, ...all.map((status) => BADNESS.indexOf(status)))] ?? 'unknown';
}

function indicatorOf(pipeline: PipelineHealth): { readonly status: HealthStatus; readonly view: View } {
  const [stateStatus, symptom] = STATES[pipeline.state];
  const { last_1_minute: minute, last_5_minutes: five } = pipeline.utilization;
  const flow = { worker_utilization: { last_1_minute: minute ?? null, last_5_minutes: five ?? null } };
  const isBlocked = typeof five === 'number' && five >= 100;
  const isBusy =
    (typeof minute === 'number' && minute >= BUSY_PERCENT) || (typeof five === 'number' && five >= BUSY_PERCENT);
  const status = worst([stateStatus, isBlocked ? 'red' : isBusy ? 'yellow' : 'green']);
  const view = {
    status,
    symptom: isBlocked || isBusy ? 'The workers of the pipeline are busy all the time' : symptom,
    details: { status: { state: pipeline.state.toUpperCase() }, flow },
    ...(isBlocked || isBusy ? busyWorkers(isBlocked) : {}),
  };
  return { status, view };
}

function busyWorkers(isBlocked: boolean): View {
  return {
    diagnosis: [
      {
        id: `logstash:health:pipeline:flow:worker_utilization:diagnosis:5m-${isBlocked ? 'blocked' : 'nearly-blocked'}`,
        cause: 'filters and outputs take as long as the workers have time',
        action: 'look at the hot threads and at the durations of the plugins; add workers if a processor is free',
      },
    ],
    impacts: [
      {
        id: 'logstash:health:pipeline:flow:impact:blocked_processing',
        severity: 2,
        description: 'events wait in the queue, and the inputs take them more slowly',
        impact_areas: ['pipeline_execution'],
      },
    ],
  };
}

/**
 * `/metrics`: the same counters in Prometheus' text format.
 */
import { Counter, Gauge, Registry } from 'prom-client';
import type { AgentCore } from '../../agent/agent.ts';
import type { ProcessNumbers } from '../stats/process-sampler.ts';

/** A registry of its own for each answer: counts are kept by the pipelines, not here. */
export async function prometheusText(
  core: AgentCore,
  numbers: ProcessNumbers,
): Promise<{ readonly text: string; readonly contentType: string }> {
  const registry = new Registry();
  pipelineMetrics(core, registry);
  pluginMetrics(core, registry);
  const gauge = (name: string, help: string, value: number): void =>
    new Gauge({ name, help, registers: [registry] }).set(value);
  gauge('shoal_agent_resident_memory_bytes', 'Resident memory of the process', numbers.residentBytes);
  gauge('shoal_agent_open_file_descriptors', 'Open file descriptors', numbers.openFiles);
  gauge('shoal_agent_threads', 'Threads of the process', numbers.threads);
  gauge('shoal_agent_uptime_seconds', 'Time since the process started', numbers.uptimeMs / 1_000);
  const cpu = { name: 'shoal_agent_cpu_seconds_total', help: 'Processor time of the process', registers: [registry] };
  new Counter(cpu).inc(numbers.cpuMillis / 1_000);
  return { text: await registry.metrics(), contentType: registry.contentType };
}

function pipelineMetrics(core: AgentCore, registry: Registry): void {
  const registers = [registry];
  const labelNames = ['pipeline'] as const;
  const events = new Counter({
    name: 'shoal_agent_events_total',
    help: 'Events by what became of them',
    labelNames: ['pipeline', 'stage'],
    registers,
  });
  const dropped = new Counter({
    name: 'shoal_agent_events_dropped_total',
    help: 'Events dropped, by plugin',
    labelNames: ['pipeline', 'plugin_id'],
    registers,
  });
  const flight = new Gauge({
    name: 'shoal_agent_events_in_flight',
    help: 'Events in queue and workers',
    labelNames,
    registers,
  });
  const bytes = new Gauge({
    name: 'shoal_agent_queue_bytes',
    help: 'Size of the persisted queue',
    labelNames,
    registers,
  });
  const balanced = new Gauge({
    name: 'shoal_agent_ledger_balanced',
    help: '1 while every event is accounted for',
    labelNames,
    registers,
  });
  const reloads = new Counter({
    name: 'shoal_agent_reloads_total',
    help: 'Reloads by result',
    labelNames: ['pipeline', 'result'],
    registers,
  });
  for (const { id: pipeline, pipeline: running, reloads: record } of core.pipelines) {
    const ledger = running.ledger();
    const stages = {
      in: ledger.in,
      created: ledger.created,
      carried_over: ledger.carriedOver,
      filtered: running.stats.filtered,
      out: ledger.out,
      dead_lettered: ledger.deadLettered,
    };
    for (const [stage, count] of Object.entries(stages)) events.inc({ pipeline, stage }, count);
    for (const [pluginId, count] of Object.entries(ledger.dropped))
      dropped.inc({ pipeline, plugin_id: pluginId }, count);
    flight.set({ pipeline }, ledger.inFlight);
    bytes.set({ pipeline }, running.queue?.sizes().bytes ?? 0);
    balanced.set({ pipeline }, ledger.isBalanced ? 1 : 0);
    reloads.inc({ pipeline, result: 'success' }, record.successes);
    reloads.inc({ pipeline, result: 'failure' }, record.failures);
  }
}

function pluginMetrics(core: AgentCore, registry: Registry): void {
  const labelNames = ['pipeline', 'kind', 'name', 'id', 'way'] as const;
  const events = new Counter({
    name: 'shoal_agent_plugin_events_total',
    help: 'Events into and out of a plugin',
    labelNames,
    registers: [registry],
  });
  const seconds = new Counter({
    name: 'shoal_agent_plugin_seconds_total',
    help: 'Time spent in a plugin',
    labelNames: ['pipeline', 'kind', 'name', 'id'],
    registers: [registry],
  });
  for (const { id: pipeline, pipeline: running } of core.pipelines) {
    const { inputs, filters, outputs } = running.stats;
    for (const { plan, in: inCount, out, durationMs } of [...inputs, ...filters, ...outputs]) {
      const labels = { pipeline, kind: plan.kind, name: plan.name, id: plan.id };
      events.inc({ ...labels, way: 'in' }, inCount);
      events.inc({ ...labels, way: 'out' }, out);
      if (plan.kind !== 'input') seconds.inc(labels, durationMs / 1_000);
    }
  }
}

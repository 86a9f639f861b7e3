/**
 * Facts about the node and its process, in the words of the monitoring API.
 */
import { API_VERSION } from '@shoal/core';
import type { AgentCore, RunningPipeline } from '../../agent/agent.ts';
import * as all from '../../settings/agent-settings.ts';
import type { View } from '../format/view.ts';
import type { ProcessNumbers } from '../stats/process-sampler.ts';
import { pipelineGraph } from './pipeline-graph.ts';

const NANOS_PER_MILLI = 1_000_000;
/** How the JVM spells processors; tools know these words. */
const ARCHITECTURES: ReadonlyMap<string, string> = new Map([
  ['x64', 'amd64'],
  ['arm64', 'aarch64'],
]);
const SYSTEMS: ReadonlyMap<string, string> = new Map([
  ['linux', 'Linux'],
  ['darwin', 'Mac OS X'],
  ['win32', 'Windows'],
]);

/** `main`, or the first; null while there is none. */
export function mainPipeline(core: AgentCore): RunningPipeline | null {
  return core.pipelines.find(({ id }) => id === 'main') ?? core.pipelines[0] ?? null;
}

/** What stands in front of every answer about the whole node. */
export function envelope(core: AgentCore, options: { readonly httpAddress: string; readonly status: string }): View {
  return {
    host: core.hostName,
    version: API_VERSION.number,
    http_address: options.httpAddress,
    id: core.id,
    name: core.name,
    ephemeral_id: core.ephemeralId,
    snapshot: false,
    status: options.status,
    pipeline: pipelineNumbers(core),
    ...monitoringView(core),
  };
}

function monitoringView(core: AgentCore): View {
  const clusterUuid = core.settings.get(all.CLUSTER_UUID);
  return clusterUuid === '' ? {} : { monitoring: { cluster_uuid: clusterUuid } };
}

function pipelineNumbers(core: AgentCore): View {
  const settings = mainPipeline(core)?.pipeline.source.settings;
  return {
    workers: mainPipeline(core)?.pipeline.workerCountMax ?? core.runtime.machine.cpuCount,
    batch_size: settings?.batchSize ?? core.settings.get(all.BATCH_SIZE),
    batch_delay: settings?.batchDelayMs ?? core.settings.get(all.BATCH_DELAY),
  };
}

export function pipelineInfo(core: AgentCore): View {
  const intervalMs = core.settings.get(all.RELOAD_INTERVAL);
  return {
    ...pipelineNumbers(core),
    config_reload_automatic: core.settings.get(all.RELOAD_AUTOMATIC),
    config_reload_interval: Math.round(intervalMs / 1_000),
  };
}

export function pipelinesInfo(
  core: AgentCore,
  options: { readonly hasGraph: boolean; readonly id: string | null },
): View {
  const entries = core.pipelines
    .filter(({ id }) => options.id === null || options.id === id)
    .map(({ id, pipeline }) => {
      const { settings } = pipeline.source;
      const info = {
        ephemeral_id: pipeline.ephemeralId,
        hash: pipeline.hash,
        workers: pipeline.workerCountMax,
        batch_size: settings.batchSize,
        batch_delay: settings.batchDelayMs,
        config_reload_automatic: core.settings.get(all.RELOAD_AUTOMATIC),
        config_reload_interval: core.settings.get(all.RELOAD_INTERVAL) * NANOS_PER_MILLI,
        dead_letter_queue_enabled: settings.hasDeadLetters,
        ...(settings.hasDeadLetters ? { dead_letter_queue_path: `${settings.deadLetterPath}/${id}` } : {}),
        ...(options.hasGraph ? { graph: pipelineGraph(pipeline) } : {}),
      };
      return [id, info] as const;
    });
  return Object.fromEntries(entries);
}

export async function osInfo(core: AgentCore): Promise<View> {
  return {
    name: SYSTEMS.get(process.platform) ?? process.platform,
    arch: ARCHITECTURES.get(process.arch) ?? process.arch,
    version: await kernelVersion(core),
    available_processors: core.runtime.machine.cpuCount,
  };
}

async function kernelVersion(core: AgentCore): Promise<string> {
  try {
    return new TextDecoder().decode(await core.runtime.disk.readFile('/proc/sys/kernel/osrelease')).trim();
  } catch {
    return 'unknown'; // No /proc on this system.
  }
}

export function processView(numbers: ProcessNumbers): View {
  const [one, five, fifteen] = numbers.loadAverage;
  return {
    open_file_descriptors: numbers.openFiles,
    peak_open_file_descriptors: numbers.openFilesPeak,
    // Tools know -1 as "the system does not say".
    max_file_descriptors: numbers.maxFiles === 0 ? -1 : numbers.maxFiles,
    mem: { total_virtual_in_bytes: numbers.virtualBytes },
    cpu: {
      total_in_millis: numbers.cpuMillis,
      percent: numbers.cpuPercent,
      load_average: { '1m': one, '5m': five, '15m': fifteen },
    },
  };
}

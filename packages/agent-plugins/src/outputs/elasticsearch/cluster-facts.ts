/**
 * What an output has to know about its cluster before it sets anything up: its version, and whether indices have policies.
 */
import { isShoalError, parseJson, ShoalError } from '@shoal/core';
import type { ElasticsearchHosts } from '../../elasticsearch-client/elasticsearch-hosts.ts';
import type { SetupSettings } from './cluster-setup.ts';

/** Taken for a cluster that does not say. */
const MAJOR_UNKNOWN = 8;
const COMPOSABLE_SINCE = 8;

/**
 * Whether the cluster takes templates made of parts: Elasticsearch 8, and products that count their versions otherwise.
 *
 * @throws ShoalError when the output is stopped before the cluster answers
 */
export async function hasComposableTemplates(hosts: ElasticsearchHosts, settings: SetupSettings): Promise<boolean> {
  const version = record(record(await askUntilAnswered(hosts, '/', settings)).version);
  if (version.distribution !== undefined) return true;
  const major = Number.parseInt(String(version.number ?? ''), 10);
  return (Number.isNaN(major) ? MAJOR_UNKNOWN : major) >= COMPOSABLE_SINCE;
}

/** Why the cluster has no policies for the life of indices; null when it has. */
export async function lifecycleObstacle(hosts: ElasticsearchHosts, settings: SetupSettings): Promise<string | null> {
  const features = record(record(await askUntilAnswered(hosts, '/_xpack', settings)).features);
  const { ilm } = features;
  if (ilm === undefined) return 'not installed';
  const { available, enabled } = record(ilm);
  if (available !== true) return 'not available';
  return enabled === true ? null : 'not enabled';
}

/** The answer as JSON; null for one that is none, and for a request that the cluster refuses. */
async function askUntilAnswered(hosts: ElasticsearchHosts, path: string, settings: SetupSettings): Promise<unknown> {
  const { control, log, timeoutMs } = settings;
  let pauseMs = settings.retryFirstMs;
  for (;;) {
    try {
      const answer = await hosts.call({ method: 'GET', path, timeoutMs });
      if (answer.status === 200) return parsed(answer.body);
      if (answer.status < 500 && answer.status !== 429) return null;
      log.warn('a cluster does not say what it is yet', { path, status: answer.status });
    } catch (error) {
      log.warn('a cluster does not answer yet', { path, error: String(error) });
    }
    if (control.isStopped)
      throw new ShoalError('illegal_argument_exception', 400, 'the output was stopped before its cluster answered');
    await control.pause(pauseMs);
    pauseMs = Math.min(pauseMs * 2, settings.retryMaxMs);
  }
}

function parsed(body: Uint8Array): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    // A proxy that answers in its own words says nothing about the cluster behind it.
    if (isShoalError(error)) return null;
    throw error;
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/**
 * The uuid of the cluster behind an output, for monitoring: tools put a pipeline under the cluster that its outputs name.
 *
 * Asked for behind the first events: none of them waits for a name.
 */
import type { LoopControl, PluginMetrics } from '@shoal/agent-plugin-kit';
import { parseJson } from '@shoal/core';
import type { Log } from '@shoal/runtime';
import type { ElasticsearchHosts } from '../../elasticsearch-client/elasticsearch-hosts.ts';

/** A longer one is no uuid. */
const UUID_CHARS_MAX = 128;
const FIRST_MS = 5_000;
const RETRY_MS = 60_000;

export interface UuidSettings {
  readonly timeoutMs: number;
  readonly control: LoopControl;
  readonly metrics: PluginMetrics;
  readonly log: Log;
}

/** Sets the gauge `cluster_uuid` once the cluster tells it, or ends with the output. Never rejects. */
export async function tellClusterUuid(hosts: ElasticsearchHosts, settings: UuidSettings): Promise<void> {
  const { control, metrics, log, timeoutMs } = settings;
  for (let pauseMs = FIRST_MS; ; pauseMs = RETRY_MS) {
    await control.pause(pauseMs);
    if (control.isStopped) return;
    try {
      const { status, body } = await hosts.call({ method: 'GET', path: '/', timeoutMs });
      const uuid = status === 200 ? uuidIn(body) : null;
      if (uuid === null) continue;
      metrics.gauge('cluster_uuid', uuid);
      return;
    } catch (error) {
      log.debug('a cluster does not tell its uuid', { error: String(error) });
    }
  }
}

/** null for an answer that names none. */
function uuidIn(body: Uint8Array): string | null {
  const answer: unknown = parseJson(Buffer.from(body).toString('utf8'));
  const uuid: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'cluster_uuid') : null;
  return typeof uuid === 'string' && uuid.length <= UUID_CHARS_MAX ? uuid : null;
}

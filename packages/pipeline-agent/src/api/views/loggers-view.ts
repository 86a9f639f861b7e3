/**
 * `/_node/logging`: who writes to the log, under the names that Logstash has for them, and from which level on.
 *
 * There is one level for the whole process; it is set at the start.
 */
import type { AgentCore } from '../../agent/agent.ts';
import type { View } from '../format/view.ts';

const LEVELS: ReadonlyMap<string, string> = new Map([
  ['debug', 'DEBUG'],
  ['info', 'INFO'],
  ['warn', 'WARN'],
  ['error', 'ERROR'],
  ['silent', 'OFF'],
]);

export function loggersView(core: AgentCore): View {
  const level = LEVELS.get(core.runtime.log.level ?? 'info') ?? 'INFO';
  const names = new Set(['root', 'logstash.agent', 'logstash.api']);
  for (const { pipeline } of core.pipelines) {
    names.add('logstash.pipeline');
    const { inputs, filters, outputs } = pipeline.stats;
    for (const { plan } of [...inputs, ...filters, ...outputs]) names.add(`logstash.${plan.kind}s.${plan.name}`);
  }
  return Object.fromEntries([...names].sort().map((name) => [name, level]));
}

/**
 * Settings that Logstash has and that have nothing to do here: a file written for Logstash starts, with a line for each.
 */
import { type SettingDefinition, type Settings, textSetting } from '@shoal/core';

/** Why each of them does nothing. */
const PIPELINE_REASONS: Readonly<Record<string, string>> = {
  'pipeline.recoverable': 'a pipeline that cannot start is tried again when its configuration changes',
  'pipeline.separate_logs': 'every line of the log names its pipeline',
  'queue.checkpoint.retry': 'a queue that cannot be written ends its pipeline, and a full disk is waited for',
};
const AGENT_REASONS: Readonly<Record<string, string>> = {
  allow_superuser: 'whoever may start the agent may run it',
  'api.environment': 'the monitoring API has one way to run',
  'config.debug': 'an error in a configuration shows its line; log.level: debug says more',
  'metric.collect': 'metrics are always collected; enable_metric switches them off for a plugin',
  'slowlog.threshold.*': 'durations of plugins are in the monitoring API',
  'xpack.*': 'monitoring is asked for at the monitoring API; there is no central management',
};

export const UNUSED_PIPELINE_SETTINGS: readonly SettingDefinition<unknown>[] = Object.keys(PIPELINE_REASONS).map(
  (name) => textSetting(name, ''),
);
export const UNUSED_AGENT_SETTINGS: readonly SettingDefinition<unknown>[] = Object.keys(AGENT_REASONS).map((name) =>
  textSetting(name, ''),
);

/** Those that are set, with the reason why they do nothing. */
export function unusedSettings(settings: Settings): readonly (readonly [name: string, reason: string])[] {
  const reasons = Object.entries({ ...PIPELINE_REASONS, ...AGENT_REASONS });
  return Object.keys(settings.toFlat()).flatMap((name) => {
    const found = reasons.find(
      ([known]) => known === name || (known.endsWith('*') && name.startsWith(known.slice(0, -1))),
    );
    return found === undefined ? [] : [[name, found[1]] as const];
  });
}

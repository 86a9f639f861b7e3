/**
 * The logstash input: events of the logstash output of another agent, or of Logstash, as they were there.
 */
import type { PluginDefinition } from '@shoal/agent-plugin-kit';
import { forwardedEventsInput, forwardedOptions } from '../../http-receiver/forwarded-events.ts';

export const logstashInput: PluginDefinition = {
  kind: 'input',
  name: 'logstash',
  version: '1.0.4',
  options: { ...forwardedOptions, username: { type: 'string' }, password: { type: 'password' } },
  create: (options, context) =>
    forwardedEventsInput(
      {
        userOption: 'username',
        passwordOption: 'password',
        responseHeaders: new Map([['Accept', 'application/x-ndjson']]),
      },
      options,
      context,
    ),
};

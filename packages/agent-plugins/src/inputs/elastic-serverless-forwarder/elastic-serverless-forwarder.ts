/**
 * The elastic_serverless_forwarder input: events of Elastic's forwarder in the functions of a cloud.
 */
import type { PluginDefinition } from '@shoal/agent-plugin-kit';
import { forwardedEventsInput, forwardedOptions } from '../../http-receiver/forwarded-events.ts';

export const elasticServerlessForwarderInput: PluginDefinition = {
  kind: 'input',
  name: 'elastic_serverless_forwarder',
  version: '2.0.0',
  options: {
    ...forwardedOptions,
    auth_basic_username: { type: 'string' },
    auth_basic_password: { type: 'password' },
    /** Clients are never asked for their name, so that there is but one way to verify them. */
    ssl_verification_mode: { type: ['certificate'] },
  },
  create: (options, context) =>
    forwardedEventsInput(
      {
        userOption: 'auth_basic_username',
        passwordOption: 'auth_basic_password',
        responseHeaders: new Map([['Content-Type', 'text/plain']]),
      },
      options,
      context,
    ),
};

/**
 * Receives events as another shipper had them, over HTTP: lines of JSON, to which nothing of the request is added.
 */
import {
  basicAuthorization,
  type Input,
  type OptionDeclarations,
  optionError,
  type PluginContext,
  type PluginOptions,
  serverTls,
  serverTlsOptions,
} from '@shoal/agent-plugin-kit';
import { assert } from '@shoal/core';
import { jsonLinesCodec } from '../codecs/json-lines/json-lines.ts';
import { defaultOptions } from './default-options.ts';
import { HttpReceiver } from './http-receiver.ts';

const CONTENT_BYTES_MAX = 100 * 1024 * 1024;
const PENDING_REQUESTS_MAX = 200;

/** TLS is on unless it is turned off: what is forwarded should not go in the clear because a line was forgotten. */
export const forwardedOptions: OptionDeclarations = {
  host: { type: 'string', default: '0.0.0.0' },
  port: { type: 'number', isRequired: true },
  ...serverTls,
  ssl_enabled: { type: 'boolean', default: true },
  /** Milliseconds. */
  ssl_handshake_timeout: { type: 'number', default: 10_000 },
};

export interface ForwardedEvents {
  /** Names of the options with the user and the password that senders must give. */
  readonly userOption: string;
  readonly passwordOption: string;
  readonly responseHeaders: ReadonlyMap<string, string>;
}

/** @throws ShoalError for options that do not go together */
export function forwardedEventsInput(
  { userOption, passwordOption, responseHeaders }: ForwardedEvents,
  options: PluginOptions,
  context: PluginContext,
): Input {
  if (options.has(userOption) !== options.has(passwordOption))
    throw optionError(`[${userOption}] and [${passwordOption}] need each other`);
  const isAnybody = !options.has(userOption);
  const unused = Object.keys(forwardedOptions).filter((name) => UNUSED_WITHOUT_TLS.test(name) && options.has(name));
  if (!options.boolean('ssl_enabled') && unused.length > 0)
    throw optionError(`[${unused.join('], [')}] cannot be given with [ssl_enabled => false]`);
  assert(jsonLinesCodec.kind === 'codec', 'json_lines is a codec');
  return new HttpReceiver(
    {
      host: options.string('host'),
      port: options.number('port'),
      tls: () => tlsOf(options),
      authorization: isAnybody ? null : basicAuthorization(options.string(userOption), options.string(passwordOption)),
      codec: jsonLinesCodec.create(defaultOptions(jsonLinesCodec), { ...context, ecs: 'disabled' }),
      codecs: new Map(),
      responseStatus: 200,
      responseHeaders,
      contentBytesMax: CONTENT_BYTES_MAX,
      pendingRequestsMax: PENDING_REQUESTS_MAX,
      decorator: () => () => {},
    },
    context,
  );
}

/** Options that say how TLS is spoken; the time of a handshake has a default, and so is always given. */
const UNUSED_WITHOUT_TLS = /^ssl_(?!enabled$|handshake_timeout$)/;

function tlsOf(options: PluginOptions): ReturnType<typeof serverTlsOptions> {
  const tls = serverTlsOptions(options);
  return tls === null ? null : { ...tls, handshakeTimeout: options.number('ssl_handshake_timeout') };
}

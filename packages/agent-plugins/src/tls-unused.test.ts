import type { PluginDefinition } from '@shoal/agent-plugin-kit';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { beatsInput } from './inputs/beats/beats.ts';
import { httpInput } from './inputs/http/http.ts';
import { tcpInput } from './inputs/tcp/tcp.ts';
import { tcpOutput } from './outputs/tcp/tcp.ts';
import { makeInput, makeOutput, type OptionsLiteral, testContext } from './plugin-instance.test-support.ts';
import { pemFile } from './tls-plugin.test-support.ts';

/** Options that the warnings of a plugin name when it is made. */
function warnedOptions(definition: PluginDefinition, literal: OptionsLiteral): readonly unknown[] {
  const warned: unknown[] = [];
  const log = {
    ...createSilentLog(),
    warn: (message: string, fields: { readonly options?: unknown } = {}) => {
      if (message.includes('TLS')) warned.push(fields.options);
    },
  };
  const context = testContext({ runtime: createNodeRuntime({ log }) });
  const options = { host: '127.0.0.1', port: 0, ...literal };
  if (definition.kind === 'output') makeOutput(definition, options, context);
  else makeInput(definition, options, context);
  return warned;
}

const pem = { ssl_certificate: pemFile('client.pem'), ssl_key: pemFile('client.key') };
const plugins: readonly (readonly [string, PluginDefinition, OptionsLiteral])[] = [
  ['the tcp input', tcpInput, {}],
  ['the tcp input as a client', tcpInput, { mode: 'client' }],
  ['the http input', httpInput, {}],
  ['the beats input', beatsInput, {}],
  ['the tcp output', tcpOutput, {}],
  ['the tcp output as a server', tcpOutput, { mode: 'server' }],
];

describe.each(plugins)('%s', (_name, definition, mode) => {
  test('warns of options of TLS where the switch is missing or off', () => {
    const names = ['ssl_certificate, ssl_key'];
    expect(warnedOptions(definition, { ...mode, ...pem })).toEqual(names);
    expect(warnedOptions(definition, { ...mode, ...pem, ssl_enabled: false })).toEqual(names);
    expect(warnedOptions(definition, { ...mode, keystore: pemFile('client.pem') })).toEqual(['keystore']);
  });
  test('is silent without them, and with the switch under either name', () => {
    expect(warnedOptions(definition, mode)).toEqual([]);
    expect(warnedOptions(definition, { ...mode, ssl_enabled: false })).toEqual([]);
    const none = {
      ...pem,
      ...(definition === tcpInput && mode.mode !== 'client' ? { ssl_client_authentication: 'none' } : {}),
    };
    expect(warnedOptions(definition, { ...mode, ...none, ssl_enabled: true })).toEqual([]);
    expect(warnedOptions(definition, { ...mode, ...none, ssl_enable: true })).toEqual([]);
  });
});

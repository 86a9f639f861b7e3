/**
 * Options of TLS on a plugin that is not to speak TLS: a forgotten switch must not let a port go in the clear unnoticed.
 */
import type { PluginContext, PluginOptions } from '../contract/plugin-definition.ts';
import { clientTls, isTlsEnabled, serverTls } from './tls-options.ts';

/** Names of the switch itself, which say nothing about how TLS is spoken. */
const SWITCHES: ReadonlySet<string> = new Set(['ssl_enabled', 'ssl', 'ssl_enable']);
const SETTINGS: readonly string[] = Object.keys({ ...clientTls, ...serverTls }).filter((name) => !SWITCHES.has(name));

/** Logs a warning that names the options of TLS without effect; nothing when TLS is on or none is given. */
export function warnOfUnusedTls(options: PluginOptions, context: Pick<PluginContext, 'runtime' | 'position'>): void {
  if (isTlsEnabled(options)) return;
  const unused = SETTINGS.filter((name) => options.has(name));
  if (unused.length === 0) return;
  const { runtime, position } = context;
  runtime.log.warn('options of TLS have no effect without [ssl_enabled => true]: connections are not encrypted', {
    position,
    options: unused.join(', '),
  });
}

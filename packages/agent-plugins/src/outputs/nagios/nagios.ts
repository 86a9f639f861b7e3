/**
 * The nagios output: results of passive checks into the command file of Nagios or Icinga, which is a pipe that it reads. What
 * cannot be written there is dropped and counted: a result of a check is of no use later.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { EventValue, LogEvent } from '@shoal/agent-event';
import {
  type Output,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  rubyText,
} from '@shoal/agent-plugin-kit';

const LEVELS: ReadonlyMap<string, string> = new Map([
  ['ok', '0'],
  ['warning', '1'],
  ['critical', '2'],
  ['unknown', '3'],
]);
/** Never waits for somebody to read, and makes no file. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK;

export const nagiosOutput: PluginDefinition = {
  kind: 'output',
  name: 'nagios',
  version: '3.0.6',
  options: {
    commandfile: { type: 'string', default: '/var/lib/nagios3/rw/nagios.cmd' },
    nagios_level: { type: ['0', '1', '2', '3'], default: '2' },
  },
  create: (options, context) => new NagiosOutput(options, context),
};

class NagiosOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    const commands = events.flatMap((event) => this.command(event) ?? []);
    if (commands.length === 0) return;
    try {
      const file = await open(this.options.string('commandfile'), FLAGS);
      try {
        // A pipe takes a short line whole or not at all.
        for (const command of commands) await file.write(`${command}\n`);
      } finally {
        await file.close();
      }
    } catch (error) {
      this.drop(commands.length, String(error));
    }
  }

  /** null for an event that names no host or service. */
  private command(event: LogEvent): string | null {
    const host = event.fields.get('nagios_host');
    const service = event.fields.get('nagios_service');
    if (isMissing(host) || isMissing(service)) {
      this.drop(1, '[nagios_host] or [nagios_service] is missing');
      return null;
    }
    const second = Math.floor(this.context.runtime.clock.wallMs() / 1000);
    const annotation = event.fields.get('nagios_annotation');
    const message = event.fields.get('message');
    const text = `${isMissing(annotation) ? '' : `${oneLine(annotation)}: `}${isMissing(message) ? '<no message>' : oneLine(message)}`;
    return `[${second}] PROCESS_SERVICE_CHECK_RESULT;${part(host)};${part(service)};${this.level(event)};${text}`;
  }

  private level(event: LogEvent): string {
    const own = event.fields.get('nagios_level');
    if (isMissing(own)) return this.options.string('nagios_level');
    const first = Array.isArray(own) ? (own[0] ?? null) : own;
    const level = LEVELS.get(rubyText(first).toLowerCase());
    if (level === undefined)
      this.context.runtime.log.warn('[nagios_level] of an event is none', { level: rubyText(first) });
    return level ?? this.options.string('nagios_level');
  }

  private drop(count: number, reason: string): void {
    this.context.metrics.increment('dropped', count);
    this.context.runtime.log.warn('results of checks are dropped', { plugin: this.context.pluginId, count, reason });
  }
}

function isMissing(value: EventValue | undefined): value is null | undefined {
  return value === undefined || value === null || value === false;
}

/** A line break would begin another command. */
function oneLine(value: EventValue): string {
  return rubyText(value).replaceAll('\n', '\\n');
}

/** A semicolon would begin the next part. */
function part(value: EventValue): string {
  return oneLine(value).replaceAll(';', '_');
}

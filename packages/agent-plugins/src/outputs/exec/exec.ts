/**
 * The exec output: runs a shell command for each event. The texts of fields are part of the command as they are: a shell
 * takes what is in them for its own, as the plugin of Logstash does too.
 */
import { exec } from 'node:child_process';
import type { LogEvent } from '@shoal/agent-event';
import type { Output, PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';

/** Output of a command that is kept for the log. */
const OUTPUT_BYTES_MAX = 1024 * 1024;

export const execOutput: PluginDefinition = {
  kind: 'output',
  name: 'exec',
  version: '3.1.4',
  options: {
    command: { type: 'template', isRequired: true },
    /** Keeps what commands print out of the log. */
    quiet: { type: 'boolean', default: false },
  },
  create: (options, context) => new ExecOutput(options, context),
};

class ExecOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    for (const event of events) await this.run(this.options.template('command').render(event));
  }

  /** A command that fails is logged and counted: whether it may run again nobody here knows. */
  private run(command: string): Promise<void> {
    const { runtime, pluginId: plugin, metrics } = this.context;
    return new Promise((resolve) => {
      const child = exec(command, { maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout, stderr) => {
        const printed = { plugin, command, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() };
        if (error !== null) {
          metrics.increment('failures');
          runtime.log.warn('a command failed', { ...printed, reason: error.message });
        } else if (!this.options.boolean('quiet') && (stdout !== '' || stderr !== ''))
          runtime.log.info('a command printed', printed);
        resolve();
      });
      // A command that reads finds an end, and does not wait for ever.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end();
    });
  }
}

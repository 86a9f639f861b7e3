/**
 * The pipe output: events to the standard input of a command, which is kept running while it is used.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { compileTemplate, type LogEvent } from '@shoal/agent-event';
import type { Output, PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { EVENT_TEXT } from '@shoal/agent-plugin-kit';
import type { Cancel } from '@shoal/runtime';

/** Commands may depend on events: more than this at once were not meant, the least recently used is ended. */
const COMMANDS_MAX = 100;

export const pipeOutput: PluginDefinition = {
  kind: 'output',
  name: 'pipe',
  version: '3.0.6',
  concurrency: 'single',
  options: {
    codec: { type: 'codec', default: 'plain' },
    command: { type: 'template', isRequired: true },
    message_format: { type: 'template' },
    ttl: { type: 'number', default: 10 },
  },
  create: (options, context) => new PipeOutput(options, context),
};

interface Running {
  readonly command: string;
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  usedMs: number;
}

class PipeOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly commands = new Map<string, Running>();
  private cancel: Cancel | null = null;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
  }

  async start(): Promise<void> {
    this.scheduleCleanup();
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    for (const event of events) await this.write(this.options.template('command').render(event), this.textOf(event));
  }

  async stop(): Promise<void> {
    this.cancel?.();
    await Promise.all([...this.commands.values()].map((running) => this.end(running)));
  }

  private textOf(event: LogEvent): string {
    const format = this.options.has('message_format')
      ? this.options.template('message_format')
      : compileTemplate(EVENT_TEXT);
    return `${format.render(event)}\n`;
  }

  private async write(command: string, text: string): Promise<void> {
    const running = this.commands.get(command) ?? (await this.run(command));
    running.usedMs = this.context.runtime.clock.monotonicMs();
    await new Promise<void>((resolve) =>
      running.child.stdin?.write(text, (error) => {
        if (error) {
          this.context.metrics.increment('failures');
          this.context.runtime.log.error('a command took no event: it is dropped', { command, error: error.message });
          this.commands.delete(command);
        }
        resolve();
      }),
    );
  }

  private async run(command: string): Promise<Running> {
    if (this.commands.size >= COMMANDS_MAX) {
      const [oldest] = [...this.commands.values()].sort((a, b) => a.usedMs - b.usedMs);
      if (oldest !== undefined) await this.end(oldest);
    }
    const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] });
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()));
    // A failed write says it already.
    child.stdin.on('error', () => undefined);
    const running: Running = { command, child, ended, usedMs: this.context.runtime.clock.monotonicMs() };
    this.commands.set(command, running);
    void ended.then(() => this.commands.get(command) === running && this.commands.delete(command));
    return running;
  }

  private end(running: Running): Promise<void> {
    this.commands.delete(running.command);
    running.child.stdin?.end();
    return running.ended;
  }

  private scheduleCleanup(): void {
    const ttlMs = this.options.number('ttl') * 1000;
    this.cancel = this.context.runtime.sched.after(ttlMs, () => {
      const oldMs = this.context.runtime.clock.monotonicMs() - ttlMs;
      for (const running of [...this.commands.values()]) if (running.usedMs < oldMs) void this.end(running);
      this.scheduleCleanup();
    });
  }
}

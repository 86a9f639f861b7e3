/**
 * The pipe output: events to the standard input of a command, which is kept running while it is used.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { eventToJsonText, type LogEvent } from '@shoal/agent-event';
import {
  type Output,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  StoppableWait,
} from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import type { Cancel } from '@shoal/runtime';

/** Commands may depend on events: more than this at once were not meant, the least recently used is ended. */
const COMMANDS_MAX = 100;
/** Waits before a command that took no event is started again. */
const RESTART_FIRST_MS = 100;
const RESTART_MAX_MS = 10_000;

export const pipeOutput: PluginDefinition = {
  kind: 'output',
  name: 'pipe',
  version: '3.0.6',
  concurrency: 'single',
  options: {
    codec: { type: 'codec', default: 'plain' },
    command: { type: 'template', isRequired: true },
    /** JSON of the whole event where it is left out. */
    message_format: { type: 'template' },
    /** Seconds without an event after which a command is ended; 0 and below: never. */
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
  private readonly control: StoppableWait;
  private cancel: Cancel | null = null;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.control = new StoppableWait(context.runtime);
  }

  async start(): Promise<void> {
    if (this.options.number('ttl') > 0) this.scheduleCleanup();
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    for (const event of events) await this.write(this.options.template('command').render(event), this.textOf(event));
  }

  async stop(): Promise<void> {
    this.control.stop();
    this.cancel?.();
    await Promise.all([...this.commands.values()].map((running) => this.end(running)));
  }

  private textOf(event: LogEvent): string {
    const hasFormat = this.options.has('message_format');
    return `${hasFormat ? this.options.template('message_format').render(event) : eventToJsonText(event)}\n`;
  }

  /** A command that ended is started again, for as long as it takes: the event is nowhere else. */
  private async write(command: string, text: string): Promise<void> {
    for (let pauseMs = RESTART_FIRST_MS; ; pauseMs = Math.min(RESTART_MAX_MS, pauseMs * 2)) {
      const running = this.commands.get(command) ?? (await this.run(command));
      running.usedMs = this.context.runtime.clock.monotonicMs();
      const failure = await taken(running.child, text);
      if (failure === null) return;
      if (this.commands.get(command) === running) this.commands.delete(command);
      if (this.control.isStopped) throw new ShoalError('illegal_state_exception', 500, `${command}: ${failure}`);
      this.context.metrics.increment('retries');
      const { pluginId: plugin } = this.context;
      this.context.runtime.log.warn('a command took no event and is started again', {
        plugin,
        command,
        reason: failure,
      });
      await this.control.pause(pauseMs);
    }
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

/** Why the command did not take the text; null: the pipe has it. */
function taken(child: ChildProcess, text: string): Promise<string | null> {
  return new Promise((resolve) => {
    if (child.stdin === null) return resolve('it has no input');
    child.stdin.write(text, (error) => resolve(error ? error.message : null));
  });
}

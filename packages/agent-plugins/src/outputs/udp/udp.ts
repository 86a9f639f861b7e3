/**
 * The udp output: each event one datagram.
 */
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { LogEvent } from '@shoal/agent-event';
import {
  type Output,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  StoppableWait,
} from '@shoal/agent-plugin-kit';

export const udpOutput: PluginDefinition = {
  kind: 'output',
  name: 'udp',
  version: '3.2.0',
  concurrency: 'each',
  options: {
    codec: { type: 'codec', default: 'json' },
    host: { type: 'string', isRequired: true },
    port: { type: 'number', isRequired: true },
    retry_count: { type: 'number', default: 0 },
    retry_backoff_ms: { type: 'number', default: 10 },
  },
  create: (options, context) => new UdpOutput(options, context),
};

class UdpOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly control: StoppableWait;
  private readonly socket: Socket;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.control = new StoppableWait(context.runtime);
    this.socket = createSocket(isIPv6(options.string('host')) ? 'udp6' : 'udp4');
    this.socket.on('error', (error) => context.runtime.log.warn('udp failed', { error: error.message }));
    this.socket.unref();
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    for (const event of events) await this.deliver(this.options.codec('codec').encode(event));
  }

  async stop(): Promise<void> {
    this.control.stop();
    await new Promise<void>((resolve) => this.socket.close(() => resolve()));
  }

  private async deliver(bytes: Uint8Array): Promise<void> {
    for (let retries = 0; ; retries++) {
      try {
        return await this.send(bytes);
      } catch (error) {
        if (retries >= this.options.number('retry_count') || this.control.isStopped) {
          this.context.metrics.increment('failures');
          this.context.runtime.log.error('an event could not be sent and is dropped', { error: String(error) });
          return;
        }
        await this.control.pause(this.options.number('retry_backoff_ms'));
      }
    }
  }

  private send(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) =>
      this.socket.send(bytes, this.options.number('port'), this.options.string('host'), (error) =>
        error === null ? resolve() : reject(error),
      ),
    );
  }
}

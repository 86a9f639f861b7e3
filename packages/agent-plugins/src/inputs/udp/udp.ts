/**
 * The udp input: each datagram is one unit for the codec. What does not fit into the queue is dropped and counted.
 */
import { createSocket, type RemoteInfo } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { parseFieldReference } from '@shoal/agent-event';
import {
  decodedWhole,
  type EventSink,
  type Input,
  OrderedPushes,
  type PluginDefinition,
  publishPort,
} from '@shoal/agent-plugin-kit';

export const udpInput: PluginDefinition = {
  kind: 'input',
  name: 'udp',
  version: '3.5.0',
  options: {
    codec: { type: 'codec', default: 'plain' },
    port: { type: 'number', isRequired: true },
    host: { type: 'string', default: '0.0.0.0' },
    buffer_size: { type: 'number', default: 65_536 },
    workers: { type: 'number', deprecated: 'it has no effect: datagrams are decoded as they come, by one thread' },
    queue_size: { type: 'number', default: 2000 },
    receive_buffer_bytes: { type: 'number' },
    source_ip_fieldname: { type: 'fieldReference' },
  },
  create(options, context): Input {
    const codec = options.codec('codec');
    const host = options.string('host');
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    const usual = parseFieldReference(context.ecs === 'disabled' ? '[host]' : '[host][ip]');
    const target = options.has('source_ip_fieldname') ? options.reference('source_ip_fieldname') : usual;
    let waiting = 0;
    let pushes: OrderedPushes | null = null;
    const take = (bytes: Uint8Array, { address, port }: RemoteInfo): void => {
      // There is no back-pressure over UDP: beyond the limit only dropping is left, and it must show.
      if (waiting >= options.number('queue_size')) {
        context.metrics.increment('dropped');
        return;
      }
      const unit = bytes.subarray(0, options.number('buffer_size'));
      const events = decodedWhole(codec, unit, context, { host: address, port });
      for (const event of events) {
        // A codec that found an address in the datagram knows better.
        const known = event.get(target);
        if (known === undefined || known === null) event.set(target, address);
      }
      waiting++;
      void pushes?.offer(events).then(() => waiting--);
    };
    return {
      finished: null,
      async start(sink: EventSink) {
        pushes = new OrderedPushes(sink, context);
        await new Promise<void>((resolve, reject) => {
          socket.once('error', reject);
          socket.bind(options.number('port'), host, () => {
            socket.off('error', reject).on('error', (error) => sink.failed?.(error));
            resolve();
          });
        });
        if (options.has('receive_buffer_bytes')) socket.setRecvBufferSize(options.number('receive_buffer_bytes'));
        socket.on('message', (message, from) => take(message, from));
        publishPort(context, socket.address());
      },
      async stop() {
        await new Promise<void>((resolve) => socket.close(() => resolve()));
        await pushes?.settled();
      },
    };
  },
};

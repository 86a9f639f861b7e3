/**
 * A small SQS for one test: a queue in memory, which checks the signature of every call.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { signedHeaders } from './signature-v4.ts';

export const KEYS = { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'secret', region: 'eu-west-1' };

export interface SqsServer {
  readonly endpoint: string;
  /** Bodies that nobody has taken and deleted. */
  readonly queue: { id: string; body: string; isTaken: boolean }[];
  readonly calls: string[];
  /** Answers the next call in place of the server. */
  next: ((action: string, body: Record<string, unknown>) => object | null) | null;
  put(...bodies: readonly string[]): void;
  until(isDone: () => boolean): Promise<void>;
}

export async function startSqs(): Promise<SqsServer> {
  const waiters = new Set<() => void>();
  const state: SqsServer = {
    endpoint: '',
    queue: [],
    calls: [],
    next: null,
    put: (...bodies) =>
      void state.queue.push(...bodies.map((body, i) => ({ id: `${state.queue.length + i}`, body, isTaken: false }))),
    async until(isDone) {
      while (!isDone()) await new Promise<void>((resolve) => waiters.add(resolve));
    },
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const action = String(request.headers['x-amz-target']).replace('AmazonSQS.', '');
    const body = JSON.parse(bytes.toString('utf8'));
    state.calls.push(action);
    const { next } = state;
    state.next = null;
    const isKnown = isSigned(request, bytes);
    const answer = next?.(action, body) ?? (isKnown ? answered(state, action, body) : null);
    response.statusCode = isKnown && answer !== null ? 200 : 400;
    response.end(JSON.stringify(answer ?? { __type: 'InvalidSignatureException', message: 'who are you?' }));
    for (const wake of waiters) wake();
    waiters.clear();
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return Object.assign(state, { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** Signs what arrived once more, at the time it says. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const { host = '', authorization } = request.headers;
  const time = String(request.headers['x-amz-date']).replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5');
  const expected = signedHeaders(
    {
      method: request.method ?? '',
      url: new URL(request.url ?? '', `http://${host}`),
      headers: {
        'content-type': String(request.headers['content-type']),
        'x-amz-target': String(request.headers['x-amz-target']),
      },
      body,
      service: 'sqs',
      region: KEYS.region,
      nowMs: Date.parse(time),
    },
    { accessKeyId: KEYS.access_key_id, secretAccessKey: KEYS.secret_access_key, sessionToken: null },
  );
  return authorization === expected.authorization;
}

function answered(state: SqsServer, action: string, body: Record<string, unknown>): object | null {
  const entries = (body.Entries ?? []) as Record<string, string>[];
  switch (action) {
    case 'GetQueueUrl':
      return { QueueUrl: `https://sqs/1/${String(body.QueueName)}` };
    case 'SendMessageBatch':
      state.put(...entries.map(({ MessageBody = '' }) => MessageBody));
      return { Successful: entries.map(({ Id }) => ({ Id })) };
    case 'ReceiveMessage': {
      const messages = state.queue.filter(({ isTaken }) => !isTaken).slice(0, Number(body.MaxNumberOfMessages));
      for (const message of messages) message.isTaken = true;
      return {
        Messages: messages.map(({ id, body: text }) => ({
          MessageId: `m${id}`,
          ReceiptHandle: id,
          MD5OfBody: 'md5',
          Body: text,
          Attributes: { SentTimestamp: '1500000000999' },
        })),
      };
    }
    case 'DeleteMessageBatch':
      for (const { ReceiptHandle } of entries) {
        const at = state.queue.findIndex(({ id }) => id === ReceiptHandle);
        if (at >= 0) state.queue.splice(at, 1);
      }
      return {};
    default:
      return null;
  }
}

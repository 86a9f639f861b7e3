/**
 * The http_poller input: asks addresses by a schedule; each answer is one unit for the codec.
 */

import { createEvent, type LogEvent } from '@shoal/agent-event';
import {
  basicAuthorization,
  decodeUnit,
  type HttpAnswer,
  type HttpClient,
  httpClient,
  httpClientOptions,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  producingInput,
} from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { hashSchedule, runScheduled } from '../../schedule/schedule.ts';
import { type Polled, PollFields } from './poll-fields.ts';

export const httpPollerInput: PluginDefinition = {
  kind: 'input',
  name: 'http_poller',
  version: '6.0.0',
  options: {
    codec: { type: 'codec', default: 'json' },
    urls: { type: 'hash', isRequired: true },
    schedule: { type: 'hash', isRequired: true },
    metadata_target: { type: 'string', default: '@metadata' },
    target: { type: 'fieldReference' },
    ...httpClientOptions,
  },
  create(options, context) {
    const targets = [...options.hash('urls')].map(([name, value]) => readTarget(name, value, options));
    const schedule = hashSchedule(options.hash('schedule'));
    return producingInput(context.runtime, { isEndless: true }, async (sink, control) => {
      const client = httpClient(options);
      await runScheduled(schedule, context.runtime.clock, control, async () => {
        await Promise.all(
          targets.map(async (target) => {
            const events = await poll(client, target, options, context);
            if (events.length > 0 && !control.isStopped) await sink.push(events);
          }),
        );
      });
      client.close();
    });
  },
};

interface Target {
  readonly name: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

function readTarget(name: string, value: unknown, options: PluginOptions): Target {
  const parts: ReadonlyMap<unknown, unknown> = value instanceof Map ? value : new Map([['url', value]]);
  const text = (key: string): string | null => (parts.has(key) ? String(parts.get(key)) : null);
  const url = text('url');
  if (url === null || !URL.canParse(url))
    throw new ShoalError('illegal_argument_exception', 400, `[urls] has no usable url for [${name}]`);
  const headers: Record<string, string> = {};
  const given = parts.get('headers');
  if (given instanceof Map) for (const [header, item] of given) headers[String(header).toLowerCase()] = String(item);
  const user = text('user') ?? (options.has('user') ? options.string('user') : null);
  const password = text('password') ?? (options.has('password') ? options.string('password') : '');
  if (user !== null) headers.authorization = basicAuthorization(user, password);
  return { name, url, method: (text('method') ?? 'get').toUpperCase(), headers, body: text('body') };
}

async function poll(
  client: HttpClient,
  target: Target,
  options: PluginOptions,
  context: PluginContext,
): Promise<readonly LogEvent[]> {
  const { clock } = context.runtime;
  const startMs = clock.monotonicMs();
  const { name, url, method } = target;
  const polled = (): Polled => ({
    name,
    url,
    method,
    hostName: context.hostName,
    elapsedMs: clock.monotonicMs() - startMs,
  });
  const fields = new PollFields(options.string('metadata_target'), context.ecs === 'disabled');
  try {
    const answer = await client.call({
      method,
      url,
      headers: target.headers,
      timeoutMs: options.number('request_timeout') * 1000,
      ...(target.body === null ? {} : { body: Buffer.from(target.body, 'utf8') }),
    });
    const events = answered(answer, options);
    for (const event of events) fields.describe(event, polled(), answer);
    return events;
  } catch (error) {
    return [fields.failure(polled(), error instanceof Error ? error.message : String(error))];
  }
}

function answered(answer: HttpAnswer, options: PluginOptions): readonly LogEvent[] {
  const decoded = decodeUnit(options.codec('codec'), answer.body);
  // An empty answer is an answer: its status and headers are worth an event.
  const events = decoded.length > 0 ? decoded : [createEvent()];
  return options.has('target') ? events.map((event) => below(event, options)) : events;
}

function below(event: LogEvent, options: PluginOptions): LogEvent {
  const made = createEvent();
  const fields = new Map(event.fields);
  fields.delete('@version');
  fields.delete('@timestamp');
  made.set(options.reference('target'), fields);
  return made;
}

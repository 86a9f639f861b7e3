/**
 * The http_poller input: asks addresses by a schedule; each answer is one unit for the codec.
 */

import { createEvent, type LogEvent } from '@shoal/agent-event';
import {
  decodeInTurns,
  type HttpAnswer,
  type HttpClient,
  httpClient,
  httpClientOptions,
  InputTurns,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  producingInput,
  userAuthorization,
} from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';
import { hashSchedule, runScheduled } from '../../schedule/schedule.ts';
import { type Polled, PollFields } from './poll-fields.ts';
import { type PollTarget, readPollTarget } from './poll-target.ts';

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
    const usual = userAuthorization(options);
    const targets = [...options.hash('urls')].map(([name, value]) => readPollTarget(name, value, usual));
    const schedule = hashSchedule(options.hash('schedule'));
    return producingInput(context.runtime, { isEndless: true }, async (sink, control) => {
      const client = httpClient(options, context);
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

async function poll(
  client: HttpClient,
  target: PollTarget,
  options: PluginOptions,
  context: PluginContext,
): Promise<readonly LogEvent[]> {
  const { clock } = context.runtime;
  const startMs = clock.monotonicMs();
  const { name, url, method, spec } = target;
  const polled = (): Polled => ({
    name,
    url,
    method,
    spec,
    hostName: context.hostName,
    elapsedMs: clock.monotonicMs() - startMs,
  });
  const fields = new PollFields(options.string('metadata_target'), context.ecs === 'disabled');
  try {
    const answer = await client.call({
      method,
      url,
      headers: target.headers,
      timeoutMs: (target.timeoutSeconds ?? options.number('request_timeout')) * 1000,
      ...(target.body === null ? {} : { body: Buffer.from(target.body, 'utf8') }),
    });
    const events = await answered(answer, options, context);
    for (const event of events) fields.describe(event, polled(), answer);
    return events;
  } catch (error) {
    return [fields.failure(polled(), messageOf(error))];
  }
}

async function answered(
  answer: HttpAnswer,
  options: PluginOptions,
  context: PluginContext,
): Promise<readonly LogEvent[]> {
  const decoded = await decodeInTurns(options.codec('codec'), answer.body, new InputTurns(context));
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

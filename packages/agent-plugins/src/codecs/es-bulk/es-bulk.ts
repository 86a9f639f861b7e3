/**
 * The es_bulk codec: bodies of Elasticsearch's `_bulk` as events, the action of each in its metadata.
 *
 * Action and document may arrive in different chunks: a decoder remembers the action until its document is there.
 */
import { createEvent, type EventMap, type LogEvent, parseEventJson } from '@shoal/agent-event';
import {
  type Decoder,
  DelimiterSplitter,
  delimiterBytes,
  type PluginContext,
  type PluginDefinition,
  putMetadata,
  targetedEvent,
} from '@shoal/agent-plugin-kit';
import { isShoalError, ShoalError } from '@shoal/core';

export const esBulkCodec: PluginDefinition = {
  kind: 'codec',
  name: 'es_bulk',
  version: '3.1.0',
  options: { target: { type: 'fieldReference' } },
  create(options, context) {
    const target = options.has('target') ? options.reference('target') : null;
    const eventOf = (fields: EventMap | null, action: EventMap): LogEvent => {
      const event = fields === null ? createEvent() : targetedEvent(fields, target);
      putAction(event, action, context.ecs);
      return event;
    };
    return {
      name: 'es_bulk',
      decoder: () => bulkDecoder(eventOf, context),
      encode() {
        throw new ShoalError(
          'illegal_argument_exception',
          400,
          'the codec [es_bulk] only reads: the elasticsearch output writes bulk requests',
        );
      },
    };
  },
};

type EventOf = (fields: EventMap | null, action: EventMap) => LogEvent;

function bulkDecoder(eventOf: EventOf, context: PluginContext): Decoder {
  const splitter = new DelimiterSplitter(delimiterBytes('\n'));
  let action: EventMap | null = null;
  const line = (bytes: Uint8Array): readonly LogEvent[] => {
    const text = Buffer.from(bytes).toString('utf8');
    if (text.trim() === '') return [];
    const fields = objectOf(text, context);
    if (fields === null) return [];
    if (action !== null) {
      const event = eventOf(fields, action);
      action = null;
      return [event];
    }
    const read = actionOf(fields);
    if (read === null) {
      context.runtime.log.error('a line of a bulk request names no action', { line: text.slice(0, SHOWN_MAX) });
      return [];
    }
    if (read.get('action') === 'delete') return [eventOf(null, read)];
    action = read;
    return [];
  };
  return {
    decode: (bytes) => splitter.push(bytes).flatMap(line),
    flush() {
      const rest = splitter.flush();
      return rest === null ? [] : line(rest);
    },
  };
}

/** Characters of a faulty line that the log shows. */
const SHOWN_MAX = 200;

/** null, with a word in the log, for what is no JSON object. */
function objectOf(text: string, context: PluginContext): EventMap | null {
  try {
    const value = parseEventJson(text);
    if (value instanceof Map) return value;
  } catch (error) {
    if (!isShoalError(error)) throw error;
  }
  context.runtime.log.error('a line of a bulk request is no JSON object', { line: text.slice(0, SHOWN_MAX) });
  return null;
}

function actionOf(fields: EventMap): EventMap | null {
  const [first] = fields;
  if (first === undefined || !(first[1] instanceof Map)) return null;
  return new Map([...first[1], ['action', first[0]]]);
}

function putAction(event: LogEvent, action: EventMap, ecs: PluginContext['ecs']): void {
  if (ecs !== 'disabled') putMetadata(event, ['codec', 'es_bulk'], action);
  else for (const [name, value] of action) event.metadata.set(name, value);
}

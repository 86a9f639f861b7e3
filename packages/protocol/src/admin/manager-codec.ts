/**
 * What the codecs of messages to the elected cluster manager share: plain fields with two timeouts, mostly acknowledged.
 *
 * The manager validates what users sent; here only shapes and sizes are checked.
 */
import { assert, ValueReader } from '@shoal/core';
import type { ActionCodec, WireBody } from '@shoal/transport';

export interface TimeoutsMessage {
  readonly masterTimeoutMs: number;
  readonly timeoutMs: number;
}

export interface AcknowledgedMessage {
  readonly acknowledged: boolean;
}

/** Second half of a codec: how the answer is written and read. */
export type AnswerCodec<Answer> = Pick<ActionCodec<unknown, Answer>, 'writeResponse' | 'readResponse'>;

/** A month: longer waits are a mistake. */
export const TIMEOUT_MS_MAX: number = 31 * 24 * 3_600_000;

/** Codec of an action whose request is plain fields beside the two timeouts. */
export function managerAction<Fields extends object, Answer>(
  name: string,
  readFields: (r: ValueReader) => Fields,
  answer: AnswerCodec<Answer>,
): ActionCodec<Fields & TimeoutsMessage, Answer> {
  return {
    name,
    writeRequest: plain,
    readRequest: (body) => {
      const r = reader(body);
      return { ...readFields(r), ...timeouts(r) };
    },
    ...answer,
  };
}

/** Codec of a change that is answered by whether all nodes applied it in time. */
export function acknowledgedAction<Fields extends object>(
  name: string,
  readFields: (r: ValueReader) => Fields,
): ActionCodec<Fields & TimeoutsMessage, AcknowledgedMessage> {
  return managerAction(name, readFields, {
    writeResponse: plain,
    readResponse: (body) => ({ acknowledged: reader(body).boolean('acknowledged') }),
  });
}

/** Answer that says nothing but that it is done. */
export const EMPTY_ANSWER: AnswerCodec<null> = { writeResponse: () => ({ message: null }), readResponse: () => null };

export function reader(body: WireBody): ValueReader {
  return ValueReader.of(body.message);
}

/** The message is plain data already: maps, lists and texts. */
export function plain(value: object): WireBody {
  assert(!Array.isArray(value) && !ArrayBuffer.isView(value), 'a message is a map of named fields');
  return { message: { ...value } };
}

function timeouts(r: ValueReader): TimeoutsMessage {
  return {
    masterTimeoutMs: r.integer('masterTimeoutMs', 0, TIMEOUT_MS_MAX),
    timeoutMs: r.integer('timeoutMs', 0, TIMEOUT_MS_MAX),
  };
}

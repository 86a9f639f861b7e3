/**
 * Which data stream an event goes to, and what its document says about that: the fields `data_stream.*`.
 *
 * The event itself stays as it is: other outputs get it too.
 */
import { type EventValue, type LogEvent, parseFieldReference, printValue } from '@shoal/agent-event';

const DATA_STREAM = parseFieldReference('data_stream');
const NAMES = ['type', 'dataset', 'namespace'] as const;
const FIELDS = {
  type: parseFieldReference('[data_stream][type]'),
  dataset: parseFieldReference('[data_stream][dataset]'),
  namespace: parseFieldReference('[data_stream][namespace]'),
};

export interface DataStream {
  readonly type: string;
  readonly dataset: string;
  readonly namespace: string;
  /** Fields `data_stream.*` of the event choose the stream. */
  readonly followsEvent: boolean;
  /** The chosen names are written into the document. */
  readonly writesFields: boolean;
}

export interface StreamDocument {
  readonly index: string;
  readonly document: LogEvent;
}

export function streamDocument(event: LogEvent, stream: DataStream): StreamDocument {
  const { followsEvent, writesFields } = stream;
  const stated = NAMES.map((name) => event.get(FIELDS[name]));
  const names = NAMES.map((name, i) => {
    const value = stated[i];
    return followsEvent && isName(value) ? printValue(value) : stream[name];
  });
  const index = names.join('-');
  // A value that chose the name stays as it is, whatever its type.
  const isWritten = stated.map((value, i) => isName(value) && (followsEvent || value === names[i]));
  if (!writesFields || isWritten.every(Boolean)) return { index, document: event };
  const document = event.clone();
  // In place of a value that holds no fields. Asked only where no field says that there is none: asking turns shapes into maps.
  if (stated.every((value) => value === undefined)) {
    const whole = document.get(DATA_STREAM);
    if (whole !== undefined && !(whole instanceof Map)) document.remove(DATA_STREAM);
  }
  for (const [i, name] of NAMES.entries()) if (isWritten[i] !== true) document.set(FIELDS[name], names[i] ?? '');
  return { index, document };
}

function isName(value: EventValue | undefined): value is EventValue {
  return value !== undefined && value !== null && value !== false;
}

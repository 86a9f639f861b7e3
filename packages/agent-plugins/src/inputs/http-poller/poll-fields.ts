/**
 * What the http_poller input writes about a request: into the metadata of what was answered, and as an event of its own
 * where nothing was; in the old names and in those of ECS. Pure.
 */
import {
  createEvent,
  type EventMap,
  type EventValue,
  type LogEvent,
  parseFieldReference,
  toEventValue,
} from '@shoal/agent-event';
import type { HttpAnswer } from '@shoal/agent-plugin-kit';

const FAILURE = '_http_request_failure';

export interface Polled {
  readonly name: string;
  readonly url: string;
  readonly method: string;
  /** Parts of the request as they were configured, without credentials. */
  readonly spec: ReadonlyMap<string, unknown>;
  readonly hostName: string;
  readonly elapsedMs: number;
}

/** Fields of the parts below the `metadata_target`. */
interface Names {
  readonly host: string;
  readonly name: string;
  readonly request: string;
  readonly elapsed: string;
  readonly code: string;
  readonly headers: string;
  readonly message: string;
  readonly retries: string;
}

const LEGACY: Names = {
  host: '[host]',
  name: '[name]',
  request: '[request]',
  elapsed: '[runtime_seconds]',
  code: '[code]',
  headers: '[response_headers]',
  message: '[response_message]',
  retries: '[times_retried]',
};
const REQUEST = '[input][http_poller][request]';
const RESPONSE = '[input][http_poller][response]';
const ECS: Names = {
  host: `${REQUEST}[host][hostname]`,
  name: `${REQUEST}[name]`,
  request: `${REQUEST}[original]`,
  elapsed: `${RESPONSE}[elapsed_time_ns]`,
  code: `${RESPONSE}[status_code]`,
  headers: `${RESPONSE}[headers]`,
  message: `${RESPONSE}[status_message]`,
  retries: `${REQUEST}[retry_count]`,
};

export class PollFields {
  private readonly target: string;
  private readonly isLegacy: boolean;

  /** `target`: the option `metadata_target`, a name or a reference. */
  constructor(target: string, isLegacy: boolean) {
    this.target = target.startsWith('[') ? target : `[${target}]`;
    this.isLegacy = isLegacy;
  }

  /** `answer` is null where there was none. */
  describe(event: LogEvent, polled: Polled, answer: HttpAnswer | null): void {
    const names = this.isLegacy ? LEGACY : ECS;
    const put = (name: string, value: EventValue): void =>
      event.set(parseFieldReference(`${this.target}${name}`), value);
    put(names.host, polled.hostName);
    put(names.name, polled.name);
    put(names.request, requestOf(polled));
    put(names.elapsed, this.isLegacy ? polled.elapsedMs / 1000 : nanoseconds(polled));
    if (answer === null) return;
    put(names.code, answer.status);
    put(names.headers, toEventValue({ ...answer.headers }));
    put(names.message, answer.reason);
    put(names.retries, answer.retries);
  }

  failure(polled: Polled, error: string): LogEvent {
    const event = createEvent();
    this.describe(event, polled, null);
    const fields: readonly (readonly [string, EventValue])[] = this.isLegacy
      ? [['http_request_failure', legacyFailure(polled, error)]]
      : [
          ['[url][full]', polled.url],
          ['[http][request][method]', polled.method.toLowerCase()],
          ['[host][hostname]', polled.hostName],
          ['[event][duration]', nanoseconds(polled)],
          ['[error][message]', error],
        ];
    for (const [name, value] of fields) event.set(parseFieldReference(name), value);
    event.tag(FAILURE);
    return event;
  }
}

function legacyFailure(polled: Polled, error: string): EventMap {
  return new Map<string, EventValue>([
    ['name', polled.name],
    ['host', polled.hostName],
    ['request', requestOf(polled)],
    ['runtime_seconds', polled.elapsedMs / 1000],
    ['error', error],
  ]);
}

function requestOf({ url, method, spec }: Polled): EventValue {
  return toEventValue(new Map([...spec, ['method', method.toLowerCase()], ['url', url]]));
}

function nanoseconds({ elapsedMs }: Polled): number {
  return Math.round(elapsedMs * 1e6);
}

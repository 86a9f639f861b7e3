/**
 * An answer as a `Response` that is made when more is asked of it than its status and its body as text or JSON, which most tests never do: the
 * first `Response` of a process loads the whole HTTP client of Node.js, a tenth of what a test waits for its first hit.
 */
import { inspect } from 'node:util';

export interface LateAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** null where the Fetch standard has none. */
  readonly body: Uint8Array<ArrayBuffer> | null;
}

const OK_MIN = 200;
const OK_MAX = 299;

export function lateResponse(answer: LateAnswer): Response {
  const { status, headers, body } = answer;
  let made: Response | null = null;
  let isRead = false;
  const whole = (): Response => {
    if (made !== null) return made;
    made = new Response(body, { status, headers: headers.map(([name, value]): [string, string] => [name, value]) });
    // Read here already: it tells so, and refuses to be read again.
    if (isRead) void made.arrayBuffer();
    return made;
  };
  /** The first to read it; the next is refused by the whole one. */
  const text = async (): Promise<string> => {
    if (made !== null || isRead) return whole().text();
    isRead = body !== null;
    return body === null ? '' : new TextDecoder().decode(body);
  };
  const json = async (): Promise<unknown> => (made !== null || isRead ? whole().json() : JSON.parse(await text()));
  // Awaiting it asks for `then`, which a `Response` has not.
  const early = new Map<PropertyKey, unknown>([
    ['status', status],
    ['ok', status >= OK_MIN && status <= OK_MAX],
    ['text', text],
    ['json', json],
    ['then', undefined],
  ]);
  // What a user sets on it. Printed is what the whole one prints, for which a proxy is not asked.
  const target: object = { [inspect.custom]: () => whole() };
  const traps: ProxyHandler<object> = {
    get(own, name) {
      if (name !== inspect.custom && Object.hasOwn(own, name)) return Reflect.get(own, name);
      if (early.has(name)) return early.get(name);
      const value: unknown = Reflect.get(whole(), name);
      return typeof value === 'function' ? value.bind(whole()) : value;
    },
    has: (own, name) => Object.hasOwn(own, name) || name in whole(),
    getPrototypeOf: () => Response.prototype,
  };
  return new Proxy(target, traps) as Response; // All that it is asked for is that of one, by the traps.
}

import { inspect } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type LateAnswer, lateResponse } from './late-response.ts';

const Whole = globalThis.Response;
let made = 0;

afterEach(() => {
  vi.unstubAllGlobals();
  made = 0;
});

function answer(parts: Partial<LateAnswer> = {}): LateAnswer {
  const headers = [
    ['content-type', 'application/json'],
    ['x-a', '1'],
  ] as const;
  return { status: 200, headers, body: new TextEncoder().encode('\ufeff{"a":"ä"}'), ...parts };
}

/** Both kinds of the same answer. */
function both(parts: Partial<LateAnswer> = {}): readonly Response[] {
  const { status, headers, body } = answer(parts);
  return [
    lateResponse(answer(parts)),
    new Whole(body, { status, headers: headers.map(([a, b]): [string, string] => [a, b]) }),
  ];
}

const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: unknown) => (error as Error).constructor.name,
  );

test('is not made for its status, its text and its JSON', async () => {
  vi.stubGlobal(
    'Response',
    class extends Whole {
      constructor(...args: ConstructorParameters<typeof Response>) {
        super(...args);
        made++;
      }
    },
  );
  const late = await Promise.resolve(lateResponse(answer()));
  expect([late.status, late.ok, await late.json(), made]).toEqual([200, true, { a: 'ä' }, 0]);
  expect(await lateResponse(answer()).text()).toBe('{"a":"ä"}');
  expect([made, late.headers.get('x-a'), late.bodyUsed, made]).toEqual([0, '1', true, 1]);
});

describe('does what one does that was made at once', () => {
  test.each([
    ['with a body', {}],
    ['of an error', { status: 404 }],
    ['without a body', { status: 204, body: null }],
    ['whose body is no JSON', { body: new TextEncoder().encode('name\n') }],
  ])('%s', async (_, parts) => {
    const seen = await Promise.all(
      both(parts).map(async (response) => {
        const copy = response.clone();
        const bytes = await copy.arrayBuffer();
        return [
          response instanceof Response,
          [response.status, response.statusText, response.ok, response.type, response.url, response.redirected],
          [...response.headers],
          [response.bodyUsed, copy.bodyUsed, bytes.byteLength],
          await failure(response.json()),
          [response.bodyUsed, response.body === null],
          [await failure(response.text()), await failure(response.json())],
          Object.prototype.toString.call(response),
        ];
      }),
    );
    expect(seen[0]).toEqual(seen[1]);
  });

  test('read once, without being looked at before', async () => {
    const seen = await Promise.all(
      both().map(async (response) => [
        await response.json(),
        await failure(response.text()),
        await failure(response.arrayBuffer()),
        response.bodyUsed,
      ]),
    );
    expect(seen[0]).toEqual(seen[1]);
  });

  test('printed, and with something set on it', () => {
    const [late, atOnce] = both() as [Response, Response];
    expect(inspect(late)).toBe(inspect(atOnce));
    expect(Reflect.get(Object.assign(late, { mine: 1 }), 'mine')).toBe(1);
    expect(['mine' in late, 'json' in late, 'other' in late]).toEqual([true, true, false]);
  });
});

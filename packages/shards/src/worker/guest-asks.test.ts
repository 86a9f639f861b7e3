import type { GuestSearch, PartStates } from '@shoal/engine';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { expect, test } from 'vitest';
import type { FromWorker } from '../calls/worker-calls.ts';
import { GuestAsks } from './guest-asks.ts';

const message = new Uint8Array(1_000);
const PACKED = { search: message.subarray(10, 20), aliasFilter: null };

function searchOf(packed: typeof PACKED | null): GuestSearch {
  const request = { packed, nowMs: 3, shardIndex: 1, reader: null, statistics: null, indexBoost: 1 };
  // Members that an ask does not read are left out.
  return { request, searcher: {}, shared: {} } as unknown as GuestSearch;
}

function asking(): { readonly asks: GuestAsks; readonly posted: FromWorker[] } {
  const posted: FromWorker[] = [];
  const { sched } = createNodeRuntime({ log: createSilentLog() });
  return { asks: new GuestAsks(sched, (wanted) => posted.push(wanted)), posted };
}

test('an ask hands over what each guest found, and is done with the last', async () => {
  const { asks, posted } = asking();
  const found: (readonly PartStates[])[] = [];
  const asked = asks.ask(searchOf(PACKED), (states) => found.push(states));
  expect(posted).toMatchObject([{ kind: 'guestsWanted', args: { query: { topN: 0, nowMs: 3 } } }]);
  const [wanted] = posted as [Extract<FromWorker, { kind: 'guestsWanted' }>];
  expect(wanted.args.query.search.buffer.byteLength).toBe(10);
  const { askId } = wanted;
  const first = asked.wait(60_000);
  const states = [{ parts: [0], total: 1, states: [] }];
  asks.answered({ kind: 'guestAnswer', askId, found: states, isLast: false });
  await first;
  expect([asked.areDone, found]).toEqual([false, [states]]);
  const second = asked.wait(60_000);
  asks.answered({ kind: 'guestAnswer', askId, found: null, isLast: true });
  await second;
  expect([asked.areDone, found]).toEqual([true, [states]]);
});

test('an ask is waited for as long as was said', async () => {
  const { asks } = asking();
  const asked = asks.ask(searchOf(PACKED), () => {});
  await asked.wait(1);
  expect(asked.areDone).toBe(false);
});

test('a search that came in no packed form has no guests', () => {
  const { asks, posted } = asking();
  expect(asks.ask(searchOf(null), () => {}).areDone).toBe(true);
  expect(posted).toEqual([]);
});

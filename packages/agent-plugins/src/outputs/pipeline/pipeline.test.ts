import type { LogEvent } from '@shoal/agent-event';
import type { PipelineBus } from '@shoal/agent-plugin-kit';
import { describe, expect, test } from 'vitest';
import { makeOutput, testContext } from '../../plugin-instance.test-support.ts';
import { event, start } from '../output-under-test.test-support.ts';
import { pipelineOutput } from './pipeline.ts';

type Sent = readonly [address: string, count: number, ensureDelivery: boolean];

/** The port to other pipelines; `answer` decides when an address has taken its events. */
function busOf(answer: (address: string) => Promise<void> = async () => {}): { bus: PipelineBus; sent: Sent[] } {
  const sent: Sent[] = [];
  const send = async (address: string, events: readonly LogEvent[], ensureDelivery: boolean): Promise<void> => {
    sent.push([address, events.length, ensureDelivery]);
    await answer(address);
  };
  return { bus: { send, listen: () => () => {} }, sent };
}

describe('the pipeline output', () => {
  test('sends a batch to each of its addresses', async () => {
    const { bus, sent } = busOf();
    const { output } = await start(pipelineOutput, { send_to: ['a', 'b'] }, { bus });
    await output.receive([event({ n: 1 }), event({ n: 2 })]);
    expect(sent).toEqual([
      ['a', 2, true],
      ['b', 2, true],
    ]);
  });

  test('is done when every address has taken the batch', async () => {
    let take = (): void => undefined;
    const taken = new Promise<void>((resolve) => (take = resolve));
    const { bus } = busOf((address) => (address === 'b' ? taken : Promise.resolve()));
    const { output } = await start(pipelineOutput, { send_to: ['a', 'b'] }, { bus });
    let isDone = false;
    const delivery = output.receive([event({})]).then(() => (isDone = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(false);
    take();
    await delivery;
  });

  test('does not wait for listeners without ensure_delivery', async () => {
    const { bus, sent } = busOf();
    const { output } = await start(pipelineOutput, { send_to: 'a', ensure_delivery: false }, { bus });
    await output.receive([event({})]);
    expect(sent).toEqual([['a', 1, false]]);
  });

  test('needs send_to', () => {
    expect(() => makeOutput(pipelineOutput, {}, testContext(busOf()))).toThrow("Missing a required setting 'send_to'");
  });
});

import type { EventSink, PipelineBus } from '@shoal/agent-plugin-kit';
import { assert } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { eventOf } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { start } from '../input-under-test.test-support.ts';
import { pipelineInput } from './pipeline.ts';

/** The port to other pipelines: `deliver` sends to whoever listens. */
function busOf() {
  const listeners = new Map<string, EventSink>();
  const bus: PipelineBus = {
    send: async () => {},
    listen: (address, sink) => {
      listeners.set(address, sink);
      return () => void listeners.delete(address);
    },
  };
  const deliver = (address: string, ...texts: readonly string[]): Promise<void> => {
    const sink = listeners.get(address);
    assert(sink !== undefined, `nobody listens on ${address}`);
    return sink.push(texts.map((message) => eventOf({ message })));
  };
  return { bus, listeners, deliver };
}

describe('the pipeline input', () => {
  test('takes what is sent to its address, as copies', async () => {
    const { bus, listeners } = busOf();
    const { sink } = await start(pipelineInput, { address: 'a' }, { bus });
    const sent = eventOf({ message: 'm' });
    await listeners.get('a')?.push([sent]);
    expect(sink.messages()).toEqual(['m']);
    sink.events[0]?.fields.set('message', 'changed');
    expect(sent.fields.get('message')).toBe('m');
  });

  test('makes the sender wait while the queue is full', async () => {
    const { bus, deliver } = busOf();
    const { sink } = await start(pipelineInput, { address: 'a' }, { bus });
    let release = (): void => undefined;
    sink.gate = new Promise<void>((resolve) => (release = resolve));
    let isTaken = false;
    const delivery = deliver('a', 'm').then(() => (isTaken = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isTaken).toBe(false);
    release();
    await delivery;
    expect(sink.messages()).toEqual(['m']);
  });

  test('stops listening at once, and stops when the queue has what was sent', async () => {
    const { bus, listeners, deliver } = busOf();
    const { sink, input } = await start(pipelineInput, { address: 'a' }, { bus });
    let release = (): void => undefined;
    sink.gate = new Promise<void>((resolve) => (release = resolve));
    const delivery = deliver('a', 'm');
    let isStopped = false;
    const stop = input.stop().then(() => (isStopped = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect([listeners.size, isStopped]).toEqual([0, false]);
    release();
    await Promise.all([delivery, stop]);
    expect(sink.messages()).toEqual(['m']);
  });
});

import { describe, expect, test } from 'vitest';
import { DEFAULT_COORDINATION_SETTINGS } from '../effects/coordination-settings.ts';
import { Outbox } from '../effects/outbox.ts';
import { simNode } from '../simulation/sim-value.test-support.ts';
import { LagDetector } from './lag-detector.ts';

const [a, b] = [simNode('a', 1, ['data']), simNode('b', 1, ['data'])];

function detector(): { lag: LagDetector<unknown>; outbox: Outbox<unknown>; lagging: string[] } {
  const outbox = new Outbox<unknown>('leader');
  const lagging: string[] = [];
  const lag = new LagDetector(
    outbox,
    () => DEFAULT_COORDINATION_SETTINGS,
    (node) => lagging.push(node.id),
  );
  lag.track([a, b]);
  return { lag, outbox, lagging };
}

describe('a member', () => {
  test('that has not applied a version when its time is over is lagging', () => {
    const { lag, outbox, lagging } = detector();
    lag.applied('a', 3);
    lag.expect(3);
    expect(outbox.take()).toEqual([{ kind: 'schedule', id: 'lag:3', afterMs: 90_000 }]);
    outbox.timerFired('lag:3');
    expect(lagging).toEqual(['b']);
  });

  test('that applies it late, but in time, is not', () => {
    const { lag, outbox, lagging } = detector();
    lag.expect(3);
    lag.applied('a', 3);
    lag.applied('b', 4);
    outbox.timerFired('lag:3');
    expect(lagging).toEqual([]);
  });

  test('that left is forgotten, and a new process of it starts from nothing', () => {
    const { lag, outbox, lagging } = detector();
    lag.applied('a', 3);
    lag.track([simNode('a', 2, ['data'])]);
    lag.expect(3);
    outbox.timerFired('lag:3');
    expect(lagging).toEqual(['a']);
  });

  test('is not waited for when all have applied', () => {
    const { lag, outbox } = detector();
    lag.applied('a', 3);
    lag.applied('b', 3);
    lag.expect(3);
    expect(outbox.take()).toEqual([]);
  });
});

import { typedIndexSettings } from '@shoal/schema';
import { createWorld } from '@shoal/simulation';
import { expect, test } from 'vitest';
import { RefreshCycle } from './refresh-cycle.ts';

/** A cycle under virtual time, over changes that the test makes. */
class Shard {
  turns = 0;
  refreshedAtMs: number[] = [];
  readonly cycle: RefreshCycle;
  readonly #world = createWorld({ seed: 1, work: { betweenReadingsMaxMs: 0, stalls: 0, stallMs: 0 } });
  readonly #writer = { hasChanges: false, onChanges: (): void => undefined };

  constructor(settings: Record<string, string> = {}) {
    const { runtime } = this.#world.node('a');
    this.cycle = new RefreshCycle(
      {
        ...runtime,
        refreshesBeforeSearch: false,
        writer: this.#writer,
        refresh: () => {
          this.#writer.hasChanges = false;
          this.refreshedAtMs.push(this.nowMs);
          this.cycle.refreshed();
          return null;
        },
        afterTurn: () => {
          this.turns++;
        },
      },
      typedIndexSettings({ 'index.refresh_interval': '1s', ...settings }),
    );
  }

  get nowMs(): number {
    return this.#world.nowMs;
  }

  write(): void {
    this.#writer.hasChanges = true;
    this.#writer.onChanges();
  }

  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    this.#world.node('a').runtime.sched.after(ms, () => undefined);
    await this.#world.run(() => this.nowMs >= untilMs);
  }
}

const HOUR_MS = 3_600_000;

test('a shard that nobody writes to takes few turns', async () => {
  const shard = new Shard();
  await shard.pass(HOUR_MS);
  expect(shard.turns).toBeGreaterThan(HOUR_MS / 30_000 - 2);
  expect(shard.turns).toBeLessThan(200);
});

test('a shard that was opened and is not written to is quiet at once', async () => {
  const shard = new Shard();
  await shard.pass(25_000);
  expect(shard.turns).toBe(2);
});

test('what is written to one that was just opened is seen after the interval, and merges go on after it', async () => {
  const shard = new Shard();
  await shard.pass(1_200);
  shard.write();
  await shard.pass(1_500);
  expect(shard.refreshedAtMs.length).toBe(1);
  await shard.pass(25_000);
  expect(shard.turns).toBeGreaterThan(20);
});

test('what is written to one that was quiet is seen after the interval, and what follows too', async () => {
  const shard = new Shard();
  await shard.pass(HOUR_MS);
  const writtenMs = shard.nowMs;
  shard.write();
  await shard.pass(1_500);
  shard.write();
  await shard.pass(1_500);
  expect(shard.refreshedAtMs.length).toBe(2);
  expect(shard.refreshedAtMs[0]).toBeLessThanOrEqual(writtenMs + 1_001);
  expect(shard.refreshedAtMs[1]).toBeLessThanOrEqual(writtenMs + 2_502);
});

test('who waits for a refresh of a quiet shard waits no longer than the interval', async () => {
  const shard = new Shard();
  await shard.pass(HOUR_MS);
  const askedMs = shard.nowMs;
  shard.write();
  let seenMs = Number.POSITIVE_INFINITY;
  void shard.cycle.waitForRefresh().then(() => {
    seenMs = shard.nowMs;
  });
  await shard.pass(2_000);
  expect(seenMs).toBeLessThanOrEqual(askedMs + 1_001);
});

test('new settings count at once, however quiet the shard was', async () => {
  const shard = new Shard();
  await shard.pass(HOUR_MS);
  const before = shard.turns;
  shard.cycle.updateSettings(typedIndexSettings({ 'index.refresh_interval': '100ms' }));
  await shard.pass(1_000);
  expect(shard.turns - before).toBeGreaterThanOrEqual(9);
});

import type { ClusterService, StateChange } from '@shoal/membership';
import type { Cancel } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { ManagerDuty } from './manager-duty.ts';

const SELF = 'a';

/** A state is who the manager is and what there is to do. */
interface Known {
  readonly clusterManagerId: string | null;
  readonly everyMs: number | null;
}

class Bench {
  readonly waits: { readonly ms: number; readonly fire: () => void }[] = [];
  begun = 0;
  looks: (() => void)[] = [];
  readonly duty: ManagerDuty<number>;
  #known: Known;
  #listener: ((applied: StateChange) => void) | null = null;

  constructor(known: Known) {
    this.#known = known;
    const cluster = {
      localNode: { id: SELF },
      state: () => this.#known,
      onApplied: (listener: (applied: StateChange) => void) => {
        this.#listener = listener;
        return () => {
          this.#listener = null;
        };
      },
    } as unknown as ClusterService;
    const after = (ms: number, run: () => void): Cancel => {
      const wait = { ms, fire: run };
      this.waits.push(wait);
      return () => {
        if (this.waits.includes(wait)) this.waits.splice(this.waits.indexOf(wait), 1);
      };
    };
    this.duty = new ManagerDuty(
      cluster,
      { sched: { after } as never },
      {
        planOf: (state) => (state as unknown as Known).everyMs,
        waitMs: (everyMs) => everyMs,
        begin: () => {
          this.begun++;
        },
        look: () => new Promise((resolve) => this.looks.push(resolve)),
      },
    );
  }

  apply(known: Known): void {
    this.#known = known;
    this.#listener?.({ state: known } as unknown as StateChange);
  }

  fire(): void {
    this.waits.shift()?.fire();
  }

  async endLook(): Promise<void> {
    this.looks.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }

  waitsMs(): readonly number[] {
    return this.waits.map(({ ms }) => ms);
  }
}

test('only the elected manager waits, and only while there is something to do', () => {
  const bench = new Bench({ clusterManagerId: 'b', everyMs: 10 });
  expect(bench.waitsMs()).toEqual([]);
  bench.apply({ clusterManagerId: SELF, everyMs: null });
  expect(bench.waitsMs()).toEqual([]);
  bench.apply({ clusterManagerId: SELF, everyMs: 10 });
  expect(bench.waitsMs()).toEqual([10]);
  bench.apply({ clusterManagerId: 'b', everyMs: 10 });
  expect(bench.waitsMs()).toEqual([]);
  expect(bench.begun).toBe(1);
});

test('another plan takes the place of the wait', () => {
  const bench = new Bench({ clusterManagerId: SELF, everyMs: 10 });
  bench.apply({ clusterManagerId: SELF, everyMs: 5 });
  expect(bench.waitsMs()).toEqual([5]);
  expect(bench.begun).toBe(1);
});

test('a plan that changes during a look makes neither a second wait nor a second look', async () => {
  const bench = new Bench({ clusterManagerId: SELF, everyMs: 10 });
  bench.fire();
  bench.apply({ clusterManagerId: SELF, everyMs: 5 });
  expect(bench.waitsMs()).toEqual([]);
  await bench.endLook();
  expect(bench.waitsMs()).toEqual([5]);
});

test('nothing is looked at after the end, and the end waits for the look under way', async () => {
  const bench = new Bench({ clusterManagerId: SELF, everyMs: 10 });
  bench.fire();
  let isClosed = false;
  const closing = bench.duty.close().then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  await bench.endLook();
  await closing;
  bench.apply({ clusterManagerId: SELF, everyMs: 5 });
  expect(bench.waitsMs()).toEqual([]);
});

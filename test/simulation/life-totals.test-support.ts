/**
 * What many lives were together: simulated hours, faults survived, writes checked.
 */
import type { LifeReport } from './cluster-life.test-support.ts';
import type { FaultKind } from './life-plan.test-support.ts';

const HOUR_MS = 3_600_000;

export class LifeTotals {
  lives = 0;
  violations = 0;
  readonly #faults = new Map<FaultKind, number>();
  #simulatedMs = 0;
  #acknowledged = 0;
  #unknown = 0;
  #looked = 0;
  #late = 0;
  #stopped = 0;

  /** Lives that are over, in whatever way. */
  get endedCount(): number {
    return this.lives + this.violations;
  }

  get hours(): number {
    return this.#simulatedMs / HOUR_MS;
  }

  add(life: LifeReport): void {
    this.lives += 1;
    this.#simulatedMs += life.simulatedMs;
    this.#acknowledged += life.acknowledged;
    this.#unknown += life.unknown;
    this.#looked += life.looked;
    this.#late += life.late;
    this.#stopped += life.stopped;
    for (const [kind, count] of life.faults) this.#faults.set(kind, (this.#faults.get(kind) ?? 0) + count);
  }

  text(): string {
    const kinds = [...this.#faults].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `${kind} ${count}`);
    const faults = [...this.#faults.values()].reduce((sum, count) => sum + count, 0);
    return [
      `${this.lives} lives, ${this.hours.toFixed(1)} simulated hours, ${this.violations} violations`,
      `${this.#acknowledged} acknowledged writes checked, ${this.#looked} times on a copy, ${this.#late} answers that came late, ${this.#unknown} writes of unknown outcome`,
      `${faults} faults survived (${kinds.join(', ')}), ${this.#stopped} processes stopped by their disks`,
    ].join('; ');
  }
}

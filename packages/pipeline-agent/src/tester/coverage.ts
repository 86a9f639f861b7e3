/**
 * Which parts of a configuration the tests have reached: every way of every condition, every filter and output, and every pattern
 * of those filters that have several. Points of several plans of one configuration are the same when their positions are.
 */
import { type PlannedPlugin, type Position, positionText, type Step } from '@shoal/agent-config';

export interface CoveragePoint {
  /** `file:line:column` in the configuration. */
  readonly position: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Such as `filter grok`, or `if [a] == 1: never true`. */
  readonly what: string;
  /** Events that came here. */
  readonly hits: number;
}

interface Counter {
  readonly position: Position;
  readonly what: string;
  hits: number;
}

export class Coverage {
  readonly #counters = new Map<string, Counter>();

  /** Declares a point; what it returns counts one hit. */
  point(position: Position, what: string): () => void {
    const key = `${positionText(position)} ${what}`;
    const counter = this.#counters.get(key) ?? { position, what, hits: 0 };
    this.#counters.set(key, counter);
    return () => {
      counter.hits++;
    };
  }

  /** In the order of the text. */
  points(): readonly CoveragePoint[] {
    const counters = [...this.#counters.values()].sort(
      ({ position: a }, { position: b }) => compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column,
    );
    return counters.map(({ position, what, hits }) => ({ position: positionText(position), ...position, what, hits }));
  }
}

/** Share of points that were reached, in percent; 100 when there are none. */
export function coveredPercent(points: readonly CoveragePoint[]): number {
  if (points.length === 0) return 100;
  return (points.filter(({ hits }) => hits > 0).length / points.length) * 100;
}

/** Steps with conditions that count which way they send events. */
export function countedSteps<Plugin extends PlannedPlugin>(
  steps: readonly Step<Plugin>[],
  coverage: Coverage,
): readonly Step<Plugin>[] {
  return steps.map((step): Step<Plugin> => {
    if (step.kind === 'plugin') return step;
    const { condition } = step;
    const whenTrue = coverage.point(condition.position, `if ${condition.source}: never true`);
    const whenFalse = coverage.point(condition.position, `if ${condition.source}: never false`);
    return {
      ...step,
      condition: {
        ...condition,
        test: (event) => {
          const verdict = condition.test(event);
          if (verdict) whenTrue();
          else whenFalse();
          return verdict;
        },
      },
      // biome-ignore lint/suspicious/noThenProperty: it is a list, which nothing takes for a promise
      then: countedSteps(step.then, coverage),
      else: countedSteps(step.else, coverage),
    };
  });
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Flow metrics of the whole node: the sums over its pipelines, sampled as one.
 */
import type { View } from '../format/view.ts';
import { FlowWindows } from './flow-windows.ts';
import { EVENT_COUNTERS, eventFlow, sampleOf, type Totals } from './pipeline-flow.ts';

export class NodeFlow {
  readonly #windows: FlowWindows;

  constructor(startMs: number) {
    this.#windows = new FlowWindows({ atMs: startMs, values: new Float64Array(EVENT_COUNTERS) });
  }

  add(atMs: number, totals: Totals): void {
    this.#windows.add(sampleOf(atMs, totals));
  }

  metrics(atMs: number, totals: Totals, workerCount: number): View {
    return eventFlow(this.#windows.basesOf(sampleOf(atMs, totals)), workerCount);
  }
}

/**
 * Events of the whole node. A pipeline that was reloaded or removed has gone, what it did has not: its last numbers stay in
 * the sum, so that the counters of the node never fall.
 */
import type { AgentCore } from '../../agent/agent.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { View } from '../format/view.ts';
import { type Totals, totalsOf } from './pipeline-flow.ts';

const NOTHING: Totals = { in: 0, filtered: 0, out: 0, workerMs: 0, pushMs: 0 };

export class NodeTotals {
  readonly #core: AgentCore;
  #known = new Map<string, Pipeline>();
  #gone: Totals = NOTHING;

  constructor(core: AgentCore) {
    this.#core = core;
  }

  /** To be asked every few seconds at least: what comes and goes between is not seen. */
  now(): Totals {
    const running = new Map(this.#core.pipelines.map(({ id, pipeline }) => [id, pipeline]));
    for (const [id, pipeline] of this.#known) {
      if (running.get(id) !== pipeline) this.#gone = plus(this.#gone, totalsOf(pipeline));
    }
    this.#known = running;
    return [...running.values()].map(totalsOf).reduce(plus, this.#gone);
  }
}

export function totalsView(totals: Totals): View {
  return {
    in: totals.in,
    filtered: totals.filtered,
    out: totals.out,
    duration_in_millis: Math.round(totals.workerMs),
    queue_push_duration_in_millis: Math.round(totals.pushMs),
  };
}

function plus(a: Totals, b: Totals): Totals {
  return {
    in: a.in + b.in,
    filtered: a.filtered + b.filtered,
    out: a.out + b.out,
    workerMs: a.workerMs + b.workerMs,
    pushMs: a.pushMs + b.pushMs,
  };
}

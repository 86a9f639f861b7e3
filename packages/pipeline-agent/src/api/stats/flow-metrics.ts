/**
 * The flows of the node and of every pipeline that runs: sampled every few seconds, asked at any time.
 */
import type { AgentCore, RunningPipeline } from '../../agent/agent.ts';
import type { View } from '../format/view.ts';
import { NodeFlow } from './node-flow.ts';
import { NodeTotals } from './node-totals.ts';
import { PipelineFlow, type PipelineRates, type Totals } from './pipeline-flow.ts';

export class FlowMetrics {
  readonly #core: AgentCore;
  readonly #totals: NodeTotals;
  readonly #node: NodeFlow;
  readonly #pipelines = new Map<string, PipelineFlow>();

  constructor(core: AgentCore) {
    this.#core = core;
    this.#totals = new NodeTotals(core);
    this.#node = new NodeFlow(Math.min(this.#nowMs(), ...core.pipelines.map(({ pipeline }) => pipeline.startMs)));
  }

  sample(): void {
    const { pipelines } = this.#core;
    this.#node.add(this.#nowMs(), this.#totals.now());
    for (const one of pipelines) this.#flowOf(one).add(this.#nowMs());
    const running = new Set(pipelines.map(({ id }) => id));
    for (const id of this.#pipelines.keys()) if (!running.has(id)) this.#pipelines.delete(id);
  }

  totals(): Totals {
    return this.#totals.now();
  }

  ofNode(): View {
    const workerCount = this.#core.pipelines.reduce((sum, { pipeline }) => sum + pipeline.workerCountMax, 0);
    return this.#node.metrics(this.#nowMs(), this.#totals.now(), workerCount);
  }

  ofPipeline(running: RunningPipeline): PipelineRates {
    return this.#flowOf(running).rates(this.#nowMs());
  }

  /** One that was reloaded counts from zero again. */
  #flowOf({ id, pipeline }: RunningPipeline): PipelineFlow {
    const found = this.#pipelines.get(id);
    if (found?.pipeline === pipeline) return found;
    const flow = new PipelineFlow(pipeline);
    this.#pipelines.set(id, flow);
    return flow;
  }

  #nowMs(): number {
    return this.#core.runtime.clock.monotonicMs();
  }
}

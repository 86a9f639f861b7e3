/**
 * A pipeline as a graph of plugins, conditions and the queue, as monitoring tools draw it.
 */
import { createHash } from 'node:crypto';
import type { PlannedPlugin, Position, Step } from '@shoal/agent-config';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { View } from '../format/view.ts';

const QUEUE = '__QUEUE__';

/** Source of an edge; `when` for those that leave a condition. */
interface Loose {
  readonly from: string;
  readonly when: boolean | null;
}

export function pipelineGraph(pipeline: Pipeline): View {
  const { plan } = pipeline;
  const graph = new Graph();
  const inputs: Loose[] = plan.inputs.map((input) => ({ from: graph.plugin(input), when: null }));
  graph.vertex({ id: QUEUE, explicit_id: false, type: 'queue', meta: null });
  graph.connect(inputs, QUEUE);
  const filtered = graph.steps(plan.filters, [{ from: QUEUE, when: null }]);
  // Every output gets what left the filters: none stands behind another.
  for (const step of plan.outputs) graph.steps([step], filtered);
  return {
    hash: pipeline.hash,
    type: 'lir',
    version: '0.0.0',
    graph: { vertices: graph.vertices, edges: graph.edges },
  };
}

class Graph {
  readonly vertices: View[] = [];
  readonly edges: View[] = [];

  vertex(view: View): void {
    this.vertices.push(view);
  }

  plugin(plan: PlannedPlugin): string {
    this.vertex({
      id: plan.id,
      explicit_id: plan.hasExplicitId,
      type: 'plugin',
      plugin_type: plan.kind,
      config_name: plan.name,
      meta: sourceView(plan.position),
    });
    return plan.id;
  }

  connect(loose: readonly Loose[], to: string): void {
    for (const { from, when } of loose) {
      const id = hashOf(`${from} ${to} ${when}`);
      this.edges.push(when === null ? { id, from, to, type: 'plain' } : { id, from, to, type: 'boolean', when });
    }
  }

  /** Returns the loose ends behind the last step. */
  steps(steps: readonly Step<PlannedPlugin>[], start: readonly Loose[]): readonly Loose[] {
    let loose = start;
    for (const step of steps) {
      if (step.kind === 'plugin') {
        const id = this.plugin(step.plugin);
        this.connect(loose, id);
        loose = [{ from: id, when: null }];
        continue;
      }
      const { source, position } = step.condition;
      const id = hashOf(`if ${position.file}:${position.line}:${position.column} ${source}`);
      this.vertex({ id, explicit_id: false, type: 'if', condition: source, meta: sourceView(position) });
      this.connect(loose, id);
      const then = this.steps(step.then, [{ from: id, when: true }]);
      loose = [...then, ...this.steps(step.else, [{ from: id, when: false }])];
    }
    return loose;
  }
}

function sourceView({ file, line, column }: Position): View {
  return { source: { protocol: 'file', id: file, line, column } };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

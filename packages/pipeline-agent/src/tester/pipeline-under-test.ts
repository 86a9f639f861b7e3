/**
 * The filters of a pipeline on a bench: events go in, and what would reach the outputs comes out. No inputs, outputs, queue
 * or workers; the conditions around outputs are asked all the same.
 *
 * The configuration is compiled once. Each case has filters of its own, so that nothing of one case reaches the next; only
 * filters that say they keep no state serve all cases, since making some of them (grok) costs more than a case.
 */

import {
  ConfigError,
  type ConfigTree,
  flatPlugins,
  type PipelinePlan,
  type PlannedFilter,
  type PlannedInput,
  type PlannedPlugin,
  positionOfText,
  positionText,
  type Step,
} from '@shoal/agent-config';
import { createEvent, type LogEvent, stampEvent, Timestamp } from '@shoal/agent-event';
import { type Codec, type Filter, type PluginContext, SharedInstances, streamDecoder } from '@shoal/agent-plugin-kit';
import { assert, messageOf } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import { boundOptions } from '../instances/bound-options.ts';
import { createPlugin } from '../instances/create-plugin.ts';
import { contextOf } from '../instances/plugin-context.ts';
import type { PipelineSource } from '../sources/pipeline-source.ts';
import { failureTags } from '../stages/failure-tags.ts';
import {
  type FilterStep,
  flushFilters,
  type RunningFilter,
  runFilters,
  type StageListener,
} from '../stages/filter-stage.ts';
import { type OutputStep, runOutputs } from '../stages/output-stage.ts';
import { runningSteps } from '../stages/running-steps.ts';
import type { CaseClock } from './case-clock.ts';
import { type Coverage, countedSteps } from './coverage.ts';
import type { TestCase } from './test-case.ts';

export interface PipelineParts {
  readonly runtime: Runtime;
  readonly source: PipelineSource;
  readonly tree: ConfigTree;
  readonly plan: PipelinePlan;
  readonly coverage: Coverage;
  /** The plan was compiled with it. */
  readonly clock: CaseClock;
}

export interface CaseOutcome {
  readonly events: readonly LogEvent[];
  /** What plugins and conditions threw. */
  readonly failures: readonly string[];
}

const encoder = new TextEncoder();

function countedOutputs({ plan, coverage }: PipelineParts): readonly OutputStep[] {
  const filterCount = flatPlugins(plan.filters).length;
  return runningSteps(countedSteps(plan.outputs, coverage), (output) => {
    const reached = coverage.point(output.position, `output ${output.name}`);
    return { plan: output, output: { receive: async () => reached() }, index: filterCount };
  });
}

export class PipelineUnderTest {
  readonly #parts: PipelineParts;
  readonly #clock: CaseClock;
  readonly #steps: readonly Step<PlannedFilter>[];
  /** Outputs that only count what would come to them. */
  readonly #outputs: readonly OutputStep[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #reached: readonly (() => void)[];
  /** Filters that keep no state, by plugin id: one instance for all cases. */
  readonly #shared = new Map<string, RunningFilter>();
  readonly #codecs = new Map<string, Codec>();
  readonly #lasting = new SharedInstances();
  /** Set while all filters are stateless: then nothing is made for a case. */
  #sharedSteps: readonly FilterStep[] | null = null;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.#clock = parts.clock;
    this.#steps = countedSteps(parts.plan.filters, parts.coverage);
    this.#outputs = countedOutputs(parts);
    const filters = flatPlugins(parts.plan.filters);
    this.#indexes = new Map(filters.map((plan, index) => [plan.id, index]));
    this.#reached = filters.map((plan) => parts.coverage.point(plan.position, `filter ${plan.name}`));
  }

  /** @throws ConfigError for a filter that cannot be made */
  async run(test: TestCase): Promise<CaseOutcome> {
    this.#clock.set(test.nowMs);
    const failures: string[] = [];
    const given = this.#inputOf(test);
    const own: RunningFilter[] = [];
    const steps = await this.#stepsOf(own);
    const listener = this.#listener(failures);
    const filtered = await runFilters(steps, given, listener);
    const flushed = await flushFilters(steps, true, listener);
    for (const { filter } of own) await filter.stop?.();
    const events = [...filtered, ...flushed].filter((event) => !event.isCancelled);
    await runOutputs(this.#outputs, [events], listener);
    return { events, failures };
  }

  async close(): Promise<void> {
    for (const { filter } of this.#shared.values()) await filter.stop?.();
  }

  /** `own` gets the filters that live for this case only. */
  async #stepsOf(own: RunningFilter[]): Promise<readonly FilterStep[]> {
    if (this.#sharedSteps !== null) return this.#sharedSteps;
    const started: RunningFilter[] = [];
    const runtime = this.#clock.runtimeOf(this.#parts.runtime);
    const commons = new SharedInstances();
    const steps = runningSteps(this.#steps, (plan) => {
      const known = this.#shared.get(plan.id);
      if (known !== undefined) return known;
      const running = this.#make(plan, runtime, commons);
      if (plan.definition.isStateless === true) this.#shared.set(plan.id, running);
      else own.push(running);
      started.push(running);
      return running;
    });
    for (const { filter } of started) await filter.start?.();
    if (own.length === 0) this.#sharedSteps = steps;
    return steps;
  }

  #make(plan: PlannedFilter, runtime: Runtime, commons: SharedInstances): RunningFilter {
    const context = { ...this.#contextOf(plan, runtime), commons, lasting: this.#lasting };
    const make = (): Filter => plan.definition.create(boundOptions(plan, context), context);
    return { plan, filter: createPlugin(this.#parts.source, plan, make), index: this.#indexes.get(plan.id) ?? 0 };
  }

  #contextOf(plan: PlannedPlugin, runtime: Runtime): PluginContext {
    const { source, tree, coverage } = this.#parts;
    const context = contextOf({
      runtime,
      source,
      plan,
      metrics: { increment: () => {}, gauge: () => {} },
      deadLetters: null,
      bus: {
        send: async () => {},
        listen: () => () => {},
      },
    });
    const part = (text: string): (() => void) =>
      coverage.point(positionOfText(tree, plan.position, text) ?? plan.position, `${plan.name} pattern ${text}`);
    return { ...context, coverage: { part } };
  }

  #listener(failures: string[]): StageListener {
    const failed = (place: string, error: unknown): void => void failures.push(`${place}: ${messageOf(error)}`);
    return {
      nowMs: () => 0,
      entering: () => {},
      counted: (index, counts) => {
        if (counts.in > 0) this.#reached[index]?.();
      },
      created: () => {},
      dropped: () => {},
      wantsOriginals: false,
      filterFailed: async ({ running: { plan }, event, error }) => {
        for (const tag of failureTags(plan)) event.tag(tag);
        failed(`${plan.name} at ${positionText(plan.position)}`, error);
      },
      failed: async (event, { pluginId, error }) => {
        event.cancel();
        failed(pluginId, error);
      },
    };
  }

  #inputOf(test: TestCase): readonly LogEvent[] {
    const input = this.#inputPlan(test);
    const decoder = streamDecoder(this.#codecOf(input));
    const now = new Timestamp(this.#clock.wallMs());
    const events: LogEvent[] = [];
    const take = (decoded: readonly LogEvent[]): void => {
      for (const event of decoded) {
        stampEvent(event, now);
        input.decorate(event);
        events.push(event);
      }
    };
    for (const item of test.input) {
      if (item.kind === 'text') {
        take(decoder.decode(encoder.encode(`${item.text.replace(/\n$/, '')}\n`)));
        continue;
      }
      const event = createEvent(item.fields);
      stampEvent(event, now);
      events.push(event);
    }
    take(decoder.flush());
    return events;
  }

  #inputPlan(test: TestCase): PlannedInput {
    const { inputs } = this.#parts.plan;
    const [first] = inputs;
    assert(first !== undefined, 'a tested pipeline has an input for lines');
    if (test.inputId === null) return first;
    const found = inputs.find(({ id, name }) => id === test.inputId || name === test.inputId);
    if (found !== undefined) return found;
    const names = inputs.map(({ id, name, hasExplicitId }) => (hasExplicitId ? id : name)).join(', ');
    const message = `There is no input '${test.inputId}' in the configuration; there are ${names}`;
    throw new ConfigError([{ position: test.position, message, hint: null, excerpt: '' }]);
  }

  #codecOf(input: PlannedInput): Codec {
    const known = this.#codecs.get(input.id);
    if (known !== undefined) return known;
    const codec = boundOptions(input, this.#contextOf(input, this.#parts.runtime)).codec('codec');
    this.#codecs.set(input.id, codec);
    return codec;
  }
}

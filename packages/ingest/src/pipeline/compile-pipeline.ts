/**
 * From the configuration of a pipeline to what runs. What cannot run is refused here, when it is put, and not when the first
 * document comes.
 */
import { isShoalError, ShoalError, withSuppressed } from '@shoal/core';
import { type ConfigPlace, configError, NO_PLACE } from '../contract/config-error.ts';
import type { PipelineParts, ProcessorStep } from '../contract/processor.ts';
import { ProcessorConfig } from '../contract/processor-config.ts';
import { RunStats } from '../contract/run-stats.ts';
import { PROCESSOR_TYPES } from '../processors/processor-types.ts';
import { condition } from '../scripts/condition.ts';
import type { DocumentMap, DocumentValue } from '../values/document-value.ts';
import { javaType } from '../values/java-types.ts';

export interface CompiledPipeline {
  readonly id: string;
  readonly steps: readonly ProcessorStep[];
  /** Run instead of the rest when a step fails; empty: the document fails. */
  readonly onFailure: readonly ProcessorStep[];
  readonly stats: RunStats;
}

/** Processors inside processors. */
const DEPTH_MAX = 100;

/** @throws parse_exception (400) that names processor and property; further mistakes are in `suppressed` */
export function compilePipeline(id: string, config: DocumentMap, parts: PipelineParts): CompiledPipeline {
  const properties = new ProcessorConfig(NO_PLACE, config);
  const compiler = new Compiler(parts);
  properties.optionalText('description');
  properties.optionalInteger('version');
  properties.optionalMap('_meta');
  properties.flag('deprecated', false);
  const steps = compiler.steps(properties.list('processors'), 0);
  const failureConfigs = properties.optionalList('on_failure');
  const onFailure = compiler.steps(failureConfigs ?? [], 0);
  const unread = properties.unread();
  if (unread.length > 0) {
    const problem = `doesn't support one or more provided configuration parameters [${unread.join(', ')}]`;
    throw configError(NO_PLACE, null, `pipeline [${id}] ${problem}`);
  }
  if (failureConfigs?.length === 0) {
    throw configError(NO_PLACE, null, `pipeline [${id}] cannot have an empty on_failure option defined`);
  }
  return { id, steps, onFailure, stats: new RunStats() };
}

class Compiler {
  readonly #parts: PipelineParts;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
  }

  steps(configs: readonly DocumentValue[], depth: number): readonly ProcessorStep[] {
    const steps: ProcessorStep[] = [];
    const mistakes: ShoalError[] = [];
    for (const config of configs) {
      if (!(config instanceof Map)) {
        throw configError(NO_PLACE, 'processors', `property isn't a list of maps, but holds [${javaType(config)}]`);
      }
      for (const [type, properties] of config) {
        try {
          steps.push(this.#step(type, properties, depth));
        } catch (error) {
          if (!isShoalError(error)) throw error;
          mistakes.push(error);
        }
      }
    }
    const [first, ...others] = mistakes;
    if (first === undefined) return steps;
    throw withSuppressed(first, others);
  }

  #step(type: string, value: DocumentValue, depth: number): ProcessorStep {
    if (depth > DEPTH_MAX) {
      throw configError({ type, tag: null }, null, `processors are nested deeper than [${DEPTH_MAX}]`);
    }
    if (!(value instanceof Map)) {
      throw configError({ type, tag: null }, null, `property isn't a map, but of type [${javaType(value)}]`);
    }
    const common = new ProcessorConfig(NO_PLACE, value);
    const ignoresFailure = common.flag('ignore_failure', false);
    const failureConfigs = common.optionalList('on_failure');
    const tag = common.optionalText('tag');
    const description = common.optionalText('description');
    const place: ConfigPlace = { type, tag };
    if (failureConfigs?.length === 0) throw configError(place, 'on_failure', 'processors list cannot be empty');
    const configured = common.optionalValue('if');
    const onFailure = this.steps(failureConfigs ?? [], depth + 1);
    const processorType = PROCESSOR_TYPES.get(type);
    if (processorType === undefined) throw configError(place, null, `No processor type exists with name [${type}]`);
    const config = common.at(place);
    const { processor, condition: when } = placed(place, () => ({
      condition: configured === null ? null : condition(configured, place, this.#parts.scripts),
      processor: processorType.create(config, {
        ...this.#parts,
        createStep: (inner, properties) => this.#step(inner, properties, depth + 1),
      }),
    }));
    const unread = config.unread();
    if (unread.length > 0) {
      const problem = `doesn't support one or more provided configuration parameters [${unread.join(', ')}]`;
      throw configError(place, null, `processor [${type}] ${problem}`);
    }
    return { type, tag, description, processor, condition: when, ignoresFailure, onFailure, stats: new RunStats() };
  }
}

/** @throws what `make` throws, with the place in it */
function placed<T>({ type, tag }: ConfigPlace, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!isShoalError(error) || error.metadata.processor_type !== undefined) throw error;
    const { causedBy, details } = error;
    throw new ShoalError(error.type, error.status, error.reason, {
      metadata: { ...error.metadata, processor_type: type, ...(tag === null ? {} : { processor_tag: tag }) },
      details,
      ...(causedBy === undefined ? {} : { causedBy }),
    });
  }
}

/**
 * From the tree to the plan: plugins found and their options checked, conditions compiled, ids given. All problems of a
 * configuration are found before it is refused.
 */
import { createHash } from 'node:crypto';
import type { EscapeStyle, TemplateOptions } from '@shoal/agent-event';
import type { PluginKind } from '@shoal/agent-plugin-kit';
import { isShoalError } from '@shoal/core';
import { type ConditionContext, compileCondition } from '../conditions/compile-condition.ts';
import type { InputDecoration } from '../decorations/decorations.ts';
import { decorationOfFilter, decorationOfInput, isDecorationConstant } from '../decorations/plan-decorations.ts';
import { AttributeReader, type LanguageOptions } from '../options/attribute-values.ts';
import {
  type CheckContext,
  checkPlugin,
  type Finding,
  findPlugin,
  type PluginLookup,
} from '../options/check-plugin.ts';
import { type CheckedOptions, optionText } from '../options/checked-options.ts';
import type { CoercionContext } from '../options/coerce-option.ts';
import { ConfigError, type ConfigProblem, problemAt } from '../source/config-error.ts';
import type { BranchNode, ConfigTree, PluginNode, SectionName, StatementNode } from '../source/config-tree.ts';
import { type Position, positionText } from '../source/position.ts';
import type { PipelinePlan, PlannedFilter, PlannedInput, PlannedOutput, PlannedPlugin, Step } from './pipeline-plan.ts';

export interface CompileOptions extends LanguageOptions, CoercionContext {
  readonly plugins: PluginLookup;
  readonly compileRegex: ConditionContext['compileRegex'];
}

/** @throws ConfigError with every problem of the configuration */
export function compilePipeline(tree: ConfigTree, options: CompileOptions): PipelinePlan {
  return new PipelineCompiler(tree, options).compile();
}

const NO_DECORATION: InputDecoration = () => {};

class PipelineCompiler {
  private readonly tree: ConfigTree;
  private readonly problems: ConfigProblem[] = [];
  private readonly warnings: string[] = [];
  private readonly ids = new Map<string, Position>();
  private readonly reader: AttributeReader;
  private readonly checkContext: CheckContext;
  private readonly conditionContext: ConditionContext;

  constructor(tree: ConfigTree, options: CompileOptions) {
    this.tree = tree;
    const { source } = tree;
    this.reader = new AttributeReader(source, options, (problem) => this.problems.push(problem));
    this.checkContext = {
      ...options,
      codecId: (name, position) => hashId('codec', position, name),
      report: (finding) => this.take(finding),
    };
    const escapeStyle: EscapeStyle = options.escapeStyle ?? 'none';
    this.conditionContext = {
      source,
      compileRegex: options.compileRegex,
      escapeStyle,
      text: (raw, offset) => this.reader.text(raw, offset),
      report: (severity, offset, message, hint) => {
        if (severity === 'error') this.problems.push(problemAt(source, offset, message, hint ?? null));
        else this.warn(source.position(offset), message);
      },
    };
  }

  compile(): PipelinePlan {
    const inputs: PlannedInput[] = [];
    const filters: Step<PlannedFilter>[] = [];
    const outputs: Step<PlannedOutput>[] = [];
    for (const section of this.tree.sections) {
      if (section.name === 'input') inputs.push(...this.inputs(section.body));
      else if (section.name === 'filter') filters.push(...this.steps(section.body, (node) => this.filter(node)));
      else outputs.push(...this.steps(section.body, (node) => this.output(node)));
    }
    if (this.problems.length > 0) throw new ConfigError(this.sortedProblems());
    return { inputs, filters, outputs, warnings: this.warnings };
  }

  private sortedProblems(): readonly ConfigProblem[] {
    const offset = (problem: ConfigProblem): number => this.tree.source.offset(problem.position);
    return [...this.problems].sort((a, b) => offset(a) - offset(b));
  }

  private inputs(body: readonly StatementNode[]): readonly PlannedInput[] {
    const inputs: PlannedInput[] = [];
    for (const node of body) {
      if (node.kind === 'branch') this.problem(node.start, 'Conditions cannot stand among inputs');
      else {
        const plugin = this.input(node);
        if (plugin !== null) inputs.push(plugin);
      }
    }
    return inputs;
  }

  private steps<Plugin extends PlannedPlugin>(
    body: readonly StatementNode[],
    make: (node: PluginNode) => Plugin | null,
  ): readonly Step<Plugin>[] {
    const steps: Step<Plugin>[] = [];
    for (const node of body) {
      if (node.kind === 'branch') steps.push(...this.branch(node, make));
      else {
        const plugin = make(node);
        if (plugin !== null) steps.push({ kind: 'plugin', plugin });
      }
    }
    return steps;
  }

  /** `else if` is a branch in the `else` of the one before. Built from the last arm: chains may be long. */
  private branch<Plugin extends PlannedPlugin>(
    node: BranchNode,
    make: (node: PluginNode) => Plugin | null,
  ): readonly Step<Plugin>[] {
    const arms = node.arms.map((arm) => ({
      condition: {
        source: this.tree.source.text.slice(arm.condition.start, arm.condition.end),
        position: this.tree.source.position(arm.start),
        test: compileCondition(arm.condition, this.conditionContext),
      },
      body: this.steps(arm.body, make),
    }));
    let rest: readonly Step<Plugin>[] = node.otherwise === null ? [] : this.steps(node.otherwise, make);
    for (const { condition, body } of arms.reverse()) {
      // biome-ignore lint/suspicious/noThenProperty: it is a list, which nothing takes for a promise
      rest = [{ kind: 'branch', condition, then: body, else: rest }];
    }
    return rest;
  }

  private input(node: PluginNode): PlannedInput | null {
    const planned = this.plugin('input', node);
    if (planned?.definition.kind !== 'input') return null;
    const { definition } = planned;
    return {
      ...planned,
      kind: 'input',
      definition,
      decorate: this.decoration(planned, decorationOfInput) ?? NO_DECORATION,
      isDecorationConstant: isDecorationConstant(planned.options),
    };
  }

  private filter(node: PluginNode): PlannedFilter | null {
    const planned = this.plugin('filter', node);
    if (planned?.definition.kind !== 'filter') return null;
    const { definition, position } = planned;
    // The language allows such names, and Logstash starts with them: only events show that they are no references.
    const warn = (why: string): void => this.warn(position, `In the fields or tags of ${planned.name}: ${why}`);
    const decorate = this.decoration(planned, (options, templates) => decorationOfFilter(options, templates, warn));
    return { ...planned, kind: 'filter', definition, decorate };
  }

  private output(node: PluginNode): PlannedOutput | null {
    const planned = this.plugin('output', node);
    return planned?.definition.kind === 'output'
      ? { ...planned, kind: 'output', definition: planned.definition }
      : null;
  }

  /** null also when a name or template in it is wrong, which is reported. */
  private decoration<Decoration>(
    planned: PlannedPlugin,
    compile: (options: CheckedOptions, templates: TemplateOptions) => Decoration,
  ): Decoration | null {
    try {
      return compile(planned.options, this.checkContext);
    } catch (error) {
      if (!isShoalError(error)) throw error;
      this.problem(
        this.tree.source.offset(planned.position),
        `In the fields or tags of ${planned.name}: ${error.message}`,
      );
      return null;
    }
  }

  /** null when there is no such plugin, which was reported. */
  private plugin(kind: SectionName & PluginKind, node: PluginNode): PlannedPlugin | null {
    const name = this.reader.name(node.name);
    const position = this.tree.source.position(node.start);
    const given = this.reader.options(node);
    const definition = findPlugin(kind, name, position, this.checkContext);
    if (definition === undefined) return null;
    const options = checkPlugin({ options: given, position }, definition, this.checkContext);
    const source = this.tree.source.text.slice(node.start, node.end);
    const explicitId = textOption(options, 'id');
    const id = explicitId ?? hashId(kind, position, source);
    this.claimId(id, position);
    this.claimCodecIds(options);
    const ecs = textOption(options, 'ecs_compatibility');
    return {
      kind,
      name,
      id,
      hasExplicitId: explicitId !== null,
      position,
      source,
      definition,
      options,
      hasMetrics: textOption(options, 'enable_metric') !== 'false',
      ecs: ecs === 'disabled' || ecs === 'v1' || ecs === 'v8' ? ecs : null,
    };
  }

  private claimCodecIds(options: CheckedOptions): void {
    for (const value of options.values.values()) {
      if (value.kind === 'codec' && value.codec.hasExplicitId) this.claimId(value.codec.id, value.codec.position);
    }
  }

  private claimId(id: string, position: Position): void {
    const before = this.ids.get(id);
    if (before === undefined) this.ids.set(id, position);
    else {
      const message = `The id '${id}' is given twice: the first is at ${positionText(before)}`;
      this.problem(this.tree.source.offset(position), message);
    }
  }

  private take(finding: Finding): void {
    if (finding.severity === 'warning') this.warn(finding.position, finding.message);
    else this.problem(this.tree.source.offset(finding.position), finding.message);
  }

  private problem(offset: number, message: string): void {
    this.problems.push(problemAt(this.tree.source, offset, message));
  }

  private warn(position: Position, message: string): void {
    this.warnings.push(`${positionText(position)}: ${message}`);
  }
}

function textOption(options: CheckedOptions, name: string): string | null {
  const value = options.values.get(name);
  return value === undefined ? null : optionText(value.value);
}

/** Id of a plugin without one: the same text at the same position has the same id in every run. */
function hashId(section: string, position: Position, source: string): string {
  return createHash('sha256')
    .update(`${section}\n${positionText(position)}\n${source}`)
    .digest('hex');
}

/**
 * `aggs` of a request to a tree of aggregations.
 */
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  nearestNames,
  parsingException,
  tokenName,
} from '@shoal/core';
import type { Aggregation, AggregationLevel } from '../tree/aggregation.ts';
import type { PipelineAggregation } from '../tree/pipeline-aggregation.ts';
import { isMetric } from '../values/metric-value.ts';
import { AGGREGATION_PARSERS, type NamedParts, NOT_SUPPORTED } from './aggregation-parsers.ts';
import { OptionReader, plainObject } from './option-reader.ts';
import { checkPipelines, PIPELINE_PARSERS, type PipelineParser, SCRIPTED_PIPELINES } from './parse-pipelines.ts';
import { initializationError } from './parse-values-source.ts';

/** Aggregations within aggregations. */
const DEPTH_MAX = 50;
/** Aggregations of a request. */
const COUNT_MAX = 10_000;

/** In the order of the request. @throws ShoalError with type, text and place as Elasticsearch has them */
export function parseAggregations(node: JsonObjectNode): AggregationLevel {
  const budget = { left: COUNT_MAX };
  const level = parseLevel(node, 0, budget);
  checkPipelines(level.pipelines, level.aggregations, null);
  return level;
}

function parseLevel(node: JsonNode, depth: number, budget: { left: number }): AggregationLevel {
  if (node.kind !== 'object') {
    throw parsingException(`Expected [START_OBJECT] under [aggs], but got a [${tokenName(node)}]`, node.at);
  }
  if (depth > DEPTH_MAX) throw illegalArgument(`aggregations nest deeper than [${DEPTH_MAX}]`);
  const seen = new Set<string>();
  const aggregations: Aggregation[] = [];
  const pipelines: PipelineAggregation[] = [];
  for (const member of node.members) {
    if (budget.left-- <= 0) throw illegalArgument(`a request has more than [${COUNT_MAX}] aggregations`);
    if (seen.has(member.name))
      throw illegalArgument(`Two sibling aggregations cannot have the same name: [${member.name}]`);
    seen.add(member.name);
    const parsed = parseOne(member, depth, budget);
    if (parsed.kind === 'sibling' || parsed.kind === 'parent') pipelines.push(parsed);
    else aggregations.push(parsed);
  }
  return { aggregations, pipelines };
}

function parseOne(member: JsonMember, depth: number, budget: { left: number }): Aggregation | PipelineAggregation {
  const { name, value } = member;
  if (!/^[^[\]>]+$/.test(name)) {
    throw parsingException(
      `Invalid aggregation name [${name}]. Aggregation names can contain any character except '[', ']', and '>'`,
      member.at,
    );
  }
  if (value.kind !== 'object') {
    throw parsingException(
      `Aggregation definition for [${name} starts with a [${tokenName(value)}], expected a [START_OBJECT].`,
      value.at,
    );
  }
  let definition: JsonMember | null = null;
  let childrenNode: JsonNode | null = null;
  let meta: Readonly<Record<string, unknown>> | null = null;
  for (const part of value.members) {
    if (part.name === 'aggs' || part.name === 'aggregations') {
      if (childrenNode) throw parsingException(`Found two sub aggregation definitions under [${name}]`, part.at);
      childrenNode = part.value;
    } else if (part.name === 'meta') meta = plainObject(part.value);
    else if (definition) {
      const both = `[${definition.name}] and [${part.name}]`;
      throw parsingException(`Found two aggregation type definitions in [${name}]: ${both}`, part.at);
    } else definition = part;
  }
  if (!definition) throw parsingException(`Missing definition for aggregation [${name}]`, value.end);
  const level = childrenNode === null ? NO_LEVEL : parseLevel(childrenNode, depth + 1, budget);
  const pipelineParser = PIPELINE_PARSERS.get(definition.name) ?? SCRIPTED_PIPELINES.get(definition.name);
  if (pipelineParser !== undefined) return buildPipeline(definition, { name, meta }, level, pipelineParser);
  const named = { name, meta, children: level.aggregations, pipelines: level.pipelines };
  const aggregation = build(definition, named, depth);
  checkPipelines(level.pipelines, level.aggregations, aggregation);
  return aggregation;
}

const NO_LEVEL: AggregationLevel = { aggregations: [], pipelines: [] };

function buildPipeline(
  { name: type, value }: JsonMember,
  named: Pick<PipelineAggregation, 'name' | 'meta'>,
  { aggregations, pipelines }: AggregationLevel,
  parser: PipelineParser,
): PipelineAggregation {
  const options = new OptionReader(type, value);
  const parsed = parser(named, options);
  options.finish();
  if (aggregations.length > 0 || pipelines.length > 0) {
    throw initializationError(`Aggregation [${named.name}] cannot define sub-aggregations`);
  }
  return parsed;
}

function build(definition: JsonMember, named: NamedParts, depth: number): Aggregation {
  const type = definition.name;
  const parser = AGGREGATION_PARSERS.get(type);
  if (!parser) throw unknownType(definition);
  const options = new OptionReader(type, definition.value);
  const parsed = parser(named, options);
  options.finish();
  if (isMetric(parsed) && named.children.length + named.pipelines.length > 0) {
    throw initializationError(`Aggregator [${named.name}] of type [${type}] cannot accept sub-aggregations`);
  }
  if (type === 'global' && depth > 0) {
    throw initializationError(
      `Aggregation [${named.name}] cannot have a global sub-aggregation [${named.name}]. Global aggregations can only be defined as top level aggregations`,
    );
  }
  if (type === 'composite' && depth > 0) {
    throw illegalArgument('[composite] aggregation cannot be used with a parent aggregation');
  }
  return parsed;
}

function unknownType({ name, at }: JsonMember): Error {
  if (NOT_SUPPORTED.has(name)) return illegalArgument(`aggregation [${name}] is not supported by this server`);
  const near = nearestNames(name, [...AGGREGATION_PARSERS.keys(), ...PIPELINE_PARSERS.keys()]);
  const hint = near.length === 0 ? '' : ` did you mean ${near.length === 1 ? '' : 'any of '}[${near.join(', ')}]?`;
  return parsingException(`Unknown aggregation type [${name}]${hint}`, at);
}

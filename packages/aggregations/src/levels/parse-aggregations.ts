/**
 * `aggs` of a request to a tree of aggregations.
 */
import {
  assert,
  didYouMean,
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  parsingException,
  ShoalError,
  tokenName,
} from '@shoal/core';
import type { ParseContext } from '../contract/aggregation-parser.ts';
import type { PipelineParser } from '../contract/pipeline-kind.ts';
import { AGGREGATION_TYPES } from '../kinds/aggregation-kinds.ts';
import { UNSUPPORTED_TYPES } from '../kinds/unsupported-types.ts';
import { PIPELINE_KINDS } from '../pipelines/kinds/pipeline-kinds.ts';
import { OptionReader, objectText } from '../request/option-reader.ts';
import { initializationError } from '../request/request-errors.ts';
import { type AggregationLevel, type AggregationNode, type NamedParts, NO_LEVEL } from '../tree/aggregation-node.ts';
import type { PipelineNode } from '../tree/pipeline-node.ts';
import { checkPipelines } from './check-pipelines.ts';
import { checkOrder } from './order-numbers.ts';

/** Deepest level of aggregations within aggregations. */
export const DEPTH_MAX = 50;
/** Aggregations of one request. */
export const COUNT_MAX = 10_000;

const CONTEXT: ParseContext = { checkOrder };

/** Parses a level in the order of the request. @throws ShoalError with type, text and position as Elasticsearch has them */
export function parseAggregations(node: JsonObjectNode): AggregationLevel {
  const budget = { left: COUNT_MAX };
  const level = parseLevel(node, 0, budget);
  checkPipelines(level);
  return level;
}

function parseLevel(node: JsonNode, depth: number, budget: { left: number }): AggregationLevel {
  if (node.kind !== 'object') {
    throw parsingException(`Expected [START_OBJECT] under [aggs], but got a [${tokenName(node)}]`, node.at);
  }
  if (depth > DEPTH_MAX) throw illegalArgument(`aggregations nest deeper than [${DEPTH_MAX}]`);
  const seen = new Set<string>();
  const aggregations: AggregationNode[] = [];
  const pipelines: PipelineNode[] = [];
  for (const member of node.members) {
    if (budget.left-- <= 0) throw illegalArgument(`a request has more than [${COUNT_MAX}] aggregations`);
    if (seen.has(member.name))
      throw illegalArgument(`Two sibling aggregations cannot have the same name: [${member.name}]`);
    seen.add(member.name);
    const parsed = parseOne(member, depth, budget);
    if ('pipeline' in parsed) pipelines.push(parsed.pipeline);
    else aggregations.push(parsed.aggregation);
  }
  return { aggregations, pipelines };
}

type Parsed = { readonly aggregation: AggregationNode } | { readonly pipeline: PipelineNode };

function parseOne(member: JsonMember, depth: number, budget: { left: number }): Parsed {
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
  let meta: string | null = null;
  for (const part of value.members) {
    if (part.value.kind !== 'object') {
      const reason = `Expected [START_OBJECT] under [${part.name}], but got a [${tokenName(part.value)}] in [${name}]`;
      throw parsingException(reason, part.value.at);
    }
    if (part.name === 'aggs' || part.name === 'aggregations') {
      if (childrenNode) throw parsingException(`Found two sub aggregation definitions under [${name}]`, part.at);
      childrenNode = part.value;
    } else if (part.name === 'meta') meta = objectText(part.value);
    else if (definition) {
      const both = `[${definition.name}] and [${part.name}]`;
      throw parsingException(`Found two aggregation type definitions in [${name}]: ${both}`, part.at);
    } else {
      if (pipelineParser(part.name) === null && !AGGREGATION_TYPES.has(part.name)) throw unknownType(part);
      definition = part;
    }
  }
  if (!definition) throw parsingException(`Missing definition for aggregation [${name}]`, value.end);
  const level = childrenNode === null ? NO_LEVEL : parseLevel(childrenNode, depth + 1, budget);
  const parsePipeline = pipelineParser(definition.name);
  if (parsePipeline !== null) return { pipeline: buildPipeline(definition, { name, meta }, level, parsePipeline) };
  const named = { type: definition.name, name, meta, children: level.aggregations, pipelines: level.pipelines };
  const aggregation = build(definition, named);
  return { aggregation };
}

function pipelineParser(type: string): PipelineParser<PipelineNode> | null {
  const kind = PIPELINE_KINDS.get(type);
  return kind === undefined ? null : (named, options) => kind.parse(named, options);
}

function buildPipeline(
  { name: type, value }: JsonMember,
  named: Pick<PipelineNode, 'name' | 'meta'>,
  { aggregations, pipelines }: AggregationLevel,
  parser: PipelineParser<PipelineNode>,
): PipelineNode {
  const options = new OptionReader(type, value);
  const parsed = parser(named, options);
  options.finish();
  if (aggregations.length > 0 || pipelines.length > 0) {
    throw initializationError(`Aggregation [${named.name}] cannot define sub-aggregations`);
  }
  return parsed;
}

function build(definition: JsonMember, named: NamedParts): AggregationNode {
  const type = definition.name;
  const registered = AGGREGATION_TYPES.get(type);
  assert(registered !== undefined, `an aggregation of the type [${type}]`);
  const { kind, parse } = registered;
  const options = new OptionReader(type, definition.value);
  const parsed = parse(named, options, CONTEXT);
  options.finish();
  assert(parsed.kind === kind.kind, `the parser of [${type}] made a ${parsed.kind}, not a ${kind.kind}`);
  assert(parsed.type === type, `the parser of [${type}] made one of the type [${parsed.type}]`);
  if (kind.family === 'metric' && named.children.length + named.pipelines.length > 0) {
    throw initializationError(`Aggregator [${named.name}] of type [${type}] cannot accept sub-aggregations`);
  }
  return parsed;
}

function unknownType({ name, at }: JsonMember): Error {
  if (UNSUPPORTED_TYPES.has(name)) return illegalArgument(`aggregation [${name}] is not supported by this server`);
  const hint = didYouMean(name, [...AGGREGATION_TYPES.keys(), ...PIPELINE_KINDS.keys()]);
  const cause = new ShoalError(
    'named_object_not_found_exception',
    400,
    `[${at.line}:${at.col}] unknown field [${name}]`,
  );
  return parsingException(`Unknown aggregation type [${name}]${hint}`, at, cause);
}

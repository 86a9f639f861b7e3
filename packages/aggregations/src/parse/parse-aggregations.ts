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
import type { Aggregation } from '../aggregation.ts';
import { AGGREGATION_PARSERS, NOT_SUPPORTED } from './aggregation-parsers.ts';
import { OptionReader, plainObject } from './option-reader.ts';
import { initializationError } from './parse-values-source.ts';

/** Aggregations within aggregations. */
const DEPTH_MAX = 50;
/** Aggregations of a request. */
const COUNT_MAX = 10_000;

/** In the order of the request. @throws ShoalError with type, text and place as Elasticsearch has them */
export function parseAggregations(node: JsonObjectNode): readonly Aggregation[] {
  const budget = { left: COUNT_MAX };
  return parseLevel(node, 0, budget);
}

function parseLevel(node: JsonNode, depth: number, budget: { left: number }): readonly Aggregation[] {
  if (node.kind !== 'object') {
    throw parsingException(`Expected [START_OBJECT] under [aggs], but got a [${tokenName(node)}]`, node.at);
  }
  if (depth > DEPTH_MAX) throw illegalArgument(`aggregations nest deeper than [${DEPTH_MAX}]`);
  const seen = new Set<string>();
  return node.members.map((member) => {
    if (budget.left-- <= 0) throw illegalArgument(`a request has more than [${COUNT_MAX}] aggregations`);
    if (seen.has(member.name))
      throw illegalArgument(`Two sibling aggregations cannot have the same name: [${member.name}]`);
    seen.add(member.name);
    return parseOne(member, depth, budget);
  });
}

function parseOne(member: JsonMember, depth: number, budget: { left: number }): Aggregation {
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
  const children = childrenNode === null ? [] : parseLevel(childrenNode, depth + 1, budget);
  return build(definition, { name, meta, children }, depth);
}

function build(
  definition: JsonMember,
  named: Pick<Aggregation, 'name' | 'meta' | 'children'>,
  depth: number,
): Aggregation {
  const type = definition.name;
  const parser = AGGREGATION_PARSERS.get(type);
  if (!parser) throw unknownType(definition);
  const options = new OptionReader(type, definition.value);
  const parsed = parser(named, options);
  options.finish();
  const isMetric = parsed.kind === 'stats' || parsed.kind === 'cardinality' || parsed.kind === 'percentiles';
  if (isMetric && named.children.length > 0) {
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
  const near = nearestNames(name, [...AGGREGATION_PARSERS.keys()]);
  const hint = near.length === 0 ? '' : ` did you mean ${near.length === 1 ? '' : 'any of '}[${near.join(', ')}]?`;
  return parsingException(`Unknown aggregation type [${name}]${hint}`, at);
}

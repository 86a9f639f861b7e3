/**
 * Requests of `nested` and `reverse_nested`.
 */
import { parsingException, tokenName, type ValueReader } from '@shoal/core';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import type { OptionReader } from '../../request/option-reader.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

const TYPES = ['nested', 'reverse_nested'] as const;

export interface NestedAggregation extends AggregationNode {
  readonly kind: 'nested';
  /** `nested` goes to the documents inside those of the parent, `reverse_nested` to one around them. */
  readonly type: (typeof TYPES)[number];
  /** Nested field; null: the documents that are nested in nothing. */
  readonly path: string | null;
}

export const parseNested: AggregationParser<NestedAggregation> = (named, options) => {
  const path = readPath(named, options);
  if (path === null) {
    throw parsingException(`Missing [path] field for nested aggregation [${named.name}]`, options.node.at);
  }
  return { ...named, kind: 'nested', type: 'nested', path };
};

export const parseReverseNested: AggregationParser<NestedAggregation> = (named, options) => ({
  ...named,
  kind: 'nested',
  type: 'reverse_nested',
  path: readPath(named, options),
});

/** @throws parsing_exception for what is no text: these two read their options token by token */
function readPath({ name }: NamedParts, options: OptionReader): string | null {
  const node = options.take('path');
  if (node === null || node.kind === 'string') return node?.value ?? null;
  throw parsingException(`Unexpected token ${tokenName(node)} in [${name}].`, node.at);
}

export function readNested(r: ValueReader, named: NamedParts): NestedAggregation {
  const [type, path] = [r.oneOf('type', TYPES), r.optionalString('path')];
  if (type === 'nested' && path === null) r.refuse('path', 'a path');
  return { ...named, kind: 'nested', type, path };
}

/**
 * Requests of `multi_terms`.
 */
import {
  contentError,
  illegalArgument,
  isShoalError,
  type JsonLocation,
  type JsonNode,
  tokenName,
  ValueReader,
} from '@shoal/core';
import { timeZone } from '@shoal/schema';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { parseZone } from '../../intervals/zone-option.ts';
import { OptionReader } from '../../request/option-reader.ts';
import { parseFieldConfig, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { NamedParts } from '../../tree/aggregation-node.ts';
import { type LimitedTerms, parseTermsLimits, readTermsLimits } from '../terms/terms-limits.ts';

/** One part of the keys. */
export interface TupleSource {
  readonly source: ValuesSource;
  /** Name of a zone that exists, in which dates are shown. */
  readonly timeZone: string;
}

export interface MultiTermsAggregation extends LimitedTerms {
  readonly kind: 'multiTerms';
  /** At least two. */
  readonly sources: readonly TupleSource[];
}

const SOURCES_MIN = 2;
/** Every document is looked at once for each. */
const SOURCES_MAX = 100;

export const parseMultiTerms: AggregationParser<MultiTermsAggregation> = (named, options, context) => ({
  ...named,
  kind: 'multiTerms',
  sources: parseSources(options, named.name),
  ...parseTermsLimits(named, options, context),
});

function parseSources(options: OptionReader, name: string): readonly TupleSource[] {
  const node = options.ofKind('terms', ['array', 'object']);
  if (node === null) throw illegalArgument('Required [terms]');
  if (node.kind !== 'array' && node.kind !== 'object') throw illegalArgument('Required [terms]');
  const refused = (reason: string): unknown => failed(options.type, node.end, illegalArgument(reason));
  const items = node.kind === 'array' ? node.items : [node];
  if (items.length > SOURCES_MAX) throw refused(`[terms] of [${name}] has more than [${SOURCES_MAX}] items`);
  const sources = items.map((item) => parseSource(item, options.type));
  if (sources.length >= SOURCES_MIN) return sources;
  const advice = sources.length === 1 ? ' Use terms aggregation for single term aggregation' : '';
  throw refused(
    `multi term aggregation must has at least ${SOURCES_MIN} terms. Found [${sources.length}] in [${name}]${advice}`,
  );
}

function parseSource(node: JsonNode, type: string): TupleSource {
  try {
    if (node.kind !== 'object') {
      throw contentError(node.at, `[field_config] Expected START_OBJECT but was: ${tokenName(node)}`);
    }
    const options = new OptionReader('field_config', node);
    const zone = parseZone(options) ?? 'UTC';
    const source = parseFieldConfig(options);
    options.finish();
    return { source, timeZone: zone };
  } catch (error) {
    throw failed(type, node.kind === 'object' ? node.end : node.at, error);
  }
}

/** What is wrong with a source is the cause of an error that says where. */
function failed(type: string, at: JsonLocation, error: unknown): unknown {
  const isValue =
    isShoalError(error) && ['x_content_parse_exception', 'illegal_argument_exception'].includes(error.type);
  return isValue ? contentError(at, `[${type}] failed to parse field [terms]`, error) : error;
}

export function readMultiTerms(r: ValueReader, named: NamedParts): MultiTermsAggregation {
  const sources = r.list('sources', readSource, SOURCES_MAX);
  if (sources.length < SOURCES_MIN) r.refuse('sources', `at least ${SOURCES_MIN} sources`);
  return { ...named, kind: 'multiTerms', sources, ...readTermsLimits(r) };
}

function readSource(value: unknown, field: string): TupleSource {
  const r = ValueReader.of(value, field);
  return { source: readValuesSource(r.object('source')), timeZone: timeZone(r.string('timeZone')).name };
}

/**
 * Parses pipeline aggregations and checks that they stand where they can work.
 */
import { illegalArgument, type JsonNode, parseTimeValue, parsingException, ShoalError } from '@shoal/core';
import { readNumber, readString } from '@shoal/query';
import type { Aggregation } from '../tree/aggregation.ts';
import type {
  GapPolicy,
  ParentPipeline,
  ParentType,
  PipelineAggregation,
  PipelineSort,
  SiblingPipeline,
  SiblingType,
} from '../tree/pipeline-aggregation.ts';
import { contentError, type OptionReader } from './option-reader.ts';
import { CALENDAR_UNITS } from './parse-values-source.ts';

const SIGMA_DEFAULT = 2;
const PERCENTS_DEFAULT: readonly number[] = [1, 5, 25, 50, 75, 95, 99];
/** Buckets that a serial difference may look back. */
const LAG_MAX = 100_000;

type PipelineNames = Pick<PipelineAggregation, 'name' | 'meta'>;
export type PipelineParser = (named: PipelineNames, options: OptionReader) => PipelineAggregation;

export const PIPELINE_PARSERS: ReadonlyMap<string, PipelineParser> = new Map<string, PipelineParser>([
  ['avg_bucket', siblingParser('avg_bucket')],
  ['bucket_sort', parseBucketSort],
  ['cumulative_sum', parentParser('cumulative_sum')],
  ['derivative', parentParser('derivative')],
  ['extended_stats_bucket', siblingParser('extended_stats_bucket')],
  ['max_bucket', siblingParser('max_bucket')],
  ['min_bucket', siblingParser('min_bucket')],
  ['percentiles_bucket', siblingParser('percentiles_bucket')],
  ['serial_diff', parentParser('serial_diff')],
  ['stats_bucket', siblingParser('stats_bucket')],
  ['sum_bucket', siblingParser('sum_bucket')],
]);

/** Pipelines that run scripts, which this server does not: they are known, to be refused by name. */
export const SCRIPTED_PIPELINES: ReadonlyMap<string, PipelineParser> = new Map<string, PipelineParser>([
  ['bucket_script', refuseScript],
  ['bucket_selector', refuseScript],
  ['moving_fn', refuseMovingFunction],
]);

function refuseScript(named: PipelineNames, options: OptionReader): never {
  throw illegalArgument(
    `[${options.type}] of [${named.name}] runs a script, and scripts are not supported by this server`,
  );
}

function refuseMovingFunction(named: PipelineNames, options: OptionReader): never {
  const window = options.integer('window');
  if (window === null) throw illegalArgument('Required [window]');
  if (window <= 0) throw illegalArgument('[window] must be a positive, non-zero integer.');
  return refuseScript(named, options);
}

function siblingParser(type: SiblingType): PipelineParser {
  return (named, options): SiblingPipeline => {
    const sigma = type === 'extended_stats_bucket' ? (options.number('sigma') ?? SIGMA_DEFAULT) : SIGMA_DEFAULT;
    if (sigma < 0) throw illegalArgument('sigma must be a non-negative double');
    const isPercentiles = type === 'percentiles_bucket';
    const given = isPercentiles ? options.list('percents')?.map((item) => readNumber(item, 'percents')) : undefined;
    const percents = given ?? PERCENTS_DEFAULT;
    for (const percent of percents) {
      if (!(percent >= 0 && percent <= 100)) {
        throw illegalArgument(
          'percents must only contain non-null doubles from 0.0-100.0 inclusive: they are the percents of [percentiles_bucket]',
        );
      }
    }
    const isKeyed = isPercentiles ? options.boolean('keyed', true) : true;
    return { ...named, ...sharedOptions(options, 'skip'), kind: 'sibling', type, sigma, percents, isKeyed };
  };
}

function parentParser(type: Exclude<ParentType, 'bucket_sort'>): PipelineParser {
  return (named, options): ParentPipeline => {
    const lag = type === 'serial_diff' ? (options.integer('lag') ?? 1) : 1;
    if (lag <= 0 || lag > LAG_MAX) throw illegalArgument('[lag] must be a positive integer');
    const unitMs = type === 'derivative' ? unitOf(options.string('unit')) : null;
    // A sum has no gaps: what is not there adds nothing.
    const shared = sharedOptions(options, type === 'cumulative_sum' ? 'insert_zeros' : 'skip');
    return { ...named, ...shared, kind: 'parent', type, lag, unitMs, sort: [], from: 0, size: null };
  };
}

const CALENDAR_UNIT_MS = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 2_592_000_000,
  quarter: 7_776_000_000,
  year: 31_536_000_000,
} as const;

function unitOf(text: string | null): number | null {
  if (text === null) return null;
  const unit = CALENDAR_UNITS.get(text);
  return unit === undefined ? parseTimeValue(text, 'unit') : CALENDAR_UNIT_MS[unit];
}

function parseBucketSort(named: PipelineNames, options: OptionReader): ParentPipeline {
  const node = options.take('sort');
  const items = node === null ? [] : node.kind === 'array' ? node.items : [node];
  const sort = items.flatMap(parseSort);
  const from = options.integer('from') ?? 0;
  const size = options.integer('size');
  const gapPolicy = parseGapPolicy(options.string('gap_policy')) ?? 'skip';
  if (from < 0) throw illegalArgument(`[from] must be a non-negative integer: [${from}]`);
  if (size !== null && size <= 0) throw illegalArgument(`[size] must be a positive integer: [${size}]`);
  if (sort.length === 0 && size === null && from === 0) {
    throw validationError(
      `[${named.name}] is configured to perform nothing. Please set either of [sort, size, from] to use bucket_sort`,
    );
  }
  const shared = { path: [], gapPolicy, format: null };
  return { ...named, ...shared, kind: 'parent', type: 'bucket_sort', lag: 1, unitMs: null, sort, from, size };
}

function parseSort(node: JsonNode): readonly PipelineSort[] {
  if (node.kind === 'string') return [{ path: parseBucketsPath(node.value), isAscending: node.value !== '_count' }];
  if (node.kind !== 'object') throw parsingException('Expected object for [sort]', node.at);
  return node.members.map(({ name, value }) => {
    const orderNode = value.kind === 'object' ? value.members.find((member) => member.name === 'order')?.value : value;
    const order = orderNode === undefined ? 'asc' : readString(orderNode, 'order').toLowerCase();
    if (order !== 'asc' && order !== 'desc') throw illegalArgument(`Unknown sort order [${order}]`);
    return { path: parseBucketsPath(name), isAscending: order === 'asc' };
  });
}

function sharedOptions(
  options: OptionReader,
  gaps: GapPolicy,
): Pick<PipelineAggregation, 'path' | 'gapPolicy' | 'format'> {
  const node = options.take('buckets_path');
  if (node === null) {
    throw parsingException(
      `Missing required field [buckets_path] for pipeline of type [${options.type}]`,
      options.node.at,
    );
  }
  if (node.kind !== 'string') throw contentError(node.at, `[${options.type}] needs one [buckets_path], a string`);
  const gapPolicy = parseGapPolicy(options.string('gap_policy')) ?? gaps;
  return { path: parseBucketsPath(node.value), gapPolicy, format: options.string('format') };
}

function parseGapPolicy(text: string | null): GapPolicy | null {
  if (text === null || text === 'skip' || text === 'insert_zeros' || text === 'keep_values') return text;
  throw illegalArgument(`Invalid gap policy: [${text}], accepted values: [insert_zeros, skip, keep_values]`);
}

/** `a>b.value`, `a>filters['key']>m[99.0]` as the names to descend by. */
function parseBucketsPath(text: string): readonly string[] {
  const steps: string[] = [];
  for (const element of text.split('>')) {
    const bracket = /^([^[]*)\[([^\]]+)\]$/.exec(element);
    const dot = element.indexOf('.');
    if (bracket) steps.push(bracket[1] ?? '', bracket[2] ?? '');
    else if (dot > 0 && dot < element.length - 1) steps.push(element.slice(0, dot), element.slice(dot + 1));
    else steps.push(element);
  }
  if (steps.some((step) => step === '')) throw illegalArgument(`Invalid path element in path [${text}]`);
  return steps;
}

/** @throws ShoalError for a pipeline that has nothing to work on; `parent`: null at the top */
export function checkPipelines(
  pipelines: readonly PipelineAggregation[],
  level: readonly Aggregation[],
  parent: Aggregation | null,
): void {
  for (const pipeline of pipelines) {
    if (pipeline.kind === 'sibling') checkSibling(pipeline, level);
    else {
      checkParent(pipeline, parent);
      for (const path of pathsOf(pipeline)) checkFirst(path, level, pipelines);
    }
  }
}

/** Where a pipeline looks. */
export function pathsOf(pipeline: PipelineAggregation): readonly (readonly string[])[] {
  return pipeline.kind === 'parent' && pipeline.type === 'bucket_sort'
    ? pipeline.sort.map(({ path }) => path)
    : [pipeline.path];
}

function checkFirst(
  [first = '']: readonly string[],
  level: readonly Aggregation[],
  pipelines: readonly PipelineAggregation[],
): void {
  if (first === '_count' || first === '_key') return;
  if ([...level, ...pipelines].some(({ name }) => name === first)) return;
  throw illegalArgument(`No aggregation found for path [${first}]`);
}

function checkSibling({ name, path, type }: SiblingPipeline, level: readonly Aggregation[]): void {
  const [first = ''] = path;
  const found = level.find((aggregation) => aggregation.name === first);
  const shown = path.join('>');
  if (found === undefined) {
    throw validationError(`buckets_path aggregation does not exist for aggregation [${name}]: ${shown}`);
  }
  if (isMultiBucket(found)) return;
  throw validationError(
    `The first aggregation in buckets_path must be a multi-bucket aggregation for aggregation [${name}] found :${found.kind} for buckets path: ${shown} of ${type}`,
  );
}

function isMultiBucket(aggregation: Aggregation): boolean {
  switch (aggregation.kind) {
    case 'filters':
      return aggregation.type !== 'filter' && aggregation.type !== 'missing' && aggregation.type !== 'global';
    case 'terms':
    case 'histogram':
    case 'dateHistogram':
    case 'range':
    case 'composite':
      return true;
    default:
      return false;
  }
}

function checkParent({ name, type }: ParentPipeline, parent: Aggregation | null): void {
  if (parent === null) {
    if (type === 'bucket_sort')
      throw validationError(`bucket_sort aggregation [${name}] must be declared inside of another aggregation`);
  } else if (type === 'bucket_sort' ? isMultiBucket(parent) : isSequence(parent)) return;
  throw validationError(
    `${type} aggregation [${name}] must have a histogram, date_histogram or auto_date_histogram as parent`,
  );
}

function isSequence(parent: Aggregation): boolean {
  return parent.kind === 'histogram' || parent.kind === 'dateHistogram';
}

function validationError(problem: string): ShoalError {
  return new ShoalError('action_request_validation_exception', 400, `Validation Failed: 1: ${problem};`);
}

/**
 * `moving_avg`: to each bucket, what a model makes of the values of the buckets before it, and forecasts behind the last.
 */
import {
  illegalArgument,
  type JsonNode,
  parsingException,
  type StepMeter,
  type Steps,
  tokenName,
  ValueReader,
} from '@shoal/core';
import { readInteger } from '@shoal/query';
import type { ParentKind, PipelineParser } from '../../contract/pipeline-kind.ts';
import { kindOf } from '../../kinds/aggregation-kinds.ts';
import { validationError } from '../../request/request-errors.ts';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import type { FinishedBucket } from '../../tree/finished-level.ts';
import type { GapPolicy, PipelineNode } from '../../tree/pipeline-node.ts';
import { bucketValue, keyNumber } from '../bucket-value.ts';
import {
  type AverageModel,
  forecasts,
  parseModel,
  readModel,
  SIMPLE_MODEL,
  sharesOf,
  valuesNeeded,
} from '../moving-average/average-model.ts';
import { fittedModel } from '../moving-average/fit-model.ts';
import { onlyPath, parseBucketsPath } from '../pipeline-options.ts';
import { numberValue } from '../pipeline-values.ts';

interface Pipeline extends PipelineNode {
  readonly kind: 'moving_avg';
  readonly model: AverageModel;
  /** Buckets that the model goes by, at most; at least 1. */
  readonly window: number;
  /** Forecasts behind the last value. */
  readonly predictions: number;
  /** The model is fitted to the newest values first. */
  readonly isFitted: boolean;
}

const WINDOW_DEFAULT = 5;
const INT_MAX = 0x7fff_ffff;
/** Buckets that forecasts may make. */
const PREDICTIONS_MAX = 10_000;
/** Microseconds that a bucket costs, and a value of its window, about. */
const BUCKET_UNITS = 1;
const VALUE_UNITS = 0.02;

/** Kinds of values that an option may have. */
const FORMS: Readonly<Record<string, readonly JsonNode['kind'][]>> = {
  buckets_path: ['string', 'array'],
  format: ['string'],
  gap_policy: ['string'],
  model: ['string'],
  window: ['number'],
  predict: ['number'],
  minimize: ['boolean'],
  settings: ['object'],
};

const parse: PipelineParser<Pipeline> = (named, options) => {
  const { name } = named;
  const given = new Map(options.node.members.map((member) => [member.name, member.value]));
  for (const [option, node] of given) {
    options.ignore(option);
    if (FORMS[option]?.includes(node.kind)) continue;
    throw parsingException(`Unknown key for a ${tokenName(node)} in [${name}]: [${option}].`, node.at);
  }
  const path = given.get('buckets_path');
  if (path === undefined) {
    const reason = `Missing required field [buckets_path] for movingAvg aggregation [${name}]`;
    throw parsingException(reason, options.node.at);
  }
  const modelNode = given.get('model');
  const settings = given.get('settings') ?? null;
  const model =
    modelNode === undefined
      ? SIMPLE_MODEL
      : parseModel(textOf(modelNode) ?? '', settings, settings?.at ?? modelNode.at);
  const window = positive(given.get('window'), WINDOW_DEFAULT, (at) =>
    parsingException(
      `[window] value must be a positive, non-zero integer.  Value supplied was [null] in [${name}].`,
      at,
    ),
  );
  if (window < valuesNeeded(model)) {
    throw illegalArgument(
      `Field [window] must be at least twice as large as the period when using Holt-Winters.  Value provided was [${window}], which is less than (2*period) == ${valuesNeeded(model)}`,
    );
  }
  const minimize = given.get('minimize');
  const isFitted = minimize?.kind === 'boolean' ? minimize.value : model.name === 'holt_winters';
  if (isFitted && sharesOf(model).length === 0) {
    throw validationError([`The [${model.name}] model cannot be minimized for aggregation [${name}]`]);
  }
  return {
    ...named,
    kind: 'moving_avg',
    path: parseBucketsPath(onlyPath(path, name)),
    gapPolicy: gapPolicyOf(given.get('gap_policy')),
    format: textOf(given.get('format')),
    model,
    window,
    predictions: predictionsOf(given.get('predict'), name),
    isFitted,
  };
};

function textOf(node: JsonNode | undefined): string | null {
  return node?.kind === 'string' ? node.value : null;
}

function positive(
  node: JsonNode | undefined,
  fallback: number,
  refusal: (at: JsonNode['at'], value: number) => Error,
): number {
  if (node === undefined) return fallback;
  const value = readInteger(node, 'window');
  if (value > 0) return value;
  throw refusal(node.at, value);
}

function predictionsOf(node: JsonNode | undefined, name: string): number {
  const count = positive(node, 0, (at, value) =>
    parsingException(`[predict] value must be a positive integer.  Value supplied was [${value}] in [${name}].`, at),
  );
  if (count <= PREDICTIONS_MAX) return count;
  throw illegalArgument(`[predict] of [${name}] must be at most [${PREDICTIONS_MAX}], not [${count}]`);
}

function gapPolicyOf(node: JsonNode | undefined): GapPolicy {
  const text = textOf(node) ?? 'skip';
  if (text === 'skip' || text === 'insert_zeros' || node === undefined)
    return text === 'skip' ? 'skip' : 'insert_zeros';
  throw parsingException(`Invalid gap policy: [${text}], accepted values: [insert_zeros, skip]`, node.at);
}

export const movingAvg: ParentKind<Pipeline> = {
  family: 'parent',
  kind: 'moving_avg',
  needs: 'sequence',
  isLast: false,
  parse,
  read: (r, parts) => {
    const model = readModel(ValueReader.of(r.raw('model'), 'model'));
    const isFitted = r.boolean('isFitted');
    return {
      ...parts,
      kind: 'moving_avg',
      model,
      window: r.integer('window', valuesNeeded(model), INT_MAX),
      predictions: r.integer('predictions', 0, PREDICTIONS_MAX),
      isFitted: isFitted && sharesOf(model).length === 0 ? r.refuse('isFitted', 'false') : isFitted,
    };
  },
  paths: ({ path }) => [path],
  run,
};

function* run(
  pipeline: Pipeline,
  parent: AggregationNode,
  buckets: readonly FinishedBucket[],
  meter: StepMeter,
): Steps<readonly FinishedBucket[]> {
  const { path, gapPolicy, window, format } = pipeline;
  const numbers: (number | null)[] = [];
  for (const bucket of buckets) {
    const value = bucketValue(parent.children, bucket, path, gapPolicy);
    numbers.push(value === null || Number.isNaN(value) ? null : value);
    if (meter.isDue(BUCKET_UNITS)) yield;
  }
  const all = numbers.filter((value) => value !== null);
  const model = pipeline.isFitted ? yield* fitted(pipeline, all, meter) : pipeline.model;
  const finished: FinishedBucket[] = [];
  let [position, lastAt] = [0, 0];
  for (const [at, bucket] of buckets.entries()) {
    if (numbers[at] === null) {
      finished.push(bucket);
      continue;
    }
    const values = all.slice(Math.max(0, position - window), position);
    const [next = Number.NaN] = values.length < valuesNeeded(model) ? [] : forecasts(model, values, 1);
    finished.push(values.length < valuesNeeded(model) ? bucket : withNumber(pipeline, bucket, next));
    position++;
    lastAt = at;
    if (meter.isDue(BUCKET_UNITS + VALUE_UNITS * values.length)) yield;
  }
  if (pipeline.predictions === 0 || buckets.length === 0) return finished;
  const made = forecasts(model, all.slice(-window), pipeline.predictions);
  let key = keyNumber(buckets[lastAt]?.key);
  for (const [i, value] of made.entries()) {
    key = keyBehind(pipeline, parent, key);
    const at = lastAt + 1 + i;
    const bucket = finished[at] ?? { key, docCount: 0, children: [] };
    finished[at] = {
      ...bucket,
      key,
      values: new Map([...(bucket.values ?? []), [pipeline.name, numberValue(value, format)]]),
    };
    if (meter.isDue(BUCKET_UNITS)) yield;
  }
  return finished;
}

function withNumber({ name, format }: Pipeline, bucket: FinishedBucket, value: number): FinishedBucket {
  return { ...bucket, values: new Map([...(bucket.values ?? []), [name, numberValue(value, format)]]) };
}

/** The newest values test the model, those of a window before teach it; without enough of them it stays as it is. */
function* fitted({ model, window }: Pipeline, all: readonly number[], meter: StepMeter): Steps<AverageModel> {
  if (all.length < 2 * window) return model;
  return yield* fittedModel(model, all.slice(-2 * window, -window), all.slice(-window), meter);
}

function keyBehind({ name }: Pipeline, parent: AggregationNode, key: number): number {
  const kind = kindOf(parent);
  const next = kind.family === 'bucket' ? kind.nextKey?.(parent, key) : undefined;
  if (next !== undefined) return next;
  throw illegalArgument(`[predict] of [${name}] is not supported by this server inside of [${parent.name}]`);
}

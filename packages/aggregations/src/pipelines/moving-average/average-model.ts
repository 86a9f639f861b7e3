/**
 * Models of `moving_avg`: what comes next after the values of a window.
 */
import {
  illegalArgument,
  type JsonLocation,
  type JsonNode,
  parsingException,
  ShoalError,
  tokenName,
  type ValueReader,
} from '@shoal/core';
import { exponentialAverage, linearAverage, plainAverage, seasonForecasts, trendForecasts } from '@shoal/script';

const NAMES = ['simple', 'linear', 'ewma', 'holt', 'holt_winters'] as const;

export interface AverageModel {
  readonly name: (typeof NAMES)[number];
  /** Shares of the newest value, change and season, 0..1; unused where a model has none. */
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
  /** Values of one season; at least 1. */
  readonly period: number;
  readonly isMultiplicative: boolean;
  /** Multiplied values are moved away from zero. */
  readonly isPadded: boolean;
}

export const SIMPLE_MODEL: AverageModel = {
  name: 'simple',
  alpha: 0.3,
  beta: 0.1,
  gamma: 0.3,
  period: 1,
  isMultiplicative: false,
  isPadded: false,
};

const PADDING = 1e-10;
const INT_MAX = 0x7fff_ffff;

type Share = 'alpha' | 'beta' | 'gamma';

/** Shares that a model has. */
const SHARES: Readonly<Record<AverageModel['name'], readonly Share[]>> = {
  simple: [],
  linear: [],
  ewma: ['alpha'],
  holt: ['alpha', 'beta'],
  holt_winters: ['alpha', 'beta', 'gamma'],
};

/** Shares of a model that can be fitted to the values; none: it has nothing to fit. */
export function sharesOf({ name }: AverageModel): readonly Share[] {
  return SHARES[name];
}

/** Values that the model needs before it can say what comes next. */
export function valuesNeeded({ name, period }: AverageModel): number {
  return name === 'holt_winters' ? 2 * period : 1;
}

/**
 * The next values: `count` of them. NaN where there are no values to go by.
 *
 * @throws ShoalError where there are some, and fewer than the seasons need
 */
export function forecasts(model: AverageModel, values: readonly number[], count: number): readonly number[] {
  if (values.length === 0) return Array.from({ length: count }, () => Number.NaN);
  const { name, alpha, isMultiplicative, isPadded } = model;
  const same = (value: number): readonly number[] => Array.from({ length: count }, () => value);
  switch (name) {
    case 'simple':
      return same(plainAverage(values));
    case 'linear':
      return same(linearAverage(values));
    case 'ewma':
      return same(exponentialAverage(values, alpha));
    case 'holt':
      return trendForecasts(values, model, count);
    case 'holt_winters': {
      checkSeasons(model, values.length);
      const padding = isMultiplicative && isPadded ? PADDING : 0;
      return seasonForecasts(
        values.map((value) => value + padding),
        model,
        count,
      );
    }
  }
}

function checkSeasons({ period }: AverageModel, count: number): void {
  const needed = 2 * period;
  if (count >= needed) return;
  throw illegalArgument(
    `Holt-Winters aggregation requires at least (2 * period == 2 * ${period} == ${needed}) data-points to function.  Only [${count}] were provided.`,
  );
}

/** @param at where a refusal says that the settings stand @throws ShoalError for a model or settings that there are not */
export function parseModel(name: string, settings: JsonNode | null, at: JsonLocation): AverageModel {
  const known = NAMES.find((one) => one === name);
  if (known === undefined) throw parsingException(`no [moving_avg_model] registered for [${name}]`, at);
  const model = { ...SIMPLE_MODEL, name: known };
  const members = settings?.kind === 'object' ? settings.members : [];
  const given = new Map(members.map((member) => [member.name, member.value]));
  const refuse = (reason: string): never => {
    const causedBy = new ShoalError('parse_exception', 400, reason);
    const { reason: words, metadata } = parsingException(`Could not parse settings for model [${name}].`, at);
    throw new ShoalError('parsing_exception', 400, words, { metadata, causedBy });
  };
  const taken = (setting: string): JsonNode | null => {
    const node = given.get(setting) ?? null;
    given.delete(setting);
    return node;
  };
  const shares: Partial<Record<Share, number>> = {};
  for (const share of SHARES[known]) {
    const node = taken(share);
    if (node !== null) shares[share] = shareOf(share, node, refuse);
  }
  const seasons = known === 'holt_winters' ? parseSeasons(taken, refuse) : {};
  if (given.size > 0) refuse(`Unrecognized parameter(s): [[${[...given.keys()].join(', ')}]]`);
  return { ...model, ...shares, ...seasons };
}

type Refuse = (reason: string) => never;

function shareOf(name: Share, node: JsonNode, refuse: Refuse): number {
  if (node.kind !== 'number')
    return refuse(`Parameter [${name}] must be a double, type \`${typeName(node)}\` provided instead`);
  const value = Number(node.value);
  const shown = Number.isInteger(value) ? value.toFixed(1) : String(value);
  if (value >= 0 && value <= 1) return value;
  return refuse(`Parameter [${name}] must be between 0-1 inclusive.  Providedvalue was [${shown}]`);
}

function parseSeasons(taken: (setting: string) => JsonNode | null, refuse: Refuse): Partial<AverageModel> {
  const [period, type, pad] = [taken('period'), taken('type'), taken('pad')];
  return {
    ...(period === null ? {} : { period: periodOf(period, refuse) }),
    ...(type === null ? {} : { isMultiplicative: isMultiplicative(type, refuse) }),
    ...(pad === null ? {} : { isPadded: isPadded(pad, refuse) }),
  };
}

function periodOf(node: JsonNode, refuse: Refuse): number {
  if (node.kind !== 'number')
    return refuse(`Parameter [period] must be an integer, type \`${typeName(node)}\` provided instead`);
  const period = Math.trunc(Number(node.value));
  return period >= 1 && period <= INT_MAX
    ? period
    : refuse(`Parameter [period] must be at least 1. Provided value was [${period}]`);
}

function isMultiplicative(node: JsonNode, refuse: Refuse): boolean {
  if (node.kind !== 'string')
    return refuse(`Parameter [type] must be a String, type \`${typeName(node)}\` provided instead`);
  if (node.value === 'mult' || node.value === 'add') return node.value === 'mult';
  throw new ShoalError(
    'parse_exception',
    400,
    `failed to parse seasonality type [${node.value}]. accepted values are [[add, mult]]`,
  );
}

function isPadded(node: JsonNode, refuse: Refuse): boolean {
  return node.kind === 'boolean'
    ? node.value
    : refuse(`Parameter [pad] must be a boolean, type \`${typeName(node)}\` provided instead`);
}

/** Name of the class of a value, as refusals show it. */
function typeName(node: JsonNode): string {
  if (node.kind === 'string') return 'String';
  if (node.kind === 'boolean') return 'Boolean';
  if (node.kind === 'number') return /[.eE]/.test(String(node.value)) ? 'Double' : 'Integer';
  return tokenName(node);
}

export function readModel(r: ValueReader): AverageModel {
  const share = (field: Share): number => {
    const value = r.number(field);
    return value >= 0 && value <= 1 ? value : r.refuse(field, 'from 0 to 1');
  };
  return {
    name: r.oneOf('name', NAMES),
    alpha: share('alpha'),
    beta: share('beta'),
    gamma: share('gamma'),
    period: r.integer('period', 1, INT_MAX),
    isMultiplicative: r.boolean('isMultiplicative'),
    isPadded: r.boolean('isPadded'),
  };
}

/**
 * `function_score` as Elasticsearch shows it: a list of functions, each with a filter, whatever form the request has.
 */
import { DoubleNumber, isObject } from '@shoal/core';
import { float, type Json, listed, lower, type MemberRow, shownMembers, TAIL, upper } from './shown-members.ts';

type Show = (query: unknown) => unknown;

const MATCH_ALL = { match_all: {} };
const DECAYS: readonly string[] = ['gauss', 'exp', 'linear'];
const FUNCTIONS: readonly string[] = ['field_value_factor', 'random_score', 'script_score', ...DECAYS];
/** Largest float: what a score is never above. */
const BOOST_MAX = (2 - 2 ** -23) * 2 ** 127;

const ROWS: readonly MemberRow[] = [
  ['query'],
  ['functions'],
  ['score_mode', 'multiply', lower],
  ['boost_mode', undefined, lower],
  ['max_boost', BOOST_MAX, float],
  ['min_score', undefined, float],
  ...TAIL,
];

export function shownFunctionScore(body: Json, show: Show): Json {
  const { functions, weight, query, ...others } = body;
  const single = Object.fromEntries(Object.entries(others).filter(([name]) => FUNCTIONS.includes(name)));
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !FUNCTIONS.includes(name)));
  const hasSingle = weight !== undefined || Object.keys(single).length > 0;
  const list = hasSingle ? [{ ...single, ...(weight !== undefined && { weight }) }] : listed(functions ?? []);
  const shown = list.map((one) => (isObject(one) ? shownFunction(one, show) : one));
  return shownMembers({ ...rest, query: show(query ?? MATCH_ALL), functions: shown }, ROWS);
}

function shownFunction({ filter, weight, ...others }: Json, show: Show): Json {
  const functions = Object.entries(others).map(([name, value]) => [
    name,
    isObject(value) ? shownPart(name, value) : value,
  ]);
  return {
    filter: show(filter ?? MATCH_ALL),
    ...(weight !== undefined && { weight: float(weight) }),
    ...Object.fromEntries(functions),
  };
}

function shownPart(name: string, value: Json): Json {
  if (name === 'field_value_factor') {
    return shownMembers(value, [
      ['field'],
      ['factor', 1, float],
      ['missing', undefined, double],
      ['modifier', 'none', lower],
    ]);
  }
  if (name === 'script_score') return { script: withLanguage(value.script) };
  if (!DECAYS.includes(name)) return value;
  const { multi_value_mode: mode = 'MIN', ...field } = value;
  return { ...field, multi_value_mode: upper(mode) };
}

function double(value: unknown): unknown {
  return typeof value === 'number' ? new DoubleNumber(value) : value;
}

/** A script with its language. */
export function withLanguage(script: unknown): unknown {
  if (typeof script === 'string') return { source: script, lang: 'painless' };
  if (!isObject(script) || script.id !== undefined || script.lang !== undefined) return script;
  const { source, ...others } = script;
  return { source, lang: 'painless', ...others };
}

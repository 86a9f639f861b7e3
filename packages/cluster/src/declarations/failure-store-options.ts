/**
 * Failure store of a data stream as requests and templates give it. Templates may say null, which takes away what templates
 * below them say.
 */
import type { FailureStoreOptions } from '@shoal/cluster-state';
import { illegalArgument, isObject, ShoalError, type ShoalErrorOptions } from '@shoal/core';
import { parseStreamLifecycle } from './stream-lifecycle.ts';

type Json = Readonly<Record<string, unknown>>;

const OPTIONS = 'data_stream_options';
const STORE = 'failure_store';
const STORE_KEYS: readonly string[] = ['enabled', 'lifecycle'];

/** @throws x_content_parse_exception for what is no option, or for a failure store of which nothing is said */
export function parseFailureStore(value: unknown, request: string): FailureStoreOptions {
  const store = storeObject(value, request);
  const { enabled = null, lifecycle = null } = store;
  if (enabled === null && lifecycle === null) throw empty(request);
  return {
    isEnabled: enabledOf(enabled),
    lifecycle: lifecycle === null ? null : parseStreamLifecycle(object(lifecycle)),
  };
}

/** `data_stream_options` of a template, checked; null for the whole stands for a null of each option. */
export function parseStreamOptionsTemplate(value: unknown): Json {
  if (value === null) return { [STORE]: null };
  if (!isObject(value)) throw notParsed(OPTIONS, `Unknown token of type [${typeof value}]`);
  const unknown = Object.keys(value).find((key) => key !== STORE);
  if (unknown !== undefined) throw notParsed(OPTIONS, `unknown field [${unknown}]`);
  const { failure_store: store = null } = value;
  if (store === null) return value;
  const { enabled, lifecycle } = storeObject(store, OPTIONS);
  if (enabled === undefined && lifecycle === undefined) throw empty(OPTIONS);
  enabledOf(enabled ?? null);
  if (lifecycle !== undefined && lifecycle !== null) parseStreamLifecycle(object(lifecycle));
  return value;
}

/** The failure store that options of templates, the lowest first, say together; null: nothing. */
export function composedFailureStore(options: readonly (Json | null)[]): FailureStoreOptions | null {
  const composed = options.reduce<Json>((below, given) => {
    const store = given?.failure_store;
    if (store === undefined) return below;
    return isObject(store) ? composedMembers(below, store) : {};
  }, {});
  const { enabled = null, lifecycle = null } = composed;
  return enabled === null && lifecycle === null ? null : parseFailureStore({ enabled, lifecycle }, OPTIONS);
}

/** Members of both; the upper lifecycle is laid over the lower one. */
function composedMembers(below: Json, above: Json): Json {
  const { lifecycle } = above;
  const laidOver = isObject(lifecycle) && isObject(below.lifecycle) ? { ...below.lifecycle, ...lifecycle } : lifecycle;
  return { ...below, ...above, ...(lifecycle === undefined ? {} : { lifecycle: laidOver }) };
}

function storeObject(value: unknown, request: string): Json {
  if (!isObject(value)) throw notParsed(request, `failed to parse field [${STORE}]`);
  const unknown = Object.keys(value).find((key) => !STORE_KEYS.includes(key));
  if (unknown !== undefined) throw notParsed(STORE, `unknown field [${unknown}]`);
  return value;
}

function enabledOf(value: unknown): boolean | null {
  if (value === null || typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw notParsed(STORE, 'failed to parse field [enabled]');
}

function object(value: unknown): Json {
  if (isObject(value)) return value;
  throw notParsed(STORE, 'failed to parse field [lifecycle]');
}

function empty(request: string): ShoalError {
  const causedBy = illegalArgument(
    'Failure store configuration should have at least one non-null configuration value.',
  );
  return notParsed(request, `failed to parse field [${STORE}]`, { causedBy });
}

function notParsed(parser: string, why: string, options: ShoalErrorOptions = {}): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, `[1:2] [${parser}] ${why}`, options);
}

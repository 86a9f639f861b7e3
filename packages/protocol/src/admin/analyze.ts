/**
 * Text analysis as a request: coordinator → any data node. Channel `reg`.
 *
 * Analyzers live in the engine, which only data nodes have; they also hold the cluster state, so the index's settings and
 * mapping are named here by index and never sent along. The answer is what users see, since only the engine knows its parts.
 */

import { type PlainObject, readPlainObject } from '@shoal/cluster-state';
import { type ItemReader, ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';

/** The name of something declared, or its definition inline. */
export type AnalysisComponent = string | Readonly<Record<string, unknown>>;

export interface AnalyzeRequest {
  /** Concrete index whose analyzers and fields are meant; null: only the built-in ones. */
  readonly index: string | null;
  /** At most one of `analyzer`, `tokenizer`, `normalizer` and `field` decides; null where the user said nothing. */
  readonly analyzer: string | null;
  readonly normalizer: string | null;
  readonly field: string | null;
  readonly tokenizer: AnalysisComponent | null;
  readonly filters: readonly AnalysisComponent[];
  readonly charFilters: readonly AnalysisComponent[];
  readonly text: readonly string[];
  /** Asks for the tokens after each step (`detail`) instead of the final ones. */
  readonly explain: boolean;
  /** Token attributes wanted in `detail`; empty: all. */
  readonly attributes: readonly string[];
}

export interface AnalyzeResponse {
  /** `{tokens}`, or `{detail}` when asked to explain, in Elasticsearch's shape. */
  readonly body: PlainObject;
}

const COMPONENTS_MAX = 256;
const TEXTS_MAX = 10_000;
const ATTRIBUTES_MAX = 64;

const readComponent: ItemReader<AnalysisComponent> = (value, field) =>
  typeof value === 'string' ? value : readPlainObject(value, field);

function readAnalyzeRequest(r: ValueReader): AnalyzeRequest {
  return {
    index: r.optionalString('index'),
    analyzer: r.optionalString('analyzer'),
    normalizer: r.optionalString('normalizer'),
    field: r.optionalString('field'),
    tokenizer: r.optional('tokenizer', readComponent),
    filters: r.list('filters', readComponent, COMPONENTS_MAX),
    charFilters: r.list('charFilters', readComponent, COMPONENTS_MAX),
    text: r.list('text', ValueReader.asString, TEXTS_MAX),
    explain: r.boolean('explain'),
    attributes: r.list('attributes', ValueReader.asString, ATTRIBUTES_MAX),
  };
}

export const ANALYZE: ActionCodec<AnalyzeRequest, AnalyzeResponse> = {
  name: 'indices:admin/analyze',
  writeRequest: (request) => ({ message: request }),
  readRequest: (body) => readAnalyzeRequest(ValueReader.of(body.message)),
  writeResponse: (response) => ({ message: { body: response.body } }),
  readResponse: (body) => ({ body: readPlainObject(ValueReader.of(body.message).raw('body'), 'body') }),
};

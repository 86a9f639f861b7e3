/**
 * Text analysis as a request: coordinator → any data node. Channel `reg`.
 *
 * Analyzers live in the engine, which only data nodes have; they also hold the cluster state, so the index's settings and
 * mapping are named here by index and never sent along. The answer is structured; the coordinator renders it for users.
 */
import { type ActionCodec, type ItemReader, ValueReader } from '@shoal/transport';

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

export interface AnalyzedToken {
  readonly token: string;
  /** UTF-16 offsets in the text; the texts of a list lie one after the other with a gap of one. */
  readonly startOffset: number;
  readonly endOffset: number;
  readonly type: string;
  readonly position: number;
  readonly positionLength: number;
  /** Further attributes as users see them, such as `bytes` and `termFrequency`; empty unless explained. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface AnalyzedStep {
  readonly name: string;
  readonly tokens: readonly AnalyzedToken[];
}

export interface AnalyzeDetail {
  readonly charFilters: readonly { readonly name: string; readonly filteredText: readonly string[] }[];
  /** Set for a named analyzer, null for one put together in the request. */
  readonly analyzer: AnalyzedStep | null;
  readonly tokenizer: AnalyzedStep | null;
  readonly tokenFilters: readonly AnalyzedStep[];
}

export type AnalyzeResponse =
  | { readonly kind: 'tokens'; readonly tokens: readonly AnalyzedToken[] }
  | { readonly kind: 'detail'; readonly detail: AnalyzeDetail };

const COMPONENTS_MAX = 256;
const TEXTS_MAX = 10_000;
/** `index.analyze.max_token_count` is checked by the data node and is far lower by default. */
const TOKENS_MAX = 1_000_000;
const OFFSET_MAX = 0x7fff_ffff;
const ATTRIBUTES_MAX = 64;

const readComponent: ItemReader<AnalysisComponent> = (value, field) => {
  if (typeof value === 'string') return value;
  const reader = ValueReader.of(value, field);
  return Object.fromEntries(reader.fields().map((name) => [name, reader.raw(name)]));
};

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

const readToken: ItemReader<AnalyzedToken> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    token: r.string('token'),
    startOffset: r.integer('startOffset', 0, OFFSET_MAX),
    endOffset: r.integer('endOffset', 0, OFFSET_MAX),
    type: r.string('type'),
    position: r.integer('position', 0, OFFSET_MAX),
    positionLength: r.integer('positionLength', 0, OFFSET_MAX),
    attributes: r.map('attributes', (attribute) => attribute, ATTRIBUTES_MAX),
  };
};

const readStep: ItemReader<AnalyzedStep> = (value, field) => {
  const r = ValueReader.of(value, field);
  return { name: r.string('name'), tokens: r.list('tokens', readToken, TOKENS_MAX) };
};

function readDetail(r: ValueReader): AnalyzeDetail {
  return {
    charFilters: r.list(
      'charFilters',
      (value, field) => {
        const filter = ValueReader.of(value, field);
        return {
          name: filter.string('name'),
          filteredText: filter.list('filteredText', ValueReader.asString, TEXTS_MAX),
        };
      },
      COMPONENTS_MAX,
    ),
    analyzer: r.optional('analyzer', readStep),
    tokenizer: r.optional('tokenizer', readStep),
    tokenFilters: r.list('tokenFilters', readStep, COMPONENTS_MAX),
  };
}

function readAnalyzeResponse(r: ValueReader): AnalyzeResponse {
  return r.oneOf('kind', ['tokens', 'detail']) === 'tokens'
    ? { kind: 'tokens', tokens: r.list('tokens', readToken, TOKENS_MAX) }
    : { kind: 'detail', detail: readDetail(r.object('detail')) };
}

export const ANALYZE: ActionCodec<AnalyzeRequest, AnalyzeResponse> = {
  name: 'indices:admin/analyze',
  writeRequest: (request) => ({ message: request }),
  readRequest: (body) => readAnalyzeRequest(ValueReader.of(body.message)),
  writeResponse: (response) => ({ message: response }),
  readResponse: (body) => readAnalyzeResponse(ValueReader.of(body.message)),
};

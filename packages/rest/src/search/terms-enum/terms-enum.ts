/**
 * `_terms_enum`: the terms of a field that begin with a text, for people who are writing it.
 */
import { type CoordinatorContext, executeTermsEnum, READ_INDICES_OPTIONS, renderShardCounts } from '@shoal/coordinator';
import { type JsonNode, parseTimeValue, ShoalError, tokenName } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { ENUM_TERMS_MAX, ENUM_TIMEOUT_MS_MAX } from '@shoal/protocol';
import { parseQuery, readBoolean, readField, readInteger, readString, unknownField } from '@shoal/query';
import type { TermsEnumRequest } from '@shoal/shard-api';
import type { RestApi } from '../../api/rest-api.ts';
import { validationFailed } from '../../documents/write-problems.ts';

const PARSER = 'terms_enum';
const SIZE_DEFAULT = 10;
const TIMEOUT_MS_DEFAULT = 1_000;

export const termsEnumApi: RestApi = {
  usageName: 'terms_enum_action',
  methods: ['GET', 'POST'],
  paths: ['/{index}/_terms_enum'],
  privilege: 'indices:admin/termsenum/list',
  task: { action: 'indices:admin/termsenum/list', isCancellable: true },
  body: 'json',
  params: {},
  handler: termsEnum,
};

interface TermsEnumBody {
  readonly asked: Omit<TermsEnumRequest, 'field'> & { readonly field: string | null };
  readonly indexFilter: JsonNode | null;
}

async function termsEnum(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { asked, indexFilter } = await context.trees.read(request, (tree) => {
    const body = bodyOf(tree);
    return { ...body, indexFilter: body.indexFilter === null ? null : parseQuery(body.indexFilter) };
  });
  const outcome = await executeTermsEnum(context, {
    expression: request.params.string('index'),
    indicesOptions: READ_INDICES_OPTIONS,
    asked: checked(asked),
    indexFilter,
    signal: request.signal,
  });
  const { total, successful, failed, failures } = renderShardCounts(outcome.shards);
  return valueResponse({
    _shards: { total, successful, failed, failures },
    terms: outcome.terms,
    complete: outcome.isComplete,
  });
}

function bodyOf(tree: JsonNode | null): TermsEnumBody {
  const asked = {
    field: null,
    prefix: '',
    isCaseInsensitive: false,
    after: null,
    size: SIZE_DEFAULT,
    timeoutMs: TIMEOUT_MS_DEFAULT,
  };
  let body: TermsEnumBody = { asked, indexFilter: null };
  if (tree === null) return body;
  if (tree.kind !== 'object') {
    const { line, col } = tree.at;
    const reason = `[${line}:${col}] [${PARSER}] Expected START_OBJECT but was: ${tokenName(tree)}`;
    throw new ShoalError('x_content_parse_exception', 400, reason);
  }
  for (const member of tree.members) {
    const { name, value } = member;
    const read = READERS.get(name);
    if (name === 'index_filter') body = { ...body, indexFilter: value };
    else if (read === undefined) throw unknownField(PARSER, member);
    else body = { ...body, asked: { ...body.asked, ...readField(PARSER, member, () => read(value, name)) } };
  }
  return body;
}

type OptionReader = (value: JsonNode, name: string) => Partial<TermsEnumRequest>;

const READERS: ReadonlyMap<string, OptionReader> = new Map<string, OptionReader>([
  ['field', (value, name) => ({ field: readString(value, name) })],
  ['string', (value, name) => ({ prefix: readString(value, name) })],
  ['size', (value, name) => ({ size: readInteger(value, name) })],
  ['timeout', (value, name) => ({ timeoutMs: timeMsOf(readString(value, name), name) })],
  ['case_insensitive', (value, name) => ({ isCaseInsensitive: readBoolean(value, name) })],
  ['search_after', (value, name) => ({ after: readString(value, name) })],
]);

function timeMsOf(text: string, name: string): number {
  return Math.round(parseTimeValue(text, name));
}

/** @throws action_request_validation_exception */
function checked({ field, ...asked }: TermsEnumBody['asked']): TermsEnumRequest {
  const problems: string[] = [];
  if (field === null) problems.push('field cannot be null');
  if (asked.size < 1 || asked.size > ENUM_TERMS_MAX) problems.push(`size must be between 1 and ${ENUM_TERMS_MAX}`);
  if (asked.timeoutMs > ENUM_TIMEOUT_MS_MAX) problems.push('Timeout cannot be > 1 minute');
  if (asked.timeoutMs < 0) problems.push('Timeout cannot be negative');
  if (field === null || problems.length > 0) throw validationFailed(problems);
  return { ...asked, field };
}

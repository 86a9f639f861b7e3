/**
 * `simple_query_string`: a text in a small query language in which every text means something.
 */
import { type JsonNode, parsingException } from '@shoal/core';
import {
  checkQueryTextForm,
  parseQueryTextOption,
  type QueryTextOptions,
  queryTextDefaults,
  readQueryTextOptions,
} from '../../members/query-text-options.ts';
import { readInteger, readObject, readString } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';
import {
  parseSimpleOperators,
  readSimpleOperators,
  type SimpleOperators,
  simpleOperatorsOfBits,
} from './simple-operators.ts';

export interface SimpleQueryStringQuery extends QueryNode, QueryTextOptions {
  readonly kind: 'simpleQueryString';
  /** `flags`: operators that are operators; the others are letters. */
  readonly operators: SimpleOperators;
}

function parseSimpleQueryString(node: JsonNode, query: string): SimpleQueryStringQuery {
  const result: Mutable<SimpleQueryStringQuery> = {
    kind: 'simpleQueryString',
    ...queryTextDefaults(''),
    operators: simpleOperatorsOfBits(-1),
    boost: 1,
    name: null,
  };
  let isGiven = false;
  for (const member of readObject(node, query).members) {
    const { name, value } = member;
    checkQueryTextForm(query, member);
    if (name === 'query') {
      result.text = readString(value, query);
      isGiven = true;
    } else if (name === 'flags') result.operators = parseFlags(value);
    else if (!parseQueryTextOption(result, member))
      throw parsingException(`[${query}] unsupported field [${name}]`, value.at);
  }
  if (!isGiven) throw parsingException(`[${query}] query text missing`, node.at);
  return result;
}

/** False when there is no such option. */
function parseFlags(value: JsonNode): SimpleOperators {
  return value.kind === 'number'
    ? simpleOperatorsOfBits(readInteger(value, 'flags'))
    : parseSimpleOperators(readString(value, 'flags'));
}

export const simpleQueryString: QueryKind<SimpleQueryStringQuery> = {
  kind: 'simpleQueryString',
  parse: parseSimpleQueryString,
  read: (r) => ({
    kind: 'simpleQueryString',
    ...readQueryTextOptions(r),
    operators: readSimpleOperators(r.object('operators')),
    ...readBase(r),
  }),
  inner: noInner,
};

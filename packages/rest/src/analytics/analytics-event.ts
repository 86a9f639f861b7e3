/**
 * Events of behavioral analytics: what somebody saw, searched for, or opened out of the results of a search.
 */
import { illegalArgument } from '@shoal/core';
import {
  checkedMembers,
  count,
  listOf,
  mapOf,
  nullable,
  objectOf,
  oneOf,
  text,
  type ValueCheck,
} from '../request/checked-values.ts';
import type { JsonObject } from '../request/json-body.ts';

interface EventType {
  readonly members: Readonly<Record<string, ValueCheck>>;
  readonly required: readonly string[];
}

const PAGE = objectOf({ url: text, title: nullable(text), referrer: nullable(text) }, ['url']);
const DOCUMENT = objectOf({ id: text, index: nullable(text) }, ['id']);
const RESULTS = objectOf({
  items: nullable(listOf(objectOf({ document: nullable(DOCUMENT), page: nullable(PAGE) }))),
  total_results: nullable(count),
});
const SEARCH = objectOf(
  {
    query: text,
    search_application: nullable(text),
    sort: nullable(objectOf({ name: text, direction: nullable(oneOf(['asc', 'desc'])) }, ['name'])),
    filters: nullable(mapOf(listOf(text))),
    page: nullable(objectOf({ current: count, size: count }, ['current', 'size'])),
    results: nullable(RESULTS),
  },
  ['query'],
);

const BY_WHOM = {
  session: objectOf({ id: text }, ['id']),
  user: objectOf({ id: text }, ['id']),
};
const WHOM: readonly string[] = ['session', 'user'];

const EVENT_TYPES: Readonly<Record<string, EventType>> = {
  page_view: { members: { ...BY_WHOM, page: PAGE, document: nullable(DOCUMENT) }, required: [...WHOM, 'page'] },
  search: { members: { ...BY_WHOM, search: SEARCH }, required: [...WHOM, 'search'] },
  search_click: {
    members: { ...BY_WHOM, search: SEARCH, document: nullable(DOCUMENT), page: nullable(PAGE) },
    required: [...WHOM, 'search'],
  },
};

export interface EventOrigin {
  readonly type: string;
  readonly collection: string;
  readonly timeMs: number;
}

/**
 * The document that is kept of an event.
 *
 * @throws illegal_argument_exception, x_content_parse_exception for what is no event of the type
 */
export function analyticsEvent({ type, collection, timeMs }: EventOrigin, body: JsonObject): JsonObject {
  const known = Object.hasOwn(EVENT_TYPES, type) ? EVENT_TYPES[type] : undefined;
  if (known === undefined) throw illegalArgument(`invalid event type: [${type}]`);
  const members = checkedMembers(body, known.members, known.required);
  if (type === 'search_click' && members.document == null && members.page == null) {
    throw illegalArgument('Either [document] or [page] field is required');
  }
  return {
    '@timestamp': timeMs,
    event: { action: type },
    data_stream: { type: 'behavioral_analytics', dataset: 'events', namespace: collection },
    ...members,
  };
}

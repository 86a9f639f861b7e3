/**
 * `collapse`: of the hits with one value of a field only the best is shown, and others of its group beside it.
 */
import {
  type ItemReader,
  illegalArgument,
  type JsonMember,
  type JsonNode,
  parsingException,
  tokenName,
  ValueReader,
} from '@shoal/core';
import { defaultHitOptions, HIT_MEMBERS, INNER_SIZE_DEFAULT } from '../hits/hit-members.ts';
import { type NodeKinds, NUMBERS, readField, STRINGS, unknownField } from '../members/content-errors.ts';
import { readInteger, readString } from '../members/request-values.ts';
import { parseQuery } from '../registry/query.ts';

/** Hits of a group that are shown with the one that stands for it: a search of its own in each group. */
export interface GroupSearch {
  /** Under which they are shown. */
  readonly name: string;
  /** What else is said of them: `size`, `sort`, `_source` and so on, as in a search body. */
  readonly members: readonly JsonMember[];
}

export interface CollapseRequest {
  readonly field: string;
  readonly innerHits: readonly GroupSearch[];
  /** Searches for inner hits at a time; 0: as many as the server thinks fit. */
  readonly maxConcurrentGroupSearches: number;
}

const WHERE = 'collapse';
const MEMBERS: readonly string[] = ['field', 'inner_hits', 'max_concurrent_group_searches'];
const INNER_KINDS: NodeKinds = ['object', 'array'];
const INNER_HITS_MAX = 64;

/** Members of `inner_hits` that are members of a search body too. */
const INNER_MEMBERS: ReadonlySet<string> = new Set([
  '_source',
  'collapse',
  'docvalue_fields',
  'explain',
  'fields',
  'from',
  'highlight',
  'script_fields',
  'seq_no_primary_term',
  'size',
  'sort',
  'stored_fields',
  'track_scores',
  'version',
]);

/** Member of `inner_hits` without effect here: the shards of the groups all have a mapping for the field. */
const WITHOUT_EFFECT = 'ignore_unmapped';

export function parseCollapse(node: JsonNode): CollapseRequest {
  let field: string | null = null;
  let innerHits: readonly GroupSearch[] = [];
  let maxConcurrentGroupSearches = 0;
  for (const member of membersOf(node, WHERE)) {
    const { name, value } = member;
    if (name === 'field') field = readField(WHERE, member, () => readString(value, name), STRINGS);
    else if (name === 'inner_hits') innerHits = readField(WHERE, member, () => innerHitsOf(value), INNER_KINDS);
    else if (name === 'max_concurrent_group_searches') {
      maxConcurrentGroupSearches = readField(WHERE, member, () => positive(readInteger(value, name)), NUMBERS);
    } else throw unknownField(WHERE, member, MEMBERS);
  }
  if (field === null || field === '') throw illegalArgument('Required [field]');
  const names = innerHits.map(({ name }) => name || field);
  if (new Set(names).size < names.length) {
    throw illegalArgument('[inner_hits] already contains an entry for key: names must differ');
  }
  return {
    field,
    innerHits: innerHits.map((inner, i) => ({ ...inner, name: names[i] ?? field })),
    maxConcurrentGroupSearches,
  };
}

function membersOf(node: JsonNode, what: string): readonly JsonMember[] {
  if (node.kind === 'object') return node.members;
  throw parsingException(`[${what}] expects an object but found [${tokenName(node)}]`, node.at);
}

function positive(count: number): number {
  if (count < 1) throw illegalArgument('maxConcurrentGroupRequests must be positive');
  return count;
}

function innerHitsOf(node: JsonNode): readonly GroupSearch[] {
  const items = node.kind === 'array' ? node.items : [node];
  if (items.length > INNER_HITS_MAX) throw illegalArgument(`more than ${INNER_HITS_MAX} [inner_hits]`);
  return items.map(innerHit);
}

function innerHit(node: JsonNode): GroupSearch {
  let name = '';
  const members: JsonMember[] = [];
  for (const member of membersOf(node, 'inner_hits')) {
    if (member.name === 'name')
      name = readField('inner_hits', member, () => readString(member.value, member.name), STRINGS);
    else if (INNER_MEMBERS.has(member.name)) {
      if (member.name === 'collapse') readField('inner_hits', member, () => checkInnerCollapse(member.value));
      else checkHitMember(member);
      members.push(member);
    } else if (member.name !== WITHOUT_EFFECT) {
      throw unknownField('inner_hits', member, [...INNER_MEMBERS, WITHOUT_EFFECT, 'name']);
    }
  }
  return { name, members };
}

/** What is wrong with a member of the search within groups is told here, where it stands. */
function checkHitMember(member: JsonMember): void {
  const read = HIT_MEMBERS.get(member.name);
  if (read === undefined) return;
  readField('inner_hits', member, () => read(defaultHitOptions(INNER_SIZE_DEFAULT), member, parseQuery));
}

/** Reads the group; searches within groups do not travel, see `writeSearchRequest`. */
export const readCollapse: ItemReader<CollapseRequest> = (value, path) => {
  const r = ValueReader.of(value, path);
  const maxConcurrentGroupSearches = r.integer('maxConcurrentGroupSearches', 0, Number.MAX_SAFE_INTEGER);
  return { field: r.string('field'), innerHits: [], maxConcurrentGroupSearches };
};

/** Groups within a group end there. */
function checkInnerCollapse(node: JsonNode): void {
  for (const member of membersOf(node, 'collapse')) {
    if (member.name !== 'field') throw parsingException('Invalid token in the inner collapse', member.value.at);
  }
}

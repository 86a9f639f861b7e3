/**
 * What is odd about the requests that a node was asked: fields that no mapping has, nothing found, and what other versions refuse.
 */
import { simpleMatch } from '@shoal/core';
import type { AskedRequest } from '../requests/asked-request.ts';
import { fieldsOfScript } from './fields-of-script.ts';
import { namedFields } from './named-fields.ts';
import { type AskNode, type NodeFacts, nodeFacts } from './node-facts.ts';
import { compareVersions, type ElasticsearchVersion, VERSION_FACTS, type VersionFact } from './refused-elsewhere.ts';
import { renderedRequest } from './rendered-request.ts';
import { type AskedSearch, membersOf, searchesOf, segmentsOf } from './search-of-request.ts';
import { usedParts } from './used-parts.ts';

export interface Finding {
  readonly kind: 'unknownField' | 'nothingFound' | 'refusedByOlder' | 'refusedByNewer';
  /** Place in `requests`. */
  readonly at: number;
  /** Method and path. */
  readonly request: string;
  /** What is odd, as a sentence. */
  readonly text: string;
}

export interface ReportOptions {
  /** Version that the application meets in production; then only what this one refuses is told. Default: all versions since 7.0. */
  readonly elasticsearch?: ElasticsearchVersion;
}

const VERSION = /^\d+\.\d+$/;
/** Below these every key is a field. */
const OPEN_TYPES: ReadonlySet<string> = new Set(['flattened', 'join']);

/**
 * Judges what was answered without an error.
 *
 * @param ask asks the node what there is now
 */
export async function reportOf(
  requests: readonly AskedRequest[],
  { elasticsearch }: ReportOptions,
  ask: AskNode,
): Promise<readonly Finding[]> {
  if (elasticsearch !== undefined && !VERSION.test(elasticsearch)) {
    throw new TypeError(`a version has two numbers, such as [7.10], and this is [${elasticsearch}]`);
  }
  const facts = nodeFacts(ask);
  const findings: Finding[] = [];
  for (const [at, asked] of requests.entries()) {
    const isMissing = asked.status === 404 && membersOf(asked.answer).found === false;
    if (asked.status === null || (asked.status >= 300 && !isMissing)) continue;
    const found = (kind: Finding['kind'], text: string): void => {
      findings.push({ kind, at, request: `${asked.method} ${asked.path}`, text });
    };
    const plain = await renderedRequest(asked, facts.render);
    const searches = searchesOf(plain);
    for (const search of searches) {
      for (const name of await unknownFields(search, facts)) {
        found('unknownField', `no mapping of [${search.indices}] has the field [${name}]`);
      }
      if (search.found === 0) found('nothingFound', `nothing in [${search.indices}] matches`);
    }
    for (const id of missingDocuments(asked)) found('nothingFound', `there is no document [${id}]`);
    const used = usedParts(plain, searches);
    for (const fact of VERSION_FACTS) {
      const told = fact.isIn(used) ? verdict(fact, elasticsearch) : null;
      if (told !== null) found(told.kind, told.text);
    }
  }
  return findings;
}

function verdict(
  { what, since, until }: VersionFact,
  version: ElasticsearchVersion | undefined,
): Pick<Finding, 'kind' | 'text'> | null {
  if (since !== null && (version === undefined || compareVersions(version, since) < 0)) {
    return { kind: 'refusedByOlder', text: `Elasticsearch has ${what} since ${since}` };
  }
  if (until !== null && (version === undefined || compareVersions(version, until) >= 0)) {
    return { kind: 'refusedByNewer', text: `Elasticsearch ${until} and newer refuse ${what}` };
  }
  return null;
}

async function unknownFields(search: AskedSearch, { fieldsOf, storedScript }: NodeFacts): Promise<readonly string[]> {
  const runtime = membersOf(JSON.parse(search.request.runtimeMappings ?? '{}'));
  const parts = [search.request, search.aggregations, Object.values(runtime).map(scriptOf)];
  const { names, scripts } = namedFields(parts);
  const stored = await Promise.all([...scripts].map(storedScript));
  const named = new Set([...names, ...stored.flatMap(fieldsOfScript)]);
  if (named.size === 0) return [];
  const fields = await fieldsOf(search.indices);
  const declared = Object.keys(runtime);
  const known = [...fields.keys(), ...declared];
  return [...named].filter((name) => !isKnown(name, known, fields)).sort();
}

/** The script of a field that a search declares, as other scripts are. */
function scriptOf(declared: unknown): unknown {
  const { script } = membersOf(declared);
  return typeof script === 'string' ? { source: script, lang: 'painless' } : { lang: 'painless', ...membersOf(script) };
}

function isKnown(name: string, known: readonly string[], fields: ReadonlyMap<string, readonly string[]>): boolean {
  if (name.startsWith('_') || name === '*' || known.includes(name)) return true;
  if (name.includes('*')) {
    return known.some((field) => simpleMatch(name, field));
  }
  const steps = name.split(/[.#]/);
  return steps.some((_, n) => fields.get(steps.slice(0, n).join('.'))?.some((type) => OPEN_TYPES.has(type)) ?? false);
}

/** Documents that were asked for by their ids and are not there. */
function missingDocuments({ path, status, answer }: AskedRequest): readonly string[] {
  const segments = segmentsOf(path);
  if (status === 404) return [segments.at(-1) ?? ''];
  const { docs } = membersOf(answer);
  if (segments.at(-1) !== '_mget' || !Array.isArray(docs)) return [];
  return docs.map(membersOf).flatMap(({ _id, found }) => (found === false ? [String(_id)] : []));
}

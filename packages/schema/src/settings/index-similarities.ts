/**
 * `index.similarity.NAME.*`: the similarities that an index declares, with their parameters.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import { BM25, BUILT_IN_SIMILARITIES, type Similarities, type Similarity } from '../mapping/similarity.ts';
import { parseBoolean } from './setting-values.ts';

const PREFIX = 'index.similarity.';

/** Types of Elasticsearch that are refused by name. */
const NOT_SUPPORTED: readonly string[] = ['DFR', 'IB', 'DFI', 'LMDirichlet', 'LMJelinekMercer', 'scripted'];

/** Similarities of an index, the built-in ones among them. @throws illegal_argument_exception for one that is none */
export function indexSimilarities(flat: Readonly<Record<string, string>>): Similarities {
  const groups = declaredGroups(flat);
  if (groups.size === 0) return BUILT_IN_SIMILARITIES;
  return new Map([...BUILT_IN_SIMILARITIES, ...[...groups].map(([name, group]) => [name, read(name, group)] as const)]);
}

/** Parameters of each declared similarity, by its name. */
function declaredGroups(flat: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const groups = new Map<string, Map<string, string>>();
  for (const [key, value] of Object.entries(flat)) {
    if (!key.startsWith(PREFIX)) continue;
    const rest = key.slice(PREFIX.length);
    const dot = rest.indexOf('.');
    if (dot < 0) {
      const reason = `Failed to get setting group for [${PREFIX}] setting prefix and setting [${key}] because of a missing '.'`;
      throw new ShoalError('settings_exception', 500, reason);
    }
    const name = rest.slice(0, dot);
    const group = groups.get(name) ?? new Map<string, string>();
    groups.set(name, group.set(rest.slice(dot + 1), value));
  }
  return groups;
}

function read(name: string, group: ReadonlyMap<string, string>): Similarity {
  if (BUILT_IN_SIMILARITIES.has(name)) throw illegalArgument(`Cannot redefine built-in Similarity [${name}]`);
  const type = group.get('type');
  if (type === undefined) throw illegalArgument(`Similarity [${name}] must have an associated type`);
  switch (type) {
    case 'BM25':
      return readBm25(group);
    case 'boolean':
      checkNames(type, group, []);
      return { kind: 'boolean' };
    default:
      if (!NOT_SUPPORTED.includes(type)) throw illegalArgument(`Unknown Similarity type [${type}] for [${name}]`);
      throw illegalArgument(`Similarity type [${type}] for [${name}] is not supported by this server`);
  }
}

function readBm25(group: ReadonlyMap<string, string>): Similarity {
  checkNames('BM25', group, ['k1', 'b', 'discount_overlaps']);
  const k1 = readFloat(group, 'k1', 1.2);
  const b = readFloat(group, 'b', 0.75);
  if (k1 < 0 || !Number.isFinite(k1))
    throw illegalArgument(`illegal k1 value: ${printed(k1)}, must be a non-negative finite value`);
  if (!(b >= 0 && b <= 1)) throw illegalArgument(`illegal b value: ${printed(b)}, must be between 0 and 1`);
  const overlaps = group.get('discount_overlaps');
  const discountsOverlaps = overlaps === undefined ? true : parseBoolean(overlaps);
  if (discountsOverlaps === null)
    throw illegalArgument(`Failed to parse value [${overlaps}] as only [true] or [false] are allowed.`);
  return { ...BM25, kind: 'BM25', k1, b, discountsOverlaps };
}

function readFloat(group: ReadonlyMap<string, string>, key: string, otherwise: number): number {
  const text = group.get(key);
  if (text === undefined) return otherwise;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isNaN(number)) return number;
  throw new ShoalError('settings_exception', 500, `Failed to parse float setting [${key}] with value [${text}]`, {
    causedBy: new ShoalError('number_format_exception', 400, `For input string: "${text}"`),
  });
}

function checkNames(type: string, group: ReadonlyMap<string, string>, known: readonly string[]): void {
  const unknown = [...group.keys()].filter((key) => key !== 'type' && !known.includes(key));
  if (unknown.length > 0)
    throw illegalArgument(`Unknown settings for similarity of type [${type}]: [${unknown.join(', ')}]`);
}

/** Number as Java prints a float. */
function printed(number: number): string {
  return Number.isInteger(number) ? number.toFixed(1) : String(number);
}
